/** Grants: money and calls for some endpoints, or for a time, beside the plain balance. */
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { parseAccountRecord } from "../../src/payment/accounts/record/record.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { failingAt } from "../support/mortal-store.js";
import { failing, openShop, type ShopOptions } from "../support/shop.js";

const WORK = "/test/work?n=1";
const OTHER = "/test/other?n=1";
const DAY = 86_400;
const payment = {
  treasury: { "eip155:8453": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" },
  facilitator: { url: "https://facilitator.test" },
  maxFailures: { runs: 1000, usd: "1000" },
};

function open(options: ShopOptions = {}) {
  const clock = fakeClock("2026-03-10T23:00:00.000Z");
  const identify = (request: Request) => {
    const id = request.headers.get("cookie");
    return id ? { id } : undefined;
  };
  const shop = openShop({
    accounts: { keys: true, identify },
    trial: false,
    clock,
    payment,
    logger: silent,
    ...options,
  });
  const { accounts } = shop.handle;
  const call = (path = WORK) => shop.get(path, { cookie: "ada" });
  const meta = async (path = WORK) => (await bodyOf(await call(path))).meta;
  const left = async () => (await accounts.balance("ada")).availableUsd;
  /** The sum over the book is the balance, whatever happened. */
  const checked = async () => {
    const sum = (await accounts.entries("ada")).reduce((total, { usd }) => total + Math.round(Number(usd) * 1e6), 0);
    const { availableUsd, heldUsd } = await accounts.balance("ada");
    expect(Math.round((Number(availableUsd) + Number(heldUsd)) * 1e6)).toBe(sum);
  };
  return { ...shop, accounts, call, meta, left, checked };
}

describe("GRA-1 a grant of money", () => {
  it("is a part of the balance that pays for its endpoints alone, before the rest does", async () => {
    const { accounts, meta, left, checked } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const { id } = await accounts.grant("ada", { usd: "0.0015", endpoints: ["test.work"], note: "Welcome" });
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "1.0015", heldUsd: "0", restrictedUsd: "0.0015" });
    expect(await meta(OTHER)).not.toHaveProperty("grants");
    expect(await meta()).toMatchObject({ costUsd: "0.001", grants: [{ id, usd: "0.001" }] });
    expect(await accounts.grants("ada")).toMatchObject([
      { id, kind: "promotional", usd: "0.0015", leftUsd: "0.0005", endpoints: ["test.work"], note: "Welcome" },
    ]);
    expect((await meta()).grants).toEqual([{ id, usd: "0.0005" }]);
    expect(await accounts.grants("ada")).toEqual([]);
    expect(await left()).toBe("0.9985");
    await checked();
  });

  it("of others does not pay for what it is not for", async () => {
    const { accounts, call } = open();
    await accounts.grant("ada", { usd: "1", endpoints: ["test.work"] });
    const refused = await call(OTHER);
    expect([refused.status, await bodyOf(refused)]).toMatchObject([
      402,
      { code: "BALANCE_TOO_SMALL", availableUsd: "0", missingUsd: "0.001" },
    ]);
  });

  it("gets back exactly what a failed call did not use", async () => {
    const { accounts, call, behaviours, checked } = open();
    await accounts.grant("ada", { usd: "0.0004" });
    await accounts.grant("ada", { usd: "1" });
    const before = await accounts.grants("ada");
    behaviours.push(failing());
    expect((await call()).status).toBe(502);
    expect(await accounts.grants("ada")).toEqual(before);
    await checked();
  });
});

it("GRA-2 what is given is used before what the balance has, and what ends first before what ends later", async () => {
  const { accounts, meta } = open();
  await accounts.topUp("ada", "1", { reference: "r" });
  const late = await accounts.grant("ada", { usd: "0.001", until: "2026-05-01" });
  const never = await accounts.grant("ada", { usd: "0.001" });
  const soon = await accounts.grant("ada", { usd: "0.001", until: "2026-04-01" });
  const waiting = await accounts.grant("ada", { usd: "0.001", from: "2026-03-12", until: "2026-03-13" });
  expect((await accounts.grants("ada")).map(({ id }) => id)).toEqual([waiting, soon, late, never].map(({ id }) => id));
  const used = [];
  for (let i = 0; i < 4; i++) used.push((await meta()).grants?.[0]?.id);
  expect(used).toEqual([soon.id, late.id, never.id, undefined]);
});

describe("GRA-3 a grant of calls", () => {
  it("pays whole calls of its endpoints, and then the balance does", async () => {
    const { accounts, meta, left, checked } = open();
    await accounts.topUp("ada", "1", { reference: "r" });
    const { id } = await accounts.grant("ada", { calls: 2, endpoints: ["test.work"] });
    expect(await meta()).toMatchObject({ costUsd: "0", grants: [{ id, calls: 1 }] });
    expect(await meta(OTHER)).toMatchObject({ costUsd: "0.001" });
    expect(await accounts.grants("ada")).toMatchObject([{ id, calls: 2, leftCalls: 1 }]);
    expect(await meta()).toMatchObject({ costUsd: "0" });
    expect(await meta()).toMatchObject({ costUsd: "0.001" });
    expect(await left()).toBe("0.998");
    const sales = (await accounts.entries("ada")).filter(({ kind }) => kind === "sale");
    expect(sales.map(({ usd, freeUsd }) => [usd, freeUsd])).toEqual([
      ["0", "0.001"],
      ["-0.001", undefined],
      ["0", "0.001"],
      ["-0.001", undefined],
    ]);
    await checked();
  });

  it("is not used up by calls that failed, nor by calls at once", async () => {
    const { accounts, call, behaviours } = open();
    await accounts.grant("ada", { calls: 5 });
    behaviours.push(failing());
    expect((await call()).status).toBe(502);
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => call()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  });
});

