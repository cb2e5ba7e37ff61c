/** JOB-4: a job is cancelled before its end, or not at all. */
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { NETWORK } from "../support/shop.js";
import { mallory, TREASURY, toHeader, withoutRetryKey } from "../support/wallets.js";
import { ASYNC, held, type Job, open, rested, WORK } from "./job-shop.js";

const MODEL = "/test/model?n=1";

/** Two instances on one store. */
function two(options: Parameters<typeof open>[0] = {}) {
  const clock = fakeClock();
  const shared = { clock, store: createMemoryStore({ clock }), facilitator: fakeFacilitator(), ...options };
  return { one: open(shared), other: open(shared), clock, facilitator: shared.facilitator };
}

describe("JOB-4 a job of a fixed price", () => {
  it.each(["where it runs", "at another instance"])(
    "is cancelled %s, charges nothing, and its payment is good again",
    async (where) => {
      const { one, other, facilitator } = two();
      const work = held();
      one.behaviours.push(work.run);
      const headers = await one.paid();
      const { id } = await one.take(headers);
      await work.begun;
      const at = where === "where it runs" ? one : other;
      expect(await at.cancelled(id)).toMatchObject({ id, state: "cancelled", costUsd: "0" });
      expect(await at.cancelled(id)).toMatchObject({ state: "cancelled" });
      expect(await one.fetchJob(id)).toEqual(await other.fetchJob(id));
      // Another instance is heard of by the next sign of life of the first.
      work.letGo();
      await one.handle.close();
      expect(facilitator.settled.length).toBe(0);
      expect((await other.get(WORK, headers)).status).toBe(200);
      expect(facilitator.settled.length).toBe(1);
    },
  );

  it("is not cancelled once its end came first, on whichever instance", async () => {
    for (let turns = 0; turns < 12; turns++) {
      const { one, other, facilitator } = two();
      const work = held();
      one.behaviours.push(work.run);
      const { id } = await one.take(await one.paid());
      await work.begun;
      work.letGo();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const told = await other.cancelled(id);
      const job = await one.ended(id);
      await one.handle.close();
      expect([told.state === "cancelled", facilitator.settled.length]).toEqual([
        job.state === "cancelled",
        job.state === "done" ? 1 : 0,
      ]);
    }
  });

  it("that was settled first gives everything back", async () => {
    const payment = {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { url: FACILITATOR_URL },
      settleFirst: ["test.work"],
    };
    const { one, facilitator } = two({ payment });
    const work = held();
    one.behaviours.push(work.run);
    const { id } = await one.take(await one.paid());
    await work.begun;
    expect(await one.cancelled(id)).toMatchObject({ state: "cancelled", costUsd: "0" });
    await one.handle.reconcile();
    expect(facilitator.settled.length).toBe(1);
    expect((await one.handle.ledger()).total).toMatchObject({ settledUsd: "0.001", earnedUsd: "0" });
  });

  it("whose process died is cancelled for good", async () => {
    const { one, other, clock, facilitator } = two();
    one.behaviours.push(held().run);
    const headers = await one.paid(WORK, { authorization: { validBefore: "4102444800" } });
    const { id } = await one.take(headers);
    // Nobody signs for its lease any more.
    clock.advance(600);
    expect((await other.fetchJob(id)).state).toBe("queued");
    expect(await other.cancelled(id)).toMatchObject({ state: "cancelled", costUsd: "0" });
    await other.handle.reconcile();
    await rested(20);
    expect([other.runs(), facilitator.settled.length]).toEqual([0, 0]);
  });
});

describe("JOB-5 a job that is billed by usage", () => {
  it.each(["where it runs", "at another instance"])(
    "is charged what it had used when it was cancelled %s",
    async (where) => {
      const work = held();
      const model = defineCapability({
        ...{ id: "test.model", summary: "Is billed by usage.", price: "0.02", billing: "upto" },
        source: { provider: "test", url: "", license: "MIT" },
        input: () => z.strictObject({ n: z.int().describe("Any number") }),
        output: one(z.object({})),
        example: { n: 1 },
        async run(_, ctx) {
          ctx.meter.add("0.004");
          await work.run(ctx.signal);
          return { item: {} };
        },
      });
      const payment = {
        treasury: { [NETWORK]: TREASURY },
        facilitator: { url: FACILITATOR_URL },
        refunds: { [NETWORK]: mallory },
      };
      const shops = two({ capabilities: [model], payment, accounts: { keys: true } });
      const { accounts } = shops.one.handle;
      await accounts.topUp("ada", "1", { reference: "first" });
      const { key } = await accounts.createKey("ada");
      const { id } = await shops.one.take({ authorization: `Bearer ${key}` }, MODEL);
      await work.begun;
      const at = where === "where it runs" ? shops.one : shops.other;
      expect(await at.cancelled(id)).toMatchObject({ id, state: "cancelled", costUsd: "0.004" });
      expect(await accounts.balance("ada")).toMatchObject({ availableUsd: "0.996", heldUsd: "0" });
    },
  );
});

