/** Calls at times to come, over a real receiver: when they leave, how often, and who can verify them. */
import { EventEmitter, once } from "node:events";
import { Cron } from "croner";
import pg from "pg";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import * as schedule from "../../src/capabilities/schedule/index.js";
import * as webhooks from "../../src/capabilities/webhooks/index.js";
import { createResources } from "../../src/lib/resources.js";
import { openWallets } from "../../src/state/database/open.js";
import { openReceiver, type Receiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { openScheduler, type Scheduler } from "../support/wallet-scheduler.js";
import { openWalletShop } from "../support/wallet-shop.js";
import { onBothEngines } from "../support/wallets-engine.js";

const DAY = 86_400;

onBothEngines("schedules", (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  const receiver = async (...script: Parameters<typeof openReceiver>): Promise<Receiver> => {
    const opened = await openReceiver(...script);
    open.push(opened);
    return opened;
  };
  let clock = fakeClock();
  const host = (options: Partial<Parameters<typeof openScheduler>[0]> = {}): Scheduler => {
    const opened = openScheduler({ wallets: engine.options({ runner: false }), clock, ...options });
    open.push(opened);
    return opened;
  };
  /** A change of a wallet's state that lasts until it is told to end. */
  const holding = async (wallet: string) => {
    const database = await openWallets({ wallets: engine.options(), resources: createResources() });
    const events = new EventEmitter();
    const held = once(events, "held");
    const change = database.transaction(async (tx) => {
      await tx.query("select from @wallets where wallet = $1 for update", [wallet]);
      events.emit("held");
      await once(events, "end");
    });
    await held;
    return {
      async end() {
        events.emit("end");
        await change;
      },
    };
  };
  beforeAll(() => {
    clock = fakeClock();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    clock.advance(100 * DAY);
  });

  it("WAL-43 call their URL with a body that the stock library and the public key alone both verify", async () => {
    const to = await receiver();
    const shop = host();
    const made = await shop.create({
      callbackUrl: to.url,
      everySeconds: 60,
      payload: { a: 1 },
      label: "l",
      maxFires: 2,
    });
    expect(made).toMatchObject({ status: "active", firesRemaining: 2, secret: expect.stringMatching(/^whsec_/) });
    await shop.tick();
    expect(to.calls).toEqual([]);
    for (const _ of [1, 2, 3]) {
      clock.advance(60);
      await shop.tick();
    }
    expect(to.calls.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: "schedule.fired",
        data: { scheduleId: made.scheduleId, fireNumber: 1, missed: 0, payload: { a: 1 }, label: "l" },
      },
      { data: { fireNumber: 2 } },
    ]);
    for (const call of to.calls) {
      expect(call.headers["user-agent"]).toMatch(/^Acme-Webhooks/);
      expect(call.headers["x-acme-attempt"]).toBe("1");
    }
    const { verified } = await shop.verify(made, to.calls[0]);
    expect(verified).toEqual({
      library: true,
      publicKey: true,
      changedBody: false,
      changedId: false,
      changedTime: false,
    });
    expect(await shop.status(made.scheduleId)).toMatchObject({
      status: "completed",
      nextFire: null,
      firesRemaining: 0,
      undelivered: [],
    });
  });

  it("WAL-38 fire each due time once, whatever number of instances look", async () => {
    const to = await receiver();
    const shops = [
      host({ wallets: engine.options({ runner: false }) }),
      host({ wallets: engine.options({ runner: false }) }),
    ];
    const [first] = shops;
    const made = await first?.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 5 });
    for (let i = 0; i < 7; i++) {
      clock.advance(60);
      await Promise.all(shops.flatMap((shop) => [shop.tick(), shop.tick()]));
    }
    expect(to.calls.map(({ body }) => JSON.parse(body).data.fireNumber)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(to.calls.map(({ headers }) => headers["webhook-id"])).size).toBe(5);
    expect((await first?.status(made?.scheduleId ?? ""))?.status).toBe("completed");
  });

  it("WAL-39 make one call after a downtime for all that was missed, or none, and go on in step", async () => {
    const to = await receiver();
    const shop = host();
    const minutely = await shop.create({ callbackUrl: `${to.url}/once`, everySeconds: 60 });
    await shop.create({ callbackUrl: `${to.url}/none`, everySeconds: 3600, catchUp: "none" });
    const at = new Date(clock().getTime() + 60_000).toISOString();
    await shop.create({ callbackUrl: `${to.url}/at`, at });
    await shop.create({ callbackUrl: `${to.url}/closed`, at, expiresInSeconds: 3600 });
    clock.advance(DAY + 1800);
    await shop.tick();
    const told = (path: string) =>
      to.calls.filter((call) => call.path === path).map(({ body }) => JSON.parse(body).data);
    expect(told("/once")).toMatchObject([{ fireNumber: 1, missed: 1440 + 29 }]);
    expect([told("/none").length, told("/closed").length, told("/at").length]).toEqual([0, 0, 1]);
    expect((await shop.status(minutely.scheduleId)).nextFire).toBe(new Date(clock().getTime() + 60_000).toISOString());
    clock.advance(1800);
    await shop.tick();
    expect(told("/none")).toMatchObject([{ fireNumber: 1, missed: 0 }]);
  });

  it("WAL-39 ask cron a few times for each schedule, however long nobody called", async () => {
    const to = await receiver();
    const shop = host();
    for (let i = 0; i < 20; i++)
      await shop.create({ callbackUrl: to.url, cron: "* * * * *", timeZone: "Europe/Berlin" });
    clock.advance(2 * DAY);
    const next = vi.spyOn(Cron.prototype, "nextRun");
    const before = vi.spyOn(Cron.prototype, "previousRuns");
    await shop.tick();
    // The last time is found by halving the distance: a dozen questions, and not one for each of 2,880 minutes.
    expect(next.mock.calls.length + before.mock.calls.length).toBeLessThanOrEqual(20 * 20);
    vi.restoreAllMocks();
    const told = to.calls.map(({ body }) => JSON.parse(body).data);
    expect(told.map(({ missed }) => missed)).toEqual(Array(20).fill(2 * 1440 - 1));
    expect(new Set(told.map(({ dueAt }) => dueAt))).toEqual(
      new Set([new Date(Math.floor(clock().getTime() / 60_000) * 60_000).toISOString()]),
    );
  });

  it.runIf(engine.shared)("RES-1 have their next times computed while nobody waits for their rows", async () => {
    const to = await receiver();
    const shop = host();
    for (let i = 0; i < 3; i++) await shop.create({ callbackUrl: to.url, cron: "*/5 * * * *", timeZone: "Asia/Tokyo" });
    clock.advance(DAY);
    const computed = vi.spyOn(Cron.prototype, "nextRun");
    const asked = vi.spyOn(pg.Client.prototype, "query");
    await shop.tick();
    const textOf = (statement: unknown) => (statement as { text?: string }).text ?? String(statement);
    const ordersOf = (statement: RegExp) =>
      asked.mock.calls.flatMap(([one], i) =>
        statement.test(textOf(one)) ? (asked.mock.invocationCallOrder[i] ?? 0) : [],
      );
    const [locked, written] = [ordersOf(/catch_up .* for update/s), ordersOf(/schedules s set fires/)];
    expect([to.calls.length, locked.length > 0, written.length]).toEqual([3, true, locked.length]);
    const inBetween = locked.flatMap((from, i) =>
      computed.mock.invocationCallOrder.filter((order) => order > from && order < (written[i] ?? 0)),
    );
    expect([inBetween, computed.mock.calls.length > 0]).toEqual([[], true]);
    vi.restoreAllMocks();
  });

  it("WAL-39 catch nothing up where that is asked for, also those quicker than a late call", async () => {
    const to = await receiver();
    const shop = host();
    const none = { callbackUrl: to.url, everySeconds: 60, catchUp: "none" as const };
    const { scheduleId } = await shop.create(none);
    clock.advance(3600 + 45);
    await shop.tick();
    expect([to.calls.length, (await shop.status(scheduleId)).missed]).toEqual([0, 60]);
    clock.advance(16);
    await shop.tick();
    expect(to.calls.map(({ body }) => JSON.parse(body).data)).toMatchObject([{ fireNumber: 1, missed: 0 }]);
  });

  it.runIf(engine.shared)("WAL-38 fire in the same round for a wallet that is at work when it begins", async () => {
    const to = await receiver();
    const shop = host();
    await shop.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 1 });
    clock.advance(60);
    const change = await holding(shop.wallet);
    const asked = vi.spyOn(pg.Client.prototype, "query");
    const round = shop.tick();
    const textOf = (statement: unknown) => (statement as { text?: string }).text ?? String(statement);
    const looks = () => asked.mock.calls.filter(([one]) => /_wallets\.wallets .* skip locked/s.test(textOf(one)));
    await expect.poll(() => looks().length).toBeGreaterThan(1);
    expect(to.calls).toEqual([]);
    await change.end();
    await round;
    vi.restoreAllMocks();
    expect(to.calls).toHaveLength(1);
  });

  it.runIf(engine.shared)("WAL-38 fire for others while a wallet with many due is always at work", async () => {
    const to = await receiver();
    const [hog, other] = [host(), host()];
    for (let i = 0; i < 21; i++) await hog.create({ callbackUrl: `${to.url}/hog`, everySeconds: 60, maxFires: 1 });
    await other.create({ callbackUrl: to.url, everySeconds: 61, maxFires: 1 });
    clock.advance(61);
    const change = await holding(hog.wallet);
    await other.tick();
    expect(to.calls.map(({ path }) => path)).toEqual(["/"]);
    await change.end();
    await other.tick();
    expect(to.calls).toHaveLength(22);
  });

  it("WAL-41 end by number, by window or by their owner, whichever comes first", async () => {
    const to = await receiver();
    const shop = host();
    const short = await shop.create({ callbackUrl: to.url, everySeconds: 60, expiresInSeconds: 150 });
    const ended = await shop.create({ callbackUrl: `${to.url}/ended`, everySeconds: 60 });
    clock.advance(60);
    await shop.tick();
    expect(await shop.cancel(ended.scheduleId)).toEqual({ scheduleId: ended.scheduleId, cancelled: true });
    expect(await shop.cancel(ended.scheduleId)).toMatchObject({ cancelled: false });
    for (let i = 0; i < 4; i++) {
      clock.advance(60);
      await shop.tick();
    }
    expect(to.calls.map(({ path }) => path).sort()).toEqual(["/", "/", "/ended"]);
    expect((await shop.status(short.scheduleId)).status).toBe("expired");
    const listed = await shop.handle.call("schedule.list", { status: "cancelled" }, { wallet: shop.wallet });
    expect(listed.items.map(({ scheduleId }) => scheduleId)).toEqual([ended.scheduleId]);
    await expect(
      shop.handle.call("schedule.status", { scheduleId: ended.scheduleId }, { wallet: "stranger" }),
    ).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("WAL-44 refuse a URL that may not be reached, before any money and without a socket", async () => {
    const shop = host({ outbound: { lookup: async () => [{ address: "10.0.0.7", family: 4 }] } });
    for (const callbackUrl of [
      "http://example.com/",
      "https://127.0.0.1/",
      "https://[::1]/",
      "https://169.254.169.254/latest/meta-data",
      "https://localhost/",
      "https://user:pw@example.com/",
      "https://example.com:8443/",
      "https://private.example.com/",
    ])
      await expect([callbackUrl, await shop.create({ callbackUrl, everySeconds: 60 }).catch((error) => error)]).toEqual(
        [
          callbackUrl,
          expect.objectContaining({
            code: "URL_NOT_ALLOWED",
            issues: [expect.objectContaining({ path: "callbackUrl" })],
          }),
        ],
      );
  });

  it("refuse what never comes, what is no cron and one schedule too many", async () => {
    const to = await receiver();
    const shop = host();
    const refused = (input: object) => shop.create({ callbackUrl: to.url, ...input }).catch((error) => error);
    expect(await refused({ cron: "0 0 30 2 *" })).toMatchObject({ issues: [{ path: "cron" }] });
    expect(await refused({ everySeconds: 3600, expiresInSeconds: 60 })).toMatchObject({
      issues: [{ path: "everySeconds" }],
    });
    expect(await refused({})).toMatchObject({ issues: [{ path: "at" }] });
    expect(await refused({ cron: "* * * * *", timeZone: "+02:00" })).toMatchObject({ issues: [{ path: "timeZone" }] });
    await Promise.all(Array.from({ length: 100 }, () => shop.create({ callbackUrl: to.url, everySeconds: 3600 })));
    expect(await refused({ everySeconds: 60 })).toMatchObject({ code: "QUOTA_EXCEEDED" });
  });

  it("are tried on sample data, and nothing of it is kept or sent", async () => {
    const shop = openWalletShop({
      capabilities: [...Object.values(schedule), ...Object.values(webhooks)],
      wallets: engine.options({ runner: false }),
      clock,
    });
    open.push(shop.handle);
    clock.advance(100 * DAY);
    // What earlier tests left is over by now, and cleared away round by round.
    for (let round = 0; round < 20 && (await shop.handle.tick()) > 0; round++);
    for (const { id, example } of [...Object.values(schedule), ...Object.values(webhooks)])
      expect([id, (await shop.post(id, example, { "x-svc-trial": "1" })).status]).toEqual([id, 200]);
    clock.advance(2 * DAY);
    expect(await shop.handle.tick()).toBe(0);
  });
});