describe("GRA-4 the end of a grant", () => {
  it("is at midnight of its day, is an entry of the book, and its calls are refused as expired", async () => {
    const { accounts, call, clock, checked } = open();
    const { id, until } = await accounts.grant("ada", { usd: "1", until: "2026-03-10" });
    expect(until).toBe("2026-03-11T00:00:00.000Z");
    clock.advance(3599);
    expect((await call()).status).toBe(200);
    clock.advance(1);
    const refused = await call();
    expect([refused.status, await bodyOf(refused)]).toMatchObject([
      402,
      { code: "GRANT_EXPIRED", status: 402, grant: id, expiredAt: until, missingUsd: "0.001" },
    ]);
    expect((await accounts.entries("ada")).at(-1)).toMatchObject({
      kind: "expiry",
      usd: "-0.999",
      grant: id,
      at: until,
    });
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0" });
    await checked();
  });

  it("is by the zone that the host names, and a time without one is refused", async () => {
    const { accounts, call, clock } = open();
    await accounts.grant("ada", { calls: 9, until: "2026-03-11T09:00:00+09:00" });
    await expect(accounts.grant("ada", { calls: 1, until: "2026-03-11T09:00:00" })).rejects.toThrow("zone");
    clock.advance(3599);
    expect((await call()).status).toBe(200);
    clock.advance(1);
    expect((await call()).status).toBe(402);
    expect((await accounts.entries("ada")).at(-1)).toMatchObject({ kind: "expiry", usd: "0", calls: -8 });
  });

  it.each([
    ["fails", false, "0"],
    ["is charged", true, "-0.001"],
  ])("during a call that then %s does not bring back what the call held", async (_, works, charged) => {
    const { accounts, call, clock, behaviours, checked } = open();
    await accounts.grant("ada", { usd: "0.004", until: "2026-03-10" });
    clock.advance(3599);
    let finish = () => {};
    behaviours.push(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      if (!works) await failing()();
    });
    const slow = call();
    await expect.poll(() => accounts.balance("ada")).toMatchObject({ heldUsd: "0.001" });
    clock.advance(1);
    expect(await accounts.grants("ada")).toEqual([]);
    finish();
    expect((await slow).status).toBe(works ? 200 : 502);
    const entries = await accounts.entries("ada");
    expect(entries.find(({ kind }) => kind === "sale")?.usd ?? "0").toBe(charged);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0" });
    await checked();
  });
});

describe("GRA-5 a refund of a call that a grant paid", () => {
  it("goes back to the grant, and to one that expired meanwhile as an entry of its expiry", async () => {
    const { accounts, meta, clock, left, checked } = open();
    const { id } = await accounts.grant("ada", { usd: "0.002", until: "2026-03-10" });
    const calls = [await meta(), await meta()];
    expect(await accounts.grants("ada")).toEqual([]);
    await accounts.refund(calls[0]?.requestId ?? "");
    expect(await accounts.grants("ada")).toMatchObject([{ id, leftUsd: "0.001" }]);
    clock.advance(DAY);
    await accounts.refund(calls[1]?.requestId ?? "");
    expect(await left()).toBe("0");
    expect((await accounts.entries("ada")).slice(-2)).toMatchObject([
      { kind: "refund", usd: "0.001", grants: [{ id, usd: "0.001" }] },
      { kind: "expiry", usd: "-0.001", grant: id },
    ]);
    await checked();
  });

  it("is no money of the account after the grant expired and was forgotten", async () => {
    const { accounts, meta, clock, left, checked } = open();
    await accounts.grant("ada", { usd: "0.001", until: "2026-03-10" });
    const { requestId } = await meta();
    clock.advance(DAY);
    for (let i = 0; i < 21; i++) {
      await accounts.grant("ada", { calls: 1 });
      await meta();
    }
    await accounts.refund(requestId);
    expect(await left()).toBe("0");
    await checked();
  });

  it("gives a call back, once", async () => {
    const { accounts, meta } = open();
    const { id } = await accounts.grant("ada", { calls: 2 });
    const { requestId } = await meta();
    await accounts.refund(requestId);
    await accounts.refund(requestId);
    expect(await accounts.grants("ada")).toMatchObject([{ id, leftCalls: 2 }]);
  });
});

