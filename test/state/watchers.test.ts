/** Watchers over scripted endpoints and a real receiver: when they look, when they fire, and what they cost. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { storeKvGet, storeUsage } from "../../src/capabilities/store/index.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { CapabilityError } from "../../src/errors.js";
import { createResources } from "../../src/lib/resources.js";
import { openWallets } from "../../src/state/database/open.js";
import { openReceiver, type Receiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { byLibrary } from "../support/wallet-scheduler.js";
import { openWalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";
import { openWatchHost, type Script, scripted, WATCHING, type WatchHost } from "../support/watch-host.js";

const HOUR = 3600;
const DAY = 24 * HOUR;

onBothEngines("watchers", (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  const clock = fakeClock();
  const figure: Script = { value: 1, asked: [] };
  const rate: Script = { value: 1, asked: [] };
  const watched = [scripted("test.figure", figure), scripted("test.rate", rate)];
  let shop: WatchHost;
  let to: Receiver;
  let number = 0;
  let wallet = "";
  const rows = async (text: string) => {
    const resources = createResources();
    const database = await openWallets({ wallets: engine.options(), resources: shared ?? resources });
    return (await database.query(text)).rows;
  };
  let shared: ReturnType<typeof createResources> | undefined;
  beforeAll(() => {
    shop = openWatchHost({ wallets: engine.options(), clock, watched });
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    wallet = `watching:${number++}`;
    clock.advance(100 * DAY);
    await shop.tick();
    to = await openReceiver();
    open.push(to);
    Object.assign(figure, { value: 1, asked: [], isStale: false });
    Object.assign(rate, { value: 1, asked: [], isStale: false });
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });
  const above = { endpoint: "test.figure", conditionType: "above", path: "/items/0/value", threshold: 10 } as const;
  const changed = { endpoint: "test.figure", conditionType: "changed", path: "/items/0/value" } as const;
  const advance = async (seconds: number) => {
    clock.advance(seconds);
    await shop.tick();
  };
  const told = () => to.calls.map(({ body }) => JSON.parse(body));

  it("WAL-54 call their URL once the answer crosses, with a body that the secret verifies, and never for what was there", async () => {
    const made = await shop.as(wallet).arm({
      ...{ ...above, callbackUrl: to.url, everySeconds: 600, payload: { a: 1 }, label: "l" },
    });
    expect(made).toMatchObject({
      status: "armed",
      baseline: 1,
      maxFires: 1,
      firesRemaining: 1,
      endpoint: "test.figure",
    });
    expect(made.nextPoll).toBe(new Date(clock().getTime() + 600_000).toISOString());
    await shop.tick();
    expect(figure.asked.length).toBe(1);
    await advance(600);
    figure.value = 11;
    await advance(599);
    expect([figure.asked.length, told()]).toEqual([2, []]);
    await advance(1);
    expect(told()).toEqual([
      {
        type: "watcher.fired",
        timestamp: clock().toISOString(),
        data: {
          ...{ watcherId: made.watcherId, fireNumber: 1, firedAt: clock().toISOString(), endpoint: "test.figure" },
          ...{ conditionType: "above", previous: 1, current: 11, label: "l", payload: { a: 1 } },
        },
      },
    ]);
    expect(byLibrary(made.secret, to.calls[0])).toBe(true);
    await advance(HOUR);
    expect(figure.asked.length).toBe(3);
    expect(await shop.as(wallet).status(made.watcherId)).toMatchObject({
      ...{ status: "completed", firesUsed: 1, firesRemaining: 0, nextPoll: null, lastValue: 11, lateBySeconds: 0 },
      recentDeliveries: [{ state: "delivered" }],
    });
  });

  it("WAL-54 take a failed, an outdated or an unusable answer for no change; ten in a row are told, and the first good one ends that", async () => {
    const { watcherId } = await shop.as(wallet).arm({ ...changed, callbackUrl: to.url, everySeconds: 300 });
    const failure = async (set: Partial<Script>) => {
      Object.assign(figure, { value: 2, isStale: false }, set);
      const { nextPoll } = await shop.as(wallet).status(watcherId);
      const wait = (Date.parse(nextPoll ?? "") - clock().getTime()) / 1000;
      await advance(wait);
      return wait;
    };
    expect(await failure({ value: new CapabilityError("UPSTREAM_ERROR", "The upstream is down.") })).toBe(300);
    expect(await shop.as(wallet).status(watcherId)).toMatchObject({
      ...{ status: "armed", failures: 1, lastError: "UPSTREAM_ERROR: The upstream is down.", lastValue: 1 },
    });
    expect(await failure({ isStale: true })).toBe(600);
    expect((await shop.as(wallet).status(watcherId)).lastError).toMatch(/outdated/);
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) waits.push(await failure({ value: new Error("secret detail") }));
    expect(waits).toEqual([1200, 2400, 4800, 9600, 19_200, 38_400, 76_800, DAY]);
    const failing = await shop.as(wallet).status(watcherId);
    expect(failing).toMatchObject({ status: "failing", failures: 10, firesUsed: 0 });
    expect(failing.lastError).not.toMatch(/secret/);
    expect(told()).toMatchObject([
      {
        type: "watcher.failing",
        data: { watcherId, failures: 10, lastError: failing.lastError, nextPoll: failing.nextPoll },
      },
    ]);
    await failure({ value: 1 });
    expect(await shop.as(wallet).status(watcherId)).toMatchObject({ status: "armed", failures: 0, lastError: null });
    await failure({ value: 3 });
    expect(told().slice(1)).toMatchObject([{ type: "watcher.fired", data: { previous: 1, current: 3 } }]);
  });

  /** As many armed watchers of test.figure as are asked for, made as rows: arming each would ask each time. */
  async function insert(count: number, params: string) {
    const now = clock().toISOString();
    await rows(`insert into @callbacks (id, wallet, url, origin, state, created_at)
      select 'wat_' || ${number} || '_' || n, 'many:' || (n % 25), '${to.url}/' || n, '${to.url}', 'active', '${now}' from generate_series(1, ${count}) n`);
    await rows(`insert into @watchers (id, wallet, callback, endpoint, params, every_seconds, condition, state, max_fires, max_polls,
        next_at, status, expires_at, created_at, question)
      select 'wat_' || ${number} || '_' || n, 'many:' || (n % 25), 'wat_' || ${number} || '_' || n, 'test.figure', ${params}, 600,
        '{"type":"above","path":"/items/0/value","threshold":10}', '{"value":1,"holds":false}', 1, 100,
        '${now}'::timestamptz + interval '600 seconds', 'armed', '${now}'::timestamptz + interval '1 day', '${now}', ${params} from generate_series(1, ${count}) n`);
  }
  const events = async () =>
    (await rows(`select count(*)::int as count from @events where source like 'wat_${number}_%'`)) as {
      count: number;
    }[];

  it("WAL-55 ask once an interval for all who ask the same, and tell each of them", async () => {
    shared = createResources();
    await insert(400, `'{"of":"same"}'`);
    figure.value = 11;
    await advance(600);
    expect(figure.asked).toEqual(["same"]);
    expect(await events()).toEqual([{ count: 400 }]);
    await rows(`update @watchers set status = 'cancelled', next_at = null where id like 'wat_${number}_%'`);
    await shared.close();
    shared = undefined;
  });

  it("WAL-55 ask an endpoint 30 times a minute at most, tell those who wait how late they are, and keep no other endpoint waiting", async () => {
    shared = createResources();
    await insert(50, `'{"of":"' || n || '"}'`);
    const other = await shop
      .as(wallet)
      .arm({ ...above, endpoint: "test.rate", callbackUrl: to.url, everySeconds: 600 });
    rate.value = 11;
    await advance(600);
    expect([figure.asked.length, new Set(figure.asked).size, rate.asked.length]).toEqual([30, 30, 2]);
    expect((await shop.as(wallet).status(other.watcherId)).status).toBe("completed");
    await shop.tick();
    expect(figure.asked.length).toBe(30);
    clock.advance(45);
    const late = await Promise.all(
      Array.from({ length: 25 }, (_, n) => shop.as(`many:${n}`).list({ status: "armed" })),
    );
    expect(late.flat().filter(({ lateBySeconds }) => lateBySeconds === 45).length).toBe(20);
    await advance(30);
    expect(new Set(figure.asked).size).toBe(50);
    await shared.close();
    shared = undefined;
  });

  it("WAL-56 watch nothing that works on a wallet, is made of others, has no fixed low price, is not there or not allowed", async () => {
    const plain = (id: string, more: object) =>
      defineCapability({
        ...{ id, summary: "s", price: "0.001", source: { provider: "t", url: "", license: "" } },
        ...{
          input: () => z.strictObject({}),
          output: one(() => z.object({})),
          example: {},
          run: async () => ({ item: {} }),
        },
        ...more,
      }) as AnyCapability;
    const refused = [
      storeKvGet,
      plain("test.dear", { price: "0.0101" }),
      plain("test.dynamic", { price: { min: "0.001", max: "0.002", quote: async () => 1000n } }),
      plain("test.upto", { billing: "upto" }),
      plain("test.composite", { composeQuote: async () => 1000n }),
      plain("test.old", { deprecated: true }),
      plain("test.keyed", { requires: ["NO_SUCH_KEY"] }),
      plain("test.forbidden", {}),
      plain("test.file", {
        output: { shape: "legacy", schema: () => z.object({}), finish: (raw: object) => raw },
      }),
    ];
    const picky = openWatchHost({
      ...{ clock, watched: [...refused, ...watched] },
      wallets: engine.options({ watch: { allow: ({ id }) => id !== "test.forbidden", minSeconds: 900 } }),
    });
    open.push(picky);
    for (const endpoint of [...refused.map(({ id }) => id), "test.unmounted", "watchers.arm"])
      expect([
        endpoint,
        await picky
          .as(wallet)
          .arm({ ...changed, endpoint, callbackUrl: to.url })
          .catch((error) => error),
      ]).toMatchObject([endpoint, { code: "INVALID_INPUT", issues: [{ path: "endpoint" }] }]);
    const fields = async (input: object) => {
      const error = await picky
        .as(wallet)
        .arm({ ...changed, callbackUrl: to.url, ...input })
        .catch((error) => error);
      return error.issues?.map(({ path }: { path: string }) => path);
    };
    expect(await fields({ everySeconds: 600 })).toEqual(["everySeconds"]);
    expect(await fields({ params: { of: 7 } })).toEqual(["params.of"]);
    expect(await fields({ conditionType: "above" })).toEqual(["threshold"]);
    expect(await fields({ threshold: 1 })).toEqual(["threshold"]);
    expect(await fields({ conditionType: "pct_up", threshold: 0 })).toEqual(["threshold"]);
    expect(await fields({ conditionType: "equals" })).toEqual(["value"]);
    expect(await fields({ itemKey: "/id" })).toEqual(["itemKey"]);
    expect(await fields({ path: "items" })).toEqual(["path"]);
    expect(await fields({ path: "/items/7" })).toEqual(["path"]);
    expect(await fields({ callbackUrl: "https://user:pw@example.com/" })).toEqual(["callbackUrl"]);
    expect(await fields({ everySeconds: 7200, expiresInSeconds: 3600 })).toEqual(["expiresInSeconds"]);
  });

  it("WAL-56 fail visibly where their endpoint is no longer mounted, and go on when it is", async () => {
    const { watcherId } = await shop.as(wallet).arm({ ...changed, callbackUrl: to.url, everySeconds: 600 });
    const without = openWatchHost({ wallets: engine.options(), clock, watched: [] });
    open.push(without);
    clock.advance(600);
    await without.tick();
    expect(await without.as(wallet).status(watcherId)).toMatchObject({
      ...{ failures: 1, lastError: expect.stringContaining("is not an endpoint of this service") },
    });
    figure.value = 2;
    await advance(1200);
    expect(told()).toMatchObject([{ type: "watcher.fired", data: { current: 2 } }]);
  });

  it("WAL-57 look no more often than was paid for, whatever restarts and jumps of the clock", async () => {
    const input = { ...changed, callbackUrl: to.url, everySeconds: 600, expiresInSeconds: 6000, maxFires: 1000 };
    const { watcherId } = await shop.as(wallet).arm(input);
    const begin = figure.asked.length;
    for (let i = 0; i < 40; i++) {
      const again = openWatchHost({ wallets: engine.options(), clock, watched });
      // Forth by days would end it: these jumps go forth and back within its time.
      clock.advance(i % 3 === 2 ? -900 : 700);
      if (engine.shared) await Promise.all([again.tick(), shop.tick(), again.tick()]);
      else await shop.tick();
      await again.close();
    }
    expect(figure.asked.length - begin).toBeLessThanOrEqual(10);
    expect(figure.asked.length - begin).toBeGreaterThan(5);
    await advance(6000);
    expect((await shop.as(wallet).status(watcherId)).status).toBe("expired");
    expect(told()).toEqual([]);
  });

  it("WAL-57 cost the documented price to the millionth, and WAL-13 nothing where the first poll fails", async () => {
    const store = openWalletShop({
      ...{ capabilities: [...WATCHING, ...watched], clock, outbound: { allowPrivate: true } },
      wallets: engine.options({ runner: false, httpCallbacks: true }),
    });
    open.push(store.handle);
    const input = { ...changed, callbackUrl: to.url };
    const priceOf = async (more: object) => {
      const body = (await (await store.post("watchers.arm", { ...input, ...more })).json()) as {
        accepts?: { amount: string }[];
      };
      return body.accepts?.[0]?.amount;
    };
    expect(await priceOf({})).toBe("124400");
    expect(await priceOf({ everySeconds: 300 })).toBe("1074800");
    expect(await priceOf({ everySeconds: 86_400 })).toBe("50000");
    expect(await priceOf({ everySeconds: 3600, expiresInSeconds: 360_000 })).toBe("50000");
    // A third of a poll more than a hundred is 40 millionths of a dollar, and a second more of time the next whole one.
    expect(await priceOf({ everySeconds: 3600, expiresInSeconds: 361_200 })).toBe("50040");
    expect(await priceOf({ everySeconds: 3600, expiresInSeconds: 361_201 })).toBe("50041");
    figure.value = new CapabilityError("UPSTREAM_ERROR", "The upstream is down.");
    const payment = await store.payFor("watchers.arm", input);
    expect((await store.pay("watchers.arm", input, payment)).status).toBe(502);
    expect(store.facilitator.settled.length).toBe(0);
    figure.value = 5;
    const armed = await store.pay("watchers.arm", input, payment);
    const body = (await armed.json()) as { data: { items: { baseline: number }[] }; meta: { costUsd: string } };
    expect([armed.status, body.meta.costUsd, body.data.items[0]?.baseline]).toEqual([200, "0.1244", 5]);
    const again = await store.pay("watchers.arm", input, payment);
    expect([(await again.json()) as object, store.facilitator.settled.length]).toMatchObject([{ data: body.data }, 1]);
    const asked = figure.asked.length;
    const wrong = await store.buy("watchers.arm", { ...input, path: "/items/3" });
    expect([wrong.status, figure.asked.length, store.facilitator.settled.length]).toEqual([400, asked + 1, 1]);
  });

  it("end with their owner's word, with their time and with its limit, and are gone a month later", async () => {
    const mine = { wallet, wallets: engine.options(), clock };
    const count = async () => (await storeUsage({}, mine)).items[0]?.watchers;
    const make = () => shop.as(wallet).arm({ ...changed, callbackUrl: to.url, expiresInSeconds: DAY });
    const { watcherId } = await make();
    await Promise.all(Array.from({ length: 49 }, make));
    await expect(make()).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    expect(await shop.as(wallet).cancel(watcherId)).toEqual({ watcherId, status: "cancelled" });
    expect(await shop.as(wallet).cancel(watcherId)).toEqual({ watcherId, status: "cancelled" });
    for (const ask of ["status", "cancel"] as const)
      await expect(shop.as("stranger")[ask](watcherId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect([await count(), (await shop.as(wallet).list({ status: "cancelled" })).length]).toEqual([49, 1]);
    await make();
    await advance(DAY);
    expect([await count(), (await shop.as(wallet).list({ status: "expired", limit: 100 })).length]).toEqual([0, 50]);
    await advance(30 * DAY);
    expect(await shop.as(wallet).list()).toEqual([]);
  });
});
