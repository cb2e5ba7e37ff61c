/** Rows that no key opens: they stop nobody else, count no attempt that was not made, and wait for their key. */
import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { afterEach, expect, it } from "vitest";
import * as queue from "../../src/capabilities/queue/index.js";
import * as schedule from "../../src/capabilities/schedule/index.js";
import * as watchers from "../../src/capabilities/watchers/index.js";
import { createHandler } from "../../src/handler.js";
import { openReceiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { onBothEngines } from "../support/wallets-engine.js";
import { type Script, scripted } from "../support/watch-host.js";

const newKey = () => randomBytes(32).toString("base64");
const script: Script = { value: 1, asked: [] };
const capabilities = [
  ...Object.values(schedule),
  ...Object.values(queue),
  ...Object.values(watchers),
  scripted("test.figure", script),
];
type Item = Record<string, unknown> & { undelivered: { attempts: number; lastOutcome: string; body: unknown }[] };

onBothEngines("rows that do not open", (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  const lines: string[] = [];
  const note = (...what: unknown[]) => void lines.push(inspect(what, { depth: 4 }));
  const logger = { debug() {}, info() {}, warn: note, error: note };
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    lines.length = 0;
  });
  function host(schema: string, encryption: string | string[], clock: () => Date) {
    const wallets = engine.options({
      ...{ schema, encryption, secret: "s".repeat(32), runner: false, httpCallbacks: true },
    });
    const handle = createHandler({
      ...{ capabilities, payment: false, logger, clock, wallets },
      outbound: { allowPrivate: true },
    });
    open.push(handle);
    return {
      tick: () => handle.tick({ budgetMs: 60_000 }),
      ask: async (wallet: string, id: string, input: object): Promise<Item[]> =>
        ((await handle.call(id as never, input as never, { wallet })) as { items: Item[] }).items,
    };
  }
  const receiver = async (...answer: Parameters<typeof openReceiver>) => {
    const opened = await openReceiver(...answer);
    open.push(opened);
    return opened;
  };

  it("WAL-31 let the callbacks, schedules and watchers of others go on, and go out when their key is there again", async () => {
    const [lost, current] = [newKey(), newKey()];
    const clock = fakeClock();
    let status = 500;
    const to = await receiver((_, response) => void response.writeHead(status).end());
    const before = host("aside", lost, clock);
    const every = { callbackUrl: `${to.url}/lost`, everySeconds: 600, payload: { of: "lost" } };
    const [waiting] = await before.ask("lost", "schedule.create", every);
    const watch = { endpoint: "test.figure", everySeconds: 600, conditionType: "changed", path: "/items/0/value" };
    const [watcher] = await before.ask("lost", "watchers.arm", { ...watch, callbackUrl: `${to.url}/lost` });
    clock.advance(600);
    script.value = 2;
    await before.tick();
    const sent = to.calls.length;
    expect(sent).toBeGreaterThan(0);
    const attempts = async (of: ReturnType<typeof host>) =>
      (await of.ask("lost", "schedule.status", { scheduleId: waiting?.scheduleId }))[0]?.undelivered[0]?.attempts;
    expect(await attempts(before)).toBe(1);

    const after = host("aside", current, clock);
    status = 204;
    const [made] = await after.ask("found", "schedule.create", { ...every, callbackUrl: `${to.url}/found` });
    await after.ask("found", "watchers.arm", { ...watch, callbackUrl: `${to.url}/found` });
    script.value = 3;
    for (let i = 0; i < 3; i++) {
      clock.advance(600);
      await after.tick();
    }
    const paths = to.calls.slice(sent).map(({ path }) => path);
    expect(paths).toEqual(["/found", "/found", "/found", "/found"]);
    expect(await attempts(after)).toBe(1);
    const [shown] = await after.ask("lost", "schedule.status", { scheduleId: waiting?.scheduleId });
    expect(shown).toMatchObject({ status: "active", firesUsed: 1 });
    expect(shown?.undelivered[0]).toMatchObject({ lastOutcome: "unreadable", body: null });
    expect((await after.ask("lost", "watchers.list", {})).length).toBe(1);
    expect(lines.join("\n")).toMatch(/deliveries[\s\S]*wallets\.encryption/);
    // One line for each table and minute, however many rows and rounds there are.
    expect(lines.length).toBeLessThanOrEqual(9);

    const both = host("aside", [current, lost], clock);
    for (let i = 0; i < 8; i++) {
      clock.advance(600);
      await both.tick();
    }
    const late = to.calls.filter(({ path, headers }) => path === "/lost" && headers["x-svc-attempt"] === "2");
    expect(late.length).toBeGreaterThan(0);
    expect(await attempts(both)).toBeUndefined();
    expect(await both.ask("lost", "watchers.status", { watcherId: watcher?.watcherId })).toMatchObject([
      { status: "armed", firesUsed: 2 },
    ]);
    expect(made?.scheduleId).toBeDefined();
  }, 120_000);

  it("WAL-31 let a queue's other messages be leased, and stand among the dead until their key is there again", async () => {
    const [lost, current] = [newKey(), newKey()];
    const clock = fakeClock();
    const before = host("aside_queue", lost, clock);
    const enqueue = (of: ReturnType<typeof host>, body: unknown) => of.ask("w", "queue.enqueue", { queue: "q", body });
    for (let i = 0; i < 3; i++) await enqueue(before, `lost ${i}`);
    const after = host("aside_queue", current, clock);
    await enqueue(after, "found");
    expect(await after.ask("w", "queue.lease", { queue: "q" })).toMatchObject([{ body: "found", attempts: 1 }]);
    const dead = await after.ask("w", "queue.dead-letters", { queue: "q" });
    expect(dead).toMatchObject(Array(3).fill({ body: null, attempts: 0, lastError: "cannot be opened now" }));
    expect(lines.join("\n")).toContain("set aside");
    const both = host("aside_queue", [current, lost], clock);
    await both.ask("w", "queue.redrive", { queue: "q", all: true });
    expect(await both.ask("w", "queue.lease", { queue: "q", count: 10 })).toMatchObject(
      [0, 1, 2].map((i) => ({ body: `lost ${i}`, attempts: 1 })),
    );
  }, 120_000);
});