it("GRA-6 what grants pay is no income of the ledger, and the rest of the price is", async () => {
  const { accounts, meta, handle } = open();
  await accounts.topUp("ada", "1", { reference: "r" });
  await accounts.grant("ada", { usd: "0.0004" });
  await meta();
  expect((await handle.ledger({ from: "2026-03-10", to: "2026-03-10" })).total).toMatchObject({ prepaidUsd: "0.0006" });
});

it("GRA-7 the allowance of the month is shown as a grant", async () => {
  const { accounts, call } = open();
  await accounts.setLimits("ada", { freePerMonth: { calls: 3, usd: "0.5" } });
  await call();
  expect(await accounts.grants("ada")).toMatchObject([
    { id: "monthly_calls", kind: "monthly", calls: 3, leftCalls: 2, until: "2026-04-01T00:00:00.000Z" },
    { id: "monthly_usd", kind: "monthly", usd: "0.5", leftUsd: "0.5" },
  ]);
});

describe("GRA-8 hostile or wrong grants", () => {
  it.each([
    ["an exponent", { usd: "1e3" }],
    ["a sign", { usd: "-1" }],
    ["nothing", { usd: "0" }],
    ["a number", { usd: 5 }],
    ["too much", { usd: "9".repeat(15) }],
    ["seven decimals", { usd: "0.0000001" }],
    ["both", { usd: "1", calls: 1 }],
    ["neither", {}],
    ["parts of calls", { calls: 1.5 }],
    ["no calls", { calls: 0 }],
    ["an endpoint that is not there", { calls: 1, endpoints: ["no.such"] }],
    ["no endpoints", { calls: 1, endpoints: [] }],
    ["the past", { calls: 1, until: "2026-03-09" }],
    ["an end before the begin", { calls: 1, from: "2026-05-01", until: "2026-04-01" }],
    ["an unknown member", { calls: 1, days: 3 }],
  ])("of %s are refused, and nothing is booked", async (_, given) => {
    const { accounts } = open();
    await expect(accounts.grant("ada", given as never)).rejects.toThrow(TypeError);
    await expect(accounts.entries("ada")).rejects.toThrow("not known");
  });

  it("are at most a hundred at once, and ended ones make room and stay few in the record", async () => {
    const store = createMemoryStore();
    const { accounts, clock } = open({ store });
    for (let i = 0; i < 100; i++) await accounts.grant("ada", { calls: 1, until: "2026-03-10" });
    await expect(accounts.grant("ada", { calls: 1 })).rejects.toMatchObject({ code: "QUOTA_EXCEEDED" });
    clock.advance(DAY);
    await accounts.grant("ada", { calls: 1 });
    const record = parseAccountRecord((await store.get("account:ada"))?.value ?? "");
    expect(record.grants).toHaveLength(21);
  });

  it("under one reference are one, also told again after the page of its entry has moved", async () => {
    const { accounts } = open();
    const given = { usd: "1", reference: "welcome" };
    const first = await accounts.grant("ada", given);
    for (let i = 0; i < 45; i++) await accounts.adjust("ada", "0.01", { reference: `a${i}` });
    expect(await accounts.grant("ada", given)).toEqual(first);
    await expect(accounts.grant("ada", { ...given, usd: "2" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(await accounts.grants("ada")).toHaveLength(1);
  });
});

it("GRA-9 an account in debt spends no grant beyond its debt", async () => {
  const { accounts, call } = open();
  await accounts.topUp("ada", "1", { reference: "r" });
  await accounts.adjust("ada", "-1.5", { reference: "chargeback" });
  await accounts.grant("ada", { usd: "0.501" });
  expect((await call()).status).toBe(200);
  expect((await call()).status).toBe(402);
});

it("GRA-10 a record of an older release is read, and gets a grant", async () => {
  const store = createMemoryStore();
  const { accounts, call } = open({ store });
  const old =
    '{"host":"eip155:8453:0x209693bc6afc0c5328ba36faf03c514ef312287c","balance":"1000000","holds":{},"limits":{},"usage":{},"keys":{},"pages":0,"recent":[{"seq":0,"kind":"topup","amount":"1000000","reference":"topup:r","at":1773183600000}]}';
  await store.put("account:ada", old, { ifVersion: 0, ttlMs: 1e9 });
  expect((await call()).status).toBe(200);
  await accounts.grant("ada", { calls: 1 });
  expect((await call()).status).toBe(200);
  expect((await accounts.balance("ada")).availableUsd).toBe("0.999");
});

it("GRA-11 a call whose charge the store lost uses its grant once", async () => {
  const clock = fakeClock("2026-03-10T23:00:00.000Z");
  const living = createMemoryStore({ clock });
  for (const done of [true, false]) {
    const { wrap, fail } = failingAt();
    const { accounts, call, behaviours } = open({ store: wrap(living), clock });
    await accounts.grant("ada", { calls: 5, reference: `g${done}` });
    const before = (await accounts.grants("ada")).reduce((sum, { leftCalls = 0 }) => sum + leftCalls, 0);
    behaviours.push(async () => fail("put account", { done }));
    expect((await call()).status).toBe(200);
    const after = (await accounts.grants("ada")).reduce((sum, { leftCalls = 0 }) => sum + leftCalls, 0);
    expect(before - after).toBe(1);
  }
});
