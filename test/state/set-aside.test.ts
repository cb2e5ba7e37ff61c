/** Rows that no key opens: they stop nobody else, count no attempt that was not made, and wait for their key. */
import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, it } from "vitest";
import * as queue from "../../src/capabilities/queue/index.js";
import * as schedule from "../../src/capabilities/schedule/index.js";
import { storeKvPut, storeKvScan } from "../../src/capabilities/store/index.js";
import * as watchers from "../../src/capabilities/watchers/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { openReceiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { onBothEngines } from "../support/wallets-engine.js";
import { type Script, scripted } from "../support/watch-host.js";

const SECRET = { secret: "s".repeat(32) };
const newKey = () => randomBytes(32).toString("base64");
const script: Script = { value: 1, asked: [] };
const capabilities = [
  ...Object.values(schedule),
  ...Object.values(queue),
  ...[storeKvPut, storeKvScan],
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
  function host(schema: string, encryption: string | string[], clock: () => Date, more: { secret?: string } = SECRET) {
    const wallets = engine.options({ ...{ schema, encryption, runner: false, httpCallbacks: true }, ...more });
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

  it("WAL-43 is the secret of callbacks: those of others are signed with another one until its key is there again", async () => {
    const [lost, current] = [newKey(), newKey()];
    const clock = fakeClock();
    let status = 500;
    const to = await receiver((_, response) => void response.writeHead(status).end());
    const before = host("aside_secret", lost, clock, {});
    const every = { everySeconds: 600, maxFires: 1 };
    const [first] = await before.ask("lost", "schedule.create", { ...every, callbackUrl: `${to.url}/lost` });
    clock.advance(600);
    await before.tick();
    const after = host("aside_secret", current, clock, {});
    status = 204;
    const [second] = await after.ask("found", "schedule.create", { ...every, callbackUrl: `${to.url}/found` });
    clock.advance(600);
    await after.tick();
    const verified = (path: string, secret: unknown) => {
      const [call] = to.calls.filter((one) => one.path === path).slice(-1);
      const { headers = {}, body = "" } = call ?? {};
      const header = (name: string) => String((headers as Record<string, unknown>)[name]);
      const signed = new Webhook(secret as string).sign(
        header("webhook-id"),
        new Date(Number(header("webhook-timestamp")) * 1000),
        body,
      );
      return header("webhook-signature").split(" ").includes(signed);
    };
    expect(verified("/found", second?.secret)).toBe(true);
    expect(lines.join("\n")).toContain("a stored signing secret cannot be decrypted");
    const both = host("aside_secret", [current, lost], clock, {});
    for (let i = 0; i < 8; i++) {
      clock.advance(600);
      await both.tick();
    }
    expect(to.calls.filter(({ path }) => path === "/lost").length).toBeGreaterThan(1);
    expect(verified("/lost", first?.secret)).toBe(true);
  }, 120_000);

  it("WAL-64 are listed without their value among the other values of a scan", async () => {
    const [lost, current] = [newKey(), newKey()];
    const clock = fakeClock();
    const before = host("aside_scan", lost, clock);
    const put = (of: ReturnType<typeof host>, key: string) => of.ask("w", "store.kv-put", { ns: "n", key, value: key });
    await put(before, "a");
    const after = host("aside_scan", current, clock);
    await put(after, "b");
    const scan = (of: ReturnType<typeof host>) => of.ask("w", "store.kv-scan", { ns: "n", values: true });
    const [closed, open] = await scan(after);
    expect([closed?.key, closed && "value" in closed, open?.value]).toEqual(["a", false, "b"]);
    expect(await scan(host("aside_scan", [current, lost], clock))).toMatchObject([{ value: "a" }, { value: "b" }]);
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
