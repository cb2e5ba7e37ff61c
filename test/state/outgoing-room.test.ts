/** What is sent later, was sent, or is remembered against doubles takes room, too, and gives it back. */
import { afterEach, expect, it } from "vitest";
import * as pubsub from "../../src/capabilities/pubsub/index.js";
import * as queue from "../../src/capabilities/queue/index.js";
import * as schedule from "../../src/capabilities/schedule/index.js";
import * as store from "../../src/capabilities/store/index.js";
import * as watchers from "../../src/capabilities/watchers/index.js";
import { createHandler } from "../../src/handler/handler.js";
import { silent } from "../../src/lib/logger.js";
import { createResources } from "../../src/lib/resources.js";
import { openWallets } from "../../src/state/database/open.js";
import { countedOf } from "../../src/state/wallet/quota.js";
import { fakeClock } from "../support/clock.js";
import { onBothEngines } from "../support/wallets-engine.js";
import { type Script, scripted } from "../support/watch-host.js";

const LIMIT = 60_000;
const DAY = 86_400;
/** Where nobody listens. */
const NOWHERE = "http://127.0.0.1:9/hook";
const script: Script = { value: 1, asked: [] };
const capabilities = [
  ...[pubsub, queue, schedule, store, watchers].flatMap((group) => Object.values(group)),
  scripted("test.figure", script),
];
type Item = Record<string, unknown>;