it("JOB-6 refuses what it does not know, by field", async () => {
  const { cancel, get } = open();
  for (const [body, path] of [
    [{}, "id"],
    [{ id: 7 }, "id"],
    [{ id: "job_x", force: true }, "force"],
  ] as const)
    expect(await bodyOf(await cancel(body))).toMatchObject({ status: 400, issues: [{ path }] });
  expect((await get("/jobs/get?id=a&id=b")).status).toBe(400);
  expect((await get("/jobs/cancel")).status).toBe(405);
});

it("JOB-7 lets a payer have so many open at a time, and gives back what is one too many", async () => {
  const { get, take, paid, behaviours, ended, facilitator } = open({ jobs: { maxPerPayer: 2 } });
  const works = [held(), held()];
  const ids: string[] = [];
  for (const { run } of works) {
    behaviours.push(run);
    ids.push((await take(await paid())).id);
  }
  const headers = await paid();
  const refused = await get(WORK, { ...headers, ...ASYNC });
  expect([refused.status, refused.headers.get("retry-after"), (await bodyOf(refused)).code]).toEqual([
    429,
    "10",
    "RATE_LIMITED",
  ]);
  for (const { letGo } of works) letGo();
  for (const id of ids) expect((await ended(id)).state).toBe("done");
  expect((await get(WORK, { ...headers, ...ASYNC })).status).toBe(202);
  expect(facilitator.settled.length).toBeGreaterThan(1);
});

it("JOB-8 answers at once where it takes no jobs: trials, off, and platforms that end work with its request", async () => {
  const off = open({ jobs: false });
  expect((await off.get(WORK, { ...(await off.paid()), ...ASYNC })).status).toBe(200);
  expect((await off.get("/jobs/get?id=x")).status).toBe(404);
  const { get, handle, paid } = open({ trial: { perHour: 1 } });
  const trial = await get(WORK, { "x-svc-trial": "1", ...ASYNC });
  expect([trial.status, trial.headers.get("preference-applied")]).toEqual([200, null]);
  const request = new Request(`http://shop.test/api${WORK}`, { headers: { ...(await paid()), ...ASYNC } });
  expect((await handle(request, { deadline: Date.now() + 60_000 })).status).toBe(200);
});

it("JOB-28 charges nothing to who wants a job and nothing else, where it would be answered at once", async () => {
  const demand = { prefer: "respond-async, handling=strict" };
  const shop = open({ trial: { perHour: 1 } });
  const bare = { "payment-signature": toHeader(withoutRetryKey(await shop.payFor(WORK))) };
  for (const headers of [{ "x-svc-trial": "1" }, bare]) {
    const refused = await shop.get(WORK, { ...headers, ...demand });
    expect([refused.status, (await bodyOf(refused)).code]).toEqual([400, "INVALID_INPUT"]);
  }
  const request = new Request(`http://shop.test/api${WORK}`, { headers: { ...(await shop.paid()), ...demand } });
  expect((await shop.handle(request, { deadline: Date.now() + 60_000 })).status).toBe(400);
  expect([shop.runs(), shop.facilitator.settled.length]).toEqual([0, 0]);
  // The trial and the payment are as good as before.
  expect((await shop.get(WORK, { "x-svc-trial": "1" })).status).toBe(200);
  expect((await shop.get(WORK, bare)).status).toBe(200);
  expect((await shop.get(WORK, { ...(await shop.paid()), ...demand })).status).toBe(202);
});

it("JOB-9 makes a job of every call of an endpoint that is always so", async () => {
  const { get, paid, ended } = open({ jobs: { always: ["test.work"] } });
  const answer = await get(WORK, await paid());
  expect(answer.status).toBe(202);
  expect(await ended(((await answer.json()) as Job).id)).toMatchObject({ state: "done" });
  expect(() => open({ jobs: { always: ["test.none"] } })).toThrow("jobs.always");
});

it("JOB-24 counts what was cancelled as failed work of its payer", async () => {
  const { get, take, paid, behaviours, cancelled, facilitator } = open({ jobs: { maxPerPayer: 2 } });
  for (let n = 0; n < 20; n++) {
    const work = held();
    behaviours.push(work.run);
    const { id } = await take(await paid());
    await work.begun;
    expect((await cancelled(id)).state).toBe("cancelled");
    await rested(10);
  }
  const refused = await get(WORK, { ...(await paid()), ...ASYNC });
  expect([refused.status, (await bodyOf(refused)).code]).toEqual([429, "TOO_MANY_FAILURES"]);
  expect(facilitator.settled.length).toBe(0);
});
