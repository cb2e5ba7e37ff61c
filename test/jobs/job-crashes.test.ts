/** JOB-3: a process that dies at any of its store's operations loses no job that was taken, and none is done twice. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { convertUnit } from "../../src/capabilities/convert/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one as oneItem } from "../../src/capability/output.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { ASYNC, held, isOpen, type Job, open, rested, WORK } from "./job-shop.js";

const LONG = { authorization: { validBefore: "4102444800" } };
const KINDS = ["payment", "account"] as const;

/** Rounds of the background, on the clock of all, until the job has ended. */
async function endedBy({ handle, clock, fetchJob }: ReturnType<typeof open>, id: string): Promise<Job> {
  for (let round = 0; round < 40; round++) {
    const job = await fetchJob(id);
    if (!isOpen(job)) return job;
    clock.advance(15);
    await handle.reconcile();
    await rested(5);
  }
  throw new Error("the job has no end");
}

describe.each(KINDS)("JOB-3 a job paid by %s", (kind) => {
  it("is done once, whatever its process had done of it when it died", async () => {
    let deaths = 0;
    for (const done of [false, true])
      for (let left = 0; ; left++) {
        const clock = fakeClock();
        const store = createMemoryStore({ clock });
        const facilitator = fakeFacilitator();
        const options = { clock, facilitator, accounts: { keys: true }, payment: undefined };
        const { payment: _, ...given } = options;
        const next = open({ ...given, store });
        await next.handle.accounts.topUp("ada", "1", { reference: "first" });
        const { key } = await next.handle.accounts.createKey("ada");
        const name = { "idempotency-key": "the-very-same-purchase" };
        const headers = kind === "payment" ? await next.paid(WORK, LONG) : { authorization: `Bearer ${key}`, ...name };
        const mortal = fated(store, { left, done, forGood: true });
        const one = open({ ...given, store: mortal.store });
        const answer = await Promise.race([one.get(WORK, { ...headers, ...ASYNC }), mortal.failed]);
        const taken = typeof answer === "string" ? undefined : ((await answer.json()) as Job);
        const isOver = taken ? await Promise.race([one.ended(taken.id).then(() => true), mortal.failed]) : false;
        clock.advance(15);
        const again = taken ?? (await next.take(headers));
        const job = again.id ? await endedBy(next, again.id) : again;
        const sales = async () =>
          (await next.handle.accounts.entries("ada")).filter((entry) => entry.kind === "sale").length;
        const at = `${left} ${done} ${mortal.asked.at(-1)}`;
        expect([at, job.state, job.costUsd], at).toEqual([at, "done", "0.001"]);
        expect([at, kind === "payment" ? facilitator.settled.length : await sales()]).toEqual([at, 1]);
        expect(await next.fetchJob(job.id)).toMatchObject({ result: { data: { items: [{ n: 1 }] } } });
        if (isOver === true) break;
        deaths++;
      }
    expect(deaths).toBeGreaterThan(20);
  }, 60_000);

  it("goes on elsewhere when its process only paused, which then writes and charges nothing", async () => {
    const clock = fakeClock();
    const store = createMemoryStore({ clock });
    const facilitator = fakeFacilitator();
    const given = { clock, facilitator, accounts: { keys: true } };
    const next = open({ ...given, store });
    await next.handle.accounts.topUp("ada", "1", { reference: "first" });
    const { key } = await next.handle.accounts.createKey("ada");
    const headers = kind === "payment" ? await next.paid(WORK, LONG) : { authorization: `Bearer ${key}` };
    let isPaused = false;
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = {
      ...store,
      shared: true,
      put: async (...args: Parameters<typeof store.put>) => {
        if (isPaused) await paused;
        return store.put(...args);
      },
    };
    const one = open({ ...given, store: slow });
    const work = held();
    one.behaviours.push(work.run);
    const { id } = await one.take(headers);
    await work.begun;
    isPaused = true;
    clock.advance(30);
    expect(await endedBy(next, id)).toMatchObject({ state: "done", costUsd: "0.001" });
    work.letGo();
    goOn();
    await one.handle.close();
    const sales = (await next.handle.accounts.entries("ada")).filter((entry) => entry.kind === "sale");
    expect([facilitator.settled.length, sales.length]).toEqual(kind === "payment" ? [1, 0] : [0, 1]);
    expect(await next.fetchJob(id)).toMatchObject({ state: "done", result: { data: { items: [{ n: 1, run: 1 }] } } });
  }, 20_000);
});

it("JOB-25 waits for an instance that has its endpoint, and is told as a repetition when it is asked for again", async () => {
  const clock = fakeClock();
  const shared = { clock, store: createMemoryStore({ clock }), facilitator: fakeFacilitator() };
  const one = open(shared);
  const older = open({ ...shared, capabilities: [convertUnit] });
  one.behaviours.push(held().run);
  const headers = await one.paid(WORK, LONG);
  const { id } = await one.take(headers);
  clock.advance(600);
  await older.handle.reconcile();
  await rested(20);
  expect((await older.fetchJob(id)).state).toBe("queued");
  const next = open(shared);
  expect(await endedBy(next, id)).toMatchObject({ state: "done" });
  await next.take(headers);
  expect(next.events.at(-1)).toMatchObject({ kind: "call", outcome: "replayed", chargedUsd: "0" });
});

it("JOB-27 is not begun again when it was cancelled while its process died, and gives everything back", async () => {
  const clock = fakeClock();
  const store = createMemoryStore({ clock });
  const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
  const work = held();
  let runs = 0;
  const model = defineCapability({
    ...{ id: "test.model", summary: "Is billed by usage.", price: "0.02", billing: "upto" },
    source: { provider: "test", url: "", license: "MIT" },
    input: () => z.strictObject({ n: z.int().describe("Any number") }),
    output: oneItem(z.object({})),
    example: { n: 1 },
    async run(_, ctx) {
      runs++;
      ctx.meter.add("0.004");
      await work.run(ctx.signal);
      return { item: {} };
    },
  });
  const given = { clock, facilitator: fakeFacilitator(), capabilities: [model], accounts: { keys: true } };
  const one = open({ ...given, store: fated(store, fate).store });
  const other = open({ ...given, store });
  const { accounts } = other.handle;
  await accounts.topUp("ada", "1", { reference: "first" });
  const { key } = await accounts.createKey("ada");
  const { id } = await one.take({ authorization: `Bearer ${key}` }, "/test/model?n=1");
  await work.begun;
  fate.left = 0;
  expect((await other.cancelled(id)).state).toBe("running");
  clock.advance(30);
  expect(await endedBy(other, id)).toMatchObject({ state: "cancelled", costUsd: "0" });
  clock.advance(600);
  await other.handle.reconcile();
  expect(await accounts.balance("ada")).toMatchObject({ availableUsd: "1", heldUsd: "0" });
  expect(runs).toBe(1);
}, 20_000);
