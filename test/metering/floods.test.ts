/** Callers who pay nothing are bounded by their address and its network, and buyers are served beside them. */
import { describe, expect, it } from "vitest";
import type { FloodOptions } from "../../src/metering/flood-options.js";
import { createFloods } from "../../src/metering/floods.js";
import { openShop } from "../support/shop.js";

const WORK = "/test/work?n=1";
const V4 = "203.0.113.7";

function open(options: FloodOptions = {}) {
  let [ms, lag] = [0, 0];
  const floods = createFloods(options, { lagMs: () => lag, now: () => ms });
  /** How many of so many calls are admitted. */
  const ask = (
    address: string | undefined,
    count: number,
    claimsToPay = false,
    outcome: "challenged" | "trial" | "paid" | "refused" = "challenged",
  ) => {
    let admitted = 0;
    for (let i = 0; i < count; i++)
      try {
        floods.admit(address, claimsToPay)(outcome, false);
        admitted += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: "RATE_LIMITED" });
      }
    return admitted;
  };
  const pass = (seconds: number) => {
    ms += seconds * 1000;
  };
  const late = (by: number) => {
    lag = by;
  };
  return { ask, pass, late, floods };
}

describe("a bucket", () => {
  it("is emptied by quotes and filled by time, for each address", () => {
    const { ask, pass } = open({ perSecond: 2, burst: 10 });
    expect([ask(V4, 50), ask("203.0.113.8", 50)]).toEqual([10, 10]);
    pass(3);
    expect(ask(V4, 50)).toBe(6);
    pass(3600);
    expect(ask(V4, 50)).toBe(10);
  });

  it("is emptied sooner by what costs more, and not at all by what is paid", () => {
    const { ask } = open({ perSecond: 1, burst: 12 });
    expect([ask(V4, 50, false, "trial"), ask("198.51.100.1", 500, true, "paid")]).toEqual([2, 500]);
    expect(ask("198.51.100.1", 50)).toBe(12);
  });

  it("is one for all of an IPv6 /64, however its addresses are written, and for a mapped IPv4 address", () => {
    const { ask } = open({ perSecond: 1, burst: 10 });
    expect(ask("2001:db8:1:2::1", 9)).toBe(9);
    expect(ask("2001:0db8:0001:0002:ffff:1:2:3", 5)).toBe(1);
    expect(ask("2001:DB8:1:2::9%eth0", 5)).toBe(0);
    expect([ask(V4, 9), ask(`::ffff:${V4}`, 5)]).toEqual([9, 1]);
  });

  it("is shared by a network, so that many addresses of it are no way around", () => {
    const { ask } = open({ perSecond: 1, burst: 10 });
    let [v6, v4] = [0, 0];
    for (let i = 0; i < 200; i++) v6 += ask(`2001:db8:5:${i.toString(16)}::1`, 10);
    for (let i = 0; i < 200; i++) v4 += ask(`198.51.100.${i}`, 10);
    expect([v6, v4]).toEqual([80, 80]);
    expect(ask("2001:db8:6::1", 10)).toBe(10);
  });

  it("lets claims to pay go on for as much again, and no longer", () => {
    const { ask } = open({ perSecond: 1, burst: 20 });
    expect(ask(V4, 50)).toBe(20);
    expect(ask(V4, 50, true, "paid")).toBe(50);
    expect(ask(V4, 50, true, "refused")).toBe(5);
    expect(ask(V4, 50, true, "paid")).toBe(0);
  });

  it("of concurrent calls is counted as they begin", () => {
    const { floods } = open({ perSecond: 1, burst: 10 });
    const ends = Array.from({ length: 10 }, () => floods.admit(V4, false));
    expect(() => floods.admit(V4, false)).toThrow("pay nothing");
    for (const end of ends) end("paid", false);
    expect(() => floods.admit(V4, false)).not.toThrow();
  });
});

it("memory is bounded: a flood of addresses shares one bucket, and forgets nobody who is busy", () => {
  const { ask, pass } = open({ perSecond: 1, burst: 10, maxTracked: 100 });
  expect(ask("9.9.9.9", 20)).toBe(10);
  let admitted = 0;
  for (let i = 0; i < 5000; i++) admitted += ask(`${11 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.1`, 10);
  expect(admitted).toBeLessThanOrEqual(100 * 10 + 80);
  expect(ask("9.9.9.9", 5)).toBe(0);
  pass(60);
  expect(ask("77.77.77.77", 5)).toBe(5);
});

it("a process that is late serves those first who asked for little", () => {
  const { ask, late } = open({ perSecond: 1, burst: 20 });
  expect(ask(V4, 12)).toBe(12);
  late(400);
  expect([ask(V4, 5), ask("198.51.100.1", 5), ask(V4, 5, true, "paid")]).toEqual([0, 5, 5]);
  late(100);
  expect(ask(V4, 5)).toBe(5);
});

describe("a host with floods", () => {
  it("refuses an address that asks and asks, tells when to come back, and sells to others and to whoever pays", async () => {
    const shop = openShop({ floods: { perSecond: 1, burst: 20 }, trial: false });
    const payment = await shop.payFor(WORK);
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await shop.get(WORK)).status);
    expect(statuses.filter((status) => status === 402).length).toBeLessThan(12);
    const refused = await shop.get(WORK);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect((await shop.get(WORK, {}, "198.51.100.20")).status).toBe(402);
    await shop.handle.close();
  });

  it("counts made-up payments as what they are", async () => {
    const shop = openShop({ floods: { perSecond: 1, burst: 20 }, trial: false });
    const statuses: number[] = [];
    for (let i = 0; i < 60; i++) statuses.push((await shop.pay(WORK, "bm90aGluZw==")).status);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status !== 429).length).toBeLessThan(25);
    await shop.handle.close();
  });

  it("bounds nobody without an address, and nothing while it is off", async () => {
    const shop = openShop({ floods: { perSecond: 1, burst: 10 }, trial: false });
    const off = openShop({ trial: false });
    for (let i = 0; i < 30; i++) {
      const answer = await shop.handle(new Request(`http://shop.test/api${WORK}`));
      expect([answer.status, (await off.get(WORK)).status]).toEqual([402, 402]);
    }
  });
});