onBothEngines("the room of what goes out", (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  function host(schema: string) {
    const clock = fakeClock();
    const resources = createResources();
    const wallets = engine.options({ schema, runner: false, httpCallbacks: true, limits: { bytes: LIMIT } });
    const handle = createHandler({
      ...{ capabilities, payment: false, logger: silent, clock, wallets },
      outbound: { allowPrivate: true },
    });
    open.push(handle, resources);
    const ask = async (id: string, input: object): Promise<Item[]> =>
      ((await handle.call(id as never, input as never, { wallet: "w" })) as { items: Item[] }).items;
    /** Until it is refused for its room; says how often it was taken. */
    const fill = async (next: (i: number) => Promise<unknown>): Promise<number> => {
      for (let i = 0; i < 1000; i++) {
        const error = await next(i).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (!error) continue;
        expect(error).toMatchObject({ code: "QUOTA_EXCEEDED", message: expect.stringContaining("bytes in use") });
        return i;
      }
      throw new Error("nothing was ever refused");
    };
    /** What the wallet's row says, beside what its rows sum up to. */
    const bytes = async () => {
      const db = await openWallets({ wallets, resources });
      const sums = countedOf(db).map(({ table }) => `(select coalesce(sum(bytes), 0) from @${table})`);
      const text = `select (select bytes from @wallets)::float8 as told, (${sums.join(" + ")})::float8 as summed`;
      const [row] = (await db.query(text)).rows as { told: number; summed: number }[];
      expect(row?.told).toBe(row?.summed);
      return row?.told ?? -1;
    };
    return { clock, handle, ask, fill, bytes };
  }

  it("WAL-20 is taken by what is published, also where nobody subscribed, and given back with the topic", async () => {
    const { ask, fill, bytes } = host("room_topics");
    const [topic] = await ask("pubsub.create-topic", { name: "news" });
    const message = "x".repeat(5000);
    expect(await fill(() => ask("pubsub.publish", { topicId: topic?.topicId, message }))).toBe(11);
    expect(await bytes()).toBeGreaterThan(50_000);
    expect((await ask("store.usage", {}))[0]?.totalBytes).toBe(await bytes());
    await ask("pubsub.delete-topic", { topicId: topic?.topicId });
    expect(await bytes()).toBe(0);
  });

  it("WAL-20 is taken by what is published until it is past its time", async () => {
    const { ask, fill, bytes, clock, handle } = host("room_past");
    const [topic] = await ask("pubsub.create-topic", { name: "news" });
    const publish = () => ask("pubsub.publish", { topicId: topic?.topicId, message: "x".repeat(5000) });
    await fill(publish);
    clock.advance(8 * DAY);
    // Whoever needs the room need not wait for a round.
    await publish();
    expect(await bytes()).toBeLessThan(10_000);
    clock.advance(8 * DAY);
    await handle.tick();
    expect(await bytes()).toBe(0);
  });

  it("WAL-20 is taken by schedules and watchers, also by ended ones, for 30 days", async () => {
    const { ask, fill, bytes, clock, handle } = host("room_schedules");
    const callbackUrl = NOWHERE;
    const payload = { text: "x".repeat(3000) };
    const create = async () => {
      const [made] = await ask("schedule.create", { callbackUrl, everySeconds: 3600, payload });
      await ask("schedule.cancel", { scheduleId: made?.scheduleId });
      const watch = { endpoint: "test.figure", everySeconds: 300, conditionType: "changed", path: "/items/0/value" };
      const [armed] = await ask("watchers.arm", { ...watch, callbackUrl, payload });
      await ask("watchers.cancel", { watcherId: armed?.watcherId });
    };
    expect(await fill(create)).toBeLessThan(10);
    await bytes();
    clock.advance(31 * DAY);
    await handle.tick();
    expect(await bytes()).toBe(0);
  });

  it("WAL-20 is taken by every call that a schedule makes; without room a time is missed, and told", async () => {
    const { ask, bytes, clock, handle } = host("room_fires");
    const payload = { text: "x".repeat(10_000) };
    const [made] = await ask("schedule.create", {
      ...{ callbackUrl: NOWHERE, everySeconds: 60, payload, maxFires: 100 },
    });
    for (let i = 0; i < 10; i++) {
      clock.advance(60);
      await handle.tick();
    }
    const [status] = await ask("schedule.status", { scheduleId: made?.scheduleId });
    expect(status).toMatchObject({ status: "active", firesUsed: 4, missed: 6 });
    expect(await bytes()).toBeLessThanOrEqual(LIMIT);
    await ask("store.erase", { confirm: "erase everything" });
    expect(await bytes()).toBe(0);
  });

  it("WAL-20 is taken by what a watcher tells; it fires once there is room", async () => {
    const { ask, bytes, clock, handle } = host("room_watchers");
    script.value = 1;
    const [armed] = await ask("watchers.arm", {
      ...{ endpoint: "test.figure", everySeconds: 300, conditionType: "changed", path: "/items/0/value" },
      ...{ callbackUrl: NOWHERE, maxFires: 5 },
    });
    await ask("store.kv-put", { ns: "n", key: "k", value: "x".repeat(LIMIT - (await bytes()) - 300) });
    script.value = 2;
    clock.advance(300);
    await handle.tick();
    const status = async () => (await ask("watchers.status", { watcherId: armed?.watcherId }))[0];
    expect(await status()).toMatchObject({ firesUsed: 0, lastError: expect.stringContaining("QUOTA_EXCEEDED") });
    await ask("store.kv-delete", { ns: "n", key: "k" });
    clock.advance(3600);
    await handle.tick();
    expect(await status()).toMatchObject({ firesUsed: 1, lastError: null });
    expect(await bytes()).toBeGreaterThan(0);
  });

  it("WAL-20 is taken by what is remembered against doubles", async () => {
    const { ask, fill, bytes, clock, handle } = host("room_dedups");
    const once = async (i: number) => {
      await ask("queue.enqueue", { queue: "q", body: 1, dedupId: `${i}`.padEnd(100, "-") });
      const [message] = await ask("queue.lease", { queue: "q" });
      await ask("queue.ack", { queue: "q", id: message?.id, leaseToken: message?.leaseToken });
    };
    expect(await fill(once)).toBeLessThan(200);
    expect(await bytes()).toBeGreaterThan(50_000);
    clock.advance(DAY);
    // The same name again counts once.
    await once(0);
    await bytes();
    clock.advance(DAY);
    await handle.tick();
    expect(await bytes()).toBe(0);
  }, 60_000);
});
