/** What becomes of a callback whose receiver is slow, away, gone, somewhere else or somebody else. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Answer, openReceiver, type Receiver } from "../support/callback-receiver.js";
import { fakeClock } from "../support/clock.js";
import { scriptedLookup } from "../support/outbound.js";
import { byLibrary, openScheduler, type Scheduler } from "../support/wallet-scheduler.js";
import { onBothEngines } from "../support/wallets-engine.js";

const HOUR = 3600;
const PLANNED = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];

onBothEngines("callbacks", (engine) => {
  const open: { close(): Promise<unknown> }[] = [];
  const clock = fakeClock();
  let to: Receiver;
  const receiver = async (...script: Parameters<typeof openReceiver>): Promise<Receiver> => {
    const opened = await openReceiver(...script);
    open.push(opened);
    return opened;
  };
  const host = (options: Partial<Parameters<typeof openScheduler>[0]> = {}): Scheduler => {
    const opened = openScheduler({ wallets: engine.options({ runner: false }), clock, ...options });
    open.push(opened);
    return opened;
  };
  const numbers = () => to.calls.map(({ body }) => JSON.parse(body).data.fireNumber as number);
  const advance = async (shop: Scheduler, seconds: number) => {
    clock.advance(seconds);
    await shop.tick();
  };
  const answering =
    (status: number, headers: Record<string, string> = {}): Answer =>
    (_, response) =>
      void response.writeHead(status, headers).end();

  beforeEach(async () => {
    clock.advance(365 * 24 * HOUR);
    to = await receiver();
  });
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
  });

  it("WAL-48 are tried again at the listed times, then dead and in sight, and sent once more on demand", async () => {
    const shop = host();
    const { scheduleId } = await shop.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 2 });
    await advance(shop, 60);
    to.turn(answering(500));
    await advance(shop, 60);
    for (const planned of PLANNED) {
      const [waiting] = (await shop.status(scheduleId)).undelivered;
      const wait = (Date.parse(waiting?.nextAttemptAt ?? "") - clock().getTime()) / 1000;
      expect(Math.abs(wait - planned)).toBeLessThanOrEqual(planned * 0.1);
      await advance(shop, wait - 1);
      const before = to.calls.length;
      await advance(shop, 1);
      expect(to.calls.length).toBe(before + 1);
    }
    const [dead] = (await shop.status(scheduleId)).undelivered;
    expect(dead).toMatchObject({ state: "dead", attempts: 10, lastStatus: 500, body: { data: { fireNumber: 2 } } });
    expect(new Set(to.calls.slice(1).map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([dead?.messageId]));
    expect(new Set(to.calls.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(11);
    await advance(shop, 48 * HOUR);
    to.turn(answering(200));
    const { length } = to.calls;
    expect(await shop.redeliver(scheduleId, dead?.messageId ?? "")).toMatchObject({ queued: true });
    await shop.tick();
    await advance(shop, 48 * HOUR);
    expect(to.calls.length).toBe(length + 1);
    expect((await shop.status(scheduleId)).undelivered).toEqual([]);
  });

  it("WAL-48 wait behind the oldest while a receiver is down, and all arrive when it is back", async () => {
    const shop = host();
    const { scheduleId } = await shop.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 40 });
    await advance(shop, 60);
    to.turn(answering(503));
    for (let i = 0; i < 30; i++) await advance(shop, 60);
    expect(to.calls.length).toBeLessThan(9);
    const { length } = to.calls;
    to.turn(answering(204));
    for (let i = 0; i < 40; i++) await advance(shop, 60);
    const late = numbers().slice(length);
    expect(late.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 39 }, (_, i) => i + 2));
    // Four at once may overtake one another.
    for (const [at, number] of late.entries()) expect(Math.abs(number - 2 - at)).toBeLessThan(4);
    expect(await shop.status(scheduleId)).toMatchObject({ status: "completed", undelivered: [] });
  });

  it("WAL-49 reach a URL that never says yes nine times in all", async () => {
    to.turn(answering(404));
    const shop = host();
    const { scheduleId } = await shop.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 1000 });
    for (let i = 0; i < 60; i++) await advance(shop, 60);
    expect(to.calls.length).toBe(9);
    expect(await shop.status(scheduleId)).toMatchObject({ status: "disabled", reason: "the receiver keeps failing" });
  });

  it("WAL-46 follow no redirect, end at 410, and wait as long as a receiver asks", async () => {
    const shop = host();
    const next = async (status: number, headers: Record<string, string> = {}) => {
      const asked = await receiver(answering(status, headers));
      const { scheduleId } = await shop.create({ callbackUrl: asked.url, everySeconds: HOUR });
      await advance(shop, HOUR);
      expect(asked.calls.length).toBe(1);
      const found = await shop.status(scheduleId);
      const [waiting] = found.undelivered;
      await shop.cancel(scheduleId);
      const wait = waiting?.nextAttemptAt ? (Date.parse(waiting.nextAttemptAt) - clock().getTime()) / 1000 : null;
      return { status: found.status, wait: wait === null ? null : Math.round(wait), told: waiting?.lastStatus };
    };
    expect(await next(302, { location: to.url })).toMatchObject({ told: 302 });
    expect(to.calls).toEqual([]);
    expect(await next(410)).toEqual({ status: "disabled", wait: null, told: 410 });
    expect(await next(429, { "retry-after": "120" })).toMatchObject({ wait: 120 });
    const date = new Date(clock().getTime() + (HOUR + 600) * 1000).toUTCString();
    // A date has whole seconds.
    expect([599, 600]).toContain((await next(503, { "retry-after": date })).wait);
    expect(await next(503, { "retry-after": "999999999" })).toMatchObject({ wait: 86_400 });
    expect((await next(503, { "retry-after": "-7" })).wait).toBeLessThan(7);
    expect((await next(500, { "retry-after": "120" })).wait).toBeLessThan(7);
    const endless = await receiver((_, response) => void response.writeHead(200).write("and so on"));
    const { scheduleId } = await shop.create({ callbackUrl: endless.url, everySeconds: 60, maxFires: 1 });
    await advance(shop, 60);
    expect((await shop.status(scheduleId)).recentDeliveries).toMatchObject([{ state: "delivered", lastStatus: 200 }]);
  });

  it("WAL-45 go to no address that became private since, and WAL-53 say the same of whatever cannot be reached", async () => {
    const { lookup, asked } = scriptedLookup({ "rebind.example": [["93.184.215.14"], ["127.0.0.1"]] });
    const guarded = host({ outbound: { lookup } });
    const made = await guarded.create({ callbackUrl: "https://rebind.example/", everySeconds: 60 });
    await advance(guarded, 60);
    expect(asked.length).toBe(2);
    expect((await guarded.status(made.scheduleId)).undelivered).toMatchObject([
      { lastOutcome: "not allowed", lastStatus: null },
    ]);
    await guarded.cancel(made.scheduleId);
    const shop = host();
    const closed = await receiver();
    await closed.close();
    const cut = await receiver((_, response) => void response.destroy());
    for (const callbackUrl of [closed.url, cut.url, to.url.replace("http:", "https:")]) {
      const { scheduleId } = await shop.create({ callbackUrl, everySeconds: 60, maxFires: 1 });
      await advance(shop, 60);
      const [waiting] = (await shop.status(scheduleId)).undelivered;
      expect([waiting?.lastOutcome, waiting?.lastStatus]).toEqual(["unreachable", null]);
    }
  });

  it("WAL-47 are sent again under the same id where their sender vanished, whose late word counts for nothing", async () => {
    const [vanished, other] = [host(), host()];
    let answerLate = () => {};
    to.turn((_, response) => {
      answerLate = () => void response.writeHead(500).end();
    });
    const { scheduleId } = await vanished.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 1 });
    clock.advance(60);
    const lost = vanished.tick();
    await expect.poll(() => to.calls.length, { timeout: 20_000 }).toBe(1);
    await other.tick();
    expect(to.calls.length).toBe(1);
    to.turn(answering(204));
    await advance(other, 46);
    answerLate();
    await lost;
    const ids = to.calls.map(({ headers }) => [headers["webhook-id"], headers["x-acme-attempt"]]);
    expect(ids).toEqual([
      [ids[0]?.[0], "1"],
      [ids[0]?.[0], "2"],
    ]);
    const [told] = (await vanished.status(scheduleId)).recentDeliveries;
    expect(told).toMatchObject({ state: "delivered", attempts: 2, lastStatus: 204 });
  });

  it("WAL-43 are signed with a new secret and, for a day, with the former one", async () => {
    const shop = host();
    const made = await shop.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 1000 });
    const { secret, previousValidUntil } = await shop.rotate(made.scheduleId);
    expect(secret).not.toBe(made.secret);
    expect(Date.parse(previousValidUntil)).toBe(clock().getTime() + 24 * HOUR * 1000);
    await expect(shop.rotate(made.scheduleId)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: "id" }],
    });
    await advance(shop, 60);
    await advance(shop, 24 * HOUR);
    const verified = to.calls.map((call) => [secret, made.secret].map((one) => byLibrary(one, call)));
    expect(verified).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(byLibrary(secret, to.calls[1], 301)).toBe(false);
    const response = await shop.handle(new Request("http://shop.test/api/webhooks/keys"));
    expect(await response.json()).toMatchObject({ keys: [{ publicKey: made.publicKey }] });
  });

  it("WAL-42 of one wallet do not make another's wait", async () => {
    const [many, one] = [host(), host()];
    await Promise.all(
      Array.from({ length: 30 }, () => many.create({ callbackUrl: to.url, everySeconds: 60, maxFires: 1 })),
    );
    const elsewhere = await receiver((call, response) => {
      to.calls.push(call);
      response.writeHead(204).end();
    });
    await one.create({ callbackUrl: `${elsewhere.url}/one`, everySeconds: 60, maxFires: 1 });
    await advance(many, 60);
    expect(to.calls.length).toBe(31);
    expect(to.calls.findIndex(({ path }) => path === "/one")).toBeLessThan(9);
  });
});
