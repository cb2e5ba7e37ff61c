import { describe, expect, it } from "vitest";
import type { AccountLimits } from "../../src/payment/options/accounts.js";
import { bodyOf } from "../support/body.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";
const OTHER = "/test/other?n=1";

async function open(limits: AccountLimits, { ofKey, ...options }: ShopOptions & { ofKey?: AccountLimits } = {}) {
  const shop = openShop({ accounts: { keys: true }, trial: false, ...options });
  const { accounts } = shop.handle;
  await accounts.topUp("ada", "1", { reference: "pay_1" });
  await accounts.setLimits("ada", limits);
  const { key } = await accounts.createKey("ada", ofKey ? { limits: ofKey } : {});
  const call = (path = WORK, headers: Record<string, string> = {}) =>
    shop.get(path, { authorization: `Bearer ${key}`, ...headers });
  const statuses = async (times: number, path = WORK) => {
    const found: number[] = [];
    for (let i = 0; i < times; i++) found.push((await call(path)).status);
    return found;
  };
  const left = async () => (await accounts.balance("ada")).availableUsd;
  return { ...shop, accounts, call, statuses, left };
}

describe("a call from a free allowance", () => {
  it("says that it cost nothing, in its facts and to the host, and the next one what it cost", async () => {
    const { call, events, left } = await open({ freePerMonth: { calls: 1 } });
    expect((await bodyOf(await call())).meta).toMatchObject({ caller: "account", costUsd: "0", quotedUsd: "0.001" });
    expect((await bodyOf(await call())).meta).toMatchObject({ costUsd: "0.001" });
    expect(events).toMatchObject([{ chargedUsd: "0" }, { chargedUsd: "0.001" }]);
    expect(await left()).toBe("0.999");
  });

  it("that pays a part of the price says the rest", async () => {
    const { call, left } = await open({ freePerMonth: { usd: "0.0004" } });
    expect((await bodyOf(await call())).meta).toMatchObject({ costUsd: "0.0006" });
    expect(await left()).toBe("0.9994");
  });
});

describe("the pace of an account", () => {
  it("is calls within any sixty seconds, told by the headers of the IETF's draft", async () => {
    const { call, statuses, clock, left } = await open({ perMinute: 2 });
    const first = await call();
    expect(first.headers.get("ratelimit-policy")).toBe('"account";q=2;w=60');
    expect(first.headers.get("ratelimit")).toBe('"account";r=1;t=60');
    clock.advance(30);
    expect(await statuses(1)).toEqual([200]);
    const refused = await call();
    expect(refused.status).toBe(429);
    expect(await bodyOf(refused)).toMatchObject({ code: "RATE_LIMITED" });
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(refused.headers.get("ratelimit")).toBe('"account";r=0;t=30');
    clock.advance(29);
    expect(await statuses(1)).toEqual([429]);
    clock.advance(1);
    expect(await statuses(2)).toEqual([200, 429]);
    expect(await left()).toBe("0.997");
  });

  it("of a fast one is never exceeded, although only seconds are counted", async () => {
    const { statuses, clock } = await open({ perMinute: 100 });
    expect((await statuses(101)).filter((status) => status === 200)).toHaveLength(100);
    clock.advance(59);
    expect(await statuses(1)).toEqual([429]);
    clock.advance(2);
    expect(await statuses(1)).toEqual([200]);
  });

  it("of a key counts beside that of its account", async () => {
    const { call, statuses } = await open({ perMinute: 10 }, { ofKey: { perMinute: 1 } });
    expect((await call()).headers.get("ratelimit")).toBe('"key";r=0;t=60, "account";r=9;t=60');
    expect(await statuses(1)).toEqual([429]);
  });
});

describe("the spending of an account", () => {
  it.each([
    ["usdPerHour", 3600],
    ["usdPerDay", 86_400],
    ["usdPerMonth", 31 * 86_400],
  ] as const)("is limited by %s, and begins anew", async (limit, seconds) => {
    const { call, statuses, clock } = await open({ [limit]: "0.002" });
    expect(await statuses(2)).toEqual([200, 200]);
    const refused = await call();
    expect(refused.status).toBe(402);
    const body = await bodyOf(refused);
    expect(body).toMatchObject({ code: "ACCOUNT_LIMIT", accepts: [{ scheme: "exact" }] });
    expect(body.detail).toContain("0 USD are left");
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(seconds);
    clock.advance(Number(refused.headers.get("retry-after")));
    expect(await statuses(1)).toEqual([200]);
  });

  it("counts what was used, not what was held, and nothing of a failed call", async () => {
    const { call, statuses, behaviours } = await open({ usdPerDay: "0.001" });
    behaviours.push(failing());
    expect((await call()).status).toBe(502);
    expect(await statuses(2)).toEqual([200, 402]);
  });

  it("stays counted while the clocks of two instances are apart at the turn of an hour", async () => {
    const { statuses, clock } = await open({ usdPerHour: "0.002" });
    clock.advance(3600 - 1);
    clock.advance(2);
    expect(await statuses(1)).toEqual([200]);
    clock.advance(-2);
    expect(await statuses(1)).toEqual([200]);
    clock.advance(2);
    expect(await statuses(1)).toEqual([402]);
    // A clock that was set back by days counts on, and does not begin anew.
    clock.advance(-3 * 86_400);
    expect(await statuses(1)).toEqual([402]);
  });
});

describe("what an account may call", () => {
  it("is limited to its endpoints, for a key and for the parts of a batch as well", async () => {
    const { statuses, call } = await open({}, { ofKey: { endpoints: ["test.other"] } });
    expect(await statuses(1, OTHER)).toEqual([200]);
    const refused = await call(WORK);
    expect(refused.status).toBe(402);
    expect(await bodyOf(refused)).toMatchObject({ code: "ACCOUNT_LIMIT" });
  });

  it("must be mounted", async () => {
    const { accounts } = await open({});
    await expect(accounts.setLimits("ada", { endpoints: ["no.such"] })).rejects.toThrow('"no.such"');
    await expect(accounts.setLimits("ada", { perMinute: 0 })).rejects.toThrow("limits.perMinute");
  });
});

describe("the free allowance of a month", () => {
  it("in calls is of each endpoint, and back with the next month", async () => {
    const { statuses, left, clock, accounts } = await open({ freePerMonth: { calls: 2 } });
    await statuses(3);
    expect(await left()).toBe("0.999");
    await statuses(1, OTHER);
    expect(await left()).toBe("0.999");
    clock.advance(31 * 86_400);
    await statuses(2);
    expect(await left()).toBe("0.999");
    const [, free] = await accounts.entries("ada");
    expect(free).toMatchObject({ kind: "sale", usd: "0", freeUsd: "0.001" });
  });

  it("in dollars pays a part of a price, and is given back by a failed call", async () => {
    const { statuses, left, call, behaviours } = await open({ freePerMonth: { usd: "0.0015" } });
    behaviours.push(failing());
    await call();
    await statuses(2);
    expect(await left()).toBe("0.9995");
  });
});
