/** Passes and bundles that wallets buy. */
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import type { Product } from "../../src/payment/options/accounts.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { NETWORK, openShop, type ShopOptions } from "../support/shop.js";
import { quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const OTHER = "/test/other?n=1";
const DAY = 86_400;
const PRODUCTS: Product[] = [
  { id: "ten", title: "Ten calls", priceUsd: "0.008", grant: { calls: 10, endpoints: ["test.work"] } },
  { id: "day", title: "A day", priceUsd: "0.5", grant: { days: 1, endpoints: ["test.work"] } },
  { id: "bonus", title: "Bonus", priceUsd: "10", grant: { usd: "12" } },
];
const PAYMENT = { treasury: { [NETWORK]: TREASURY }, facilitator: { url: "https://facilitator.test" } };
interface Answer {
  account: string;
  balanceUsd: string;
  grant: Record<string, unknown>;
  key: string;
}

function open(options: ShopOptions = {}) {
  const shop = openShop({
    ...{ logger: silent, store: createMemoryStore(), accounts: { keys: true }, products: PRODUCTS },
    ...options,
  });
  const post = (product: string, headers: Record<string, string> = {}) =>
    shop.handle(
      new Request("http://shop.test/api/account/buy", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ product, key: headers.authorization === undefined }),
      }),
      { clientAddress: "203.0.113.7" },
    );
  const payFor = async (product: string) => {
    const [terms] = quoteOf(await post(product)).accepts;
    if (!terms) throw new Error("nothing offered");
    return { "payment-signature": toHeader(await sign(terms, { now: shop.clock.seconds() })) };
  };
  const buy = async (product: string, headers: Record<string, string> = {}) => {
    const bought = await post(product, { ...(await payFor(product)), ...headers });
    expect(bought.status).toBe(200);
    return { requestId: bought.headers.get("x-request-id") ?? "", ...((await bought.json()) as Answer) };
  };
  return { ...shop, accounts: shop.handle.accounts, post, payFor, buy };
}

describe("PRO-1 a product", () => {
  it("of calls pays exactly so many of its endpoints, and no others", async () => {
    const { buy, get } = open();
    const { key, grant, balanceUsd } = await buy("ten");
    expect([grant, balanceUsd]).toMatchObject([
      { kind: "paid", product: "ten", title: "Ten calls", calls: 10, leftCalls: 10, endpoints: ["test.work"] },
      "0",
    ]);
    const authorization = `Bearer ${key}`;
    expect((await get(OTHER, { authorization })).status).toBe(402);
    const calls = await Promise.all(Array.from({ length: 14 }, () => get(WORK, { authorization })));
    expect(calls.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it("of days pays all calls until it ends, and a second one follows the first", async () => {
    const { buy, get, clock } = open();
    const { key } = await buy("day");
    const authorization = `Bearer ${key}`;
    await buy("day", { authorization });
    for (const [seconds, status] of [
      [DAY - 1, 200],
      [DAY, 200],
      [2, 402],
    ] as const) {
      clock.advance(seconds);
      const called = await get(WORK, { authorization });
      expect(called.status).toBe(status);
      if (status === 402) expect(await called.json()).toMatchObject({ code: "GRANT_EXPIRED" });
    }
  });

  it("of money has its bonus, and is income at its price alone", async () => {
    const { buy, get, handle } = open();
    const { key, balanceUsd } = await buy("bonus");
    expect(balanceUsd).toBe("12");
    await get(WORK, { authorization: `Bearer ${key}` });
    expect((await handle.ledger()).total).toMatchObject({ settledUsd: "10", earnedUsd: "10" });
  });

  it("is seen in the directory, in OpenAPI and by MCP, and nowhere without the option", async () => {
    const { handle } = open();
    expect(handle.directory().endpoints.find(({ id }) => id === "account.buy")).toMatchObject({ method: "POST" });
    expect(JSON.stringify(handle.openapi().paths)).toContain("Ten calls (10 calls of test.work) at 0.008 USD");
    const { products: _, ...off } = { products: PRODUCTS, accounts: { keys: true } };
    const without = openShop(off);
    expect(without.handle.directory().endpoints.map(({ id }) => id)).not.toContain("account.buy");
  });

  it("that is not there is refused by its field", async () => {
    expect((await open().post("eleven")).status).toBe(400);
  });
});

it("PRO-2 a refund takes the unused part of a product, and is refused for the rest", async () => {
  const { buy, get, handle, accounts } = open();
  const { key, requestId, account } = await buy("ten");
  for (let i = 0; i < 5; i++) await get(WORK, { authorization: `Bearer ${key}` });
  await expect(handle.refund({ requestId })).rejects.toThrow("0.004");
  await handle.refund({ requestId }, { usd: "0.004" });
  await handle.refund({ requestId }, { usd: "0.004" });
  expect(await accounts.grants(account)).toEqual([]);
  const day = await buy("day", { authorization: `Bearer ${key}` });
  await handle.refund({ requestId: day.requestId });
  expect((await get(WORK, { authorization: `Bearer ${key}` })).status).toBe(402);
});

it("PRO-3 a product is booked exactly once, whatever operation of the store the process dies at", async () => {
  let deaths = 0;
  for (let left = 0; ; left++) {
    const clock = fakeClock();
    const facilitator = fakeFacilitator();
    const living = createMemoryStore({ clock });
    const { store, failed } = fated(living, { left, done: true, forGood: true });
    facilitator.showChain();
    const next = open({ store: living, clock, facilitator, node: true });
    const paid = await next.payFor("ten");
    const dying = open({ store, clock, facilitator, node: true });
    const ended = await Promise.race([failed, dying.post("ten", paid)]);
    for (let i = 0; i < 90; i++) {
      clock.advance(15);
      await next.handle.reconcile();
    }
    await next.post("ten", paid);
    const booked = (await living.list("account:", { limit: 9 })).map(({ value }) => JSON.parse(value).grants?.length);
    expect(booked, `${left}`).toEqual(facilitator.settled.length === 1 ? [1] : []);
    if (typeof ended !== "string") break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(10);
});

it.each([
  ["twice", [PRODUCTS[0], PRODUCTS[0]]],
  ["of nothing", [{ id: "a", title: "A", priceUsd: "1", grant: {} }]],
  ["of both", [{ id: "a", title: "A", priceUsd: "1", grant: { usd: "1", calls: 1 } }]],
  ["of an unknown endpoint", [{ id: "a", title: "A", priceUsd: "1", grant: { calls: 1, endpoints: ["no.such"] } }]],
  ["without a price", [{ id: "a", title: "A", grant: { calls: 1 } }]],
])("PRO-4 a product %s is refused at the start", (_, products) => {
  expect(() => open({ products: products as Product[] })).toThrow(TypeError);
});

it("PRO-4 a product has no other price, and is not given for a sign-in", async () => {
  const { handle } = open();
  await expect(handle.setPrice("account.buy", "0.001")).rejects.toThrow("the amount that is bought");
  expect(() => open({ pricing: { overrides: { "account.buy": "0.001" } } })).toThrow("the amount that is bought");
  const free = { payment: { ...PAYMENT, signIn: { free: ["account.buy"] } }, brand: { baseUrl: "http://shop.test" } };
  expect(() => open(free)).toThrow('"account.buy", which sells what it is paid');
});

it("PRO-5 two passes bought at once follow one another, and the second begins when the first is given back", async () => {
  const [clock, facilitator] = [fakeClock(), fakeFacilitator()];
  const memory = createMemoryStore({ clock });
  // Both have read before either writes.
  const get = async (key: string) => {
    const found = await memory.get(key);
    for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    return found;
  };
  const store = { ...memory, get };
  const [one, other] = [open({ store, clock, facilitator }), open({ store, clock, facilitator })];
  const [first, second] = await Promise.all([one.buy("day"), other.buy("day")]);
  const begins = async () => (await one.accounts.grants(first.account)).map(({ from, until }) => [from, until]);
  const [early = [], late = []] = await begins();
  expect(late[0]).toBe(early[1]);
  const requestId = first.grant.from === early[0] ? first.requestId : second.requestId;
  clock.advance(600);
  await one.handle.refund({ requestId });
  expect(await begins()).toEqual([
    [new Date(clock().getTime()).toISOString(), new Date(clock().getTime() + DAY * 1000).toISOString()],
  ]);
});

it("PRO-6 a used product is not given back after its account forgot it, whatever else the account has", async () => {
  const { buy, get, handle, accounts } = open();
  const { key, requestId, account } = await buy("ten");
  const authorization = `Bearer ${key}`;
  for (let i = 0; i < 10; i++) await get(WORK, { authorization });
  for (let i = 0; i < 21; i++) {
    await accounts.grant(account, { calls: 1 });
    await get(WORK, { authorization });
  }
  await accounts.topUp(account, "5", { reference: "r" });
  await expect(handle.refund({ requestId })).rejects.toThrow("at most 0");
  expect((await accounts.balance(account)).availableUsd).toBe("5");
});
