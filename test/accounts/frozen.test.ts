/** Accounts that a host freezes, and finds again in its list. */
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { NETWORK, openShop } from "../support/shop.js";
import { alice, quoteOf, sign, toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const WALLET = `${NETWORK}:${alice.address.toLowerCase()}`;

async function open() {
  const shop = openShop({
    ...{ logger: silent, store: createMemoryStore(), brand: { baseUrl: "http://shop.test" } },
    accounts: {
      keys: true,
      topUp: { minUsd: "1", maxUsd: "50" },
      identify: (request) => (request.headers.get("x-user") ? { id: request.headers.get("x-user") ?? "" } : undefined),
    },
  });
  const { accounts } = shop.handle;
  await accounts.topUp("ada", "1.00", { reference: "r" });
  const { key } = await accounts.createKey("ada", { label: "Laptop of Ada" });
  const byKey = { authorization: `Bearer ${key}` };
  const topUp = (headers: Record<string, string> = {}) =>
    shop.handle(
      new Request("http://shop.test/api/account/top-up", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ usd: "5" }),
      }),
      { clientAddress: "203.0.113.7" },
    );
  const payment = async () => {
    const [terms] = quoteOf(await topUp()).accepts;
    if (!terms) throw new Error("nothing offered");
    return { "payment-signature": toHeader(await sign(terms, { now: shop.clock.seconds() })) };
  };
  return { ...shop, accounts, byKey, topUp, payment };
}

describe("ACC-30 a frozen account", () => {
  it("gets 403 with the reason for all that it would pay, and keeps its balance", async () => {
    const { get, accounts, byKey, runs } = await open();
    expect((await get(WORK, byKey)).status).toBe(200);
    await accounts.freeze("ada", { reason: "Its payment is disputed" });
    const named = { ...byKey, "idempotency-key": "a-key-of-her-own" };
    for (const headers of [byKey, { "x-user": "ada" }, named] as Record<string, string>[]) {
      const refused = await get(WORK, headers);
      expect(refused.status).toBe(403);
      expect(await bodyOf(refused)).toMatchObject({
        code: "NOT_ALLOWED",
        reasonCode: "ACCOUNT_FROZEN",
        detail: expect.stringContaining("frozen: Its payment is disputed."),
      });
    }
    expect(runs()).toBe(1);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.999", heldUsd: "0" });
    await accounts.unfreeze("ada");
    expect((await get(WORK, byKey)).status).toBe(200);
  });

  it("gets no answer again that it bought before", async () => {
    const { get, accounts, byKey } = await open();
    const named = { ...byKey, "idempotency-key": "a-key-of-her-own" };
    expect((await get(WORK, named)).status).toBe(200);
    await accounts.freeze("ada");
    expect((await get(WORK, named)).status).toBe(403);
    expect((await get(WORK, { "x-user": "ada", "idempotency-key": "a-key-of-her-own" })).status).toBe(403);
  });

  it("is sold no balance: the payment is refused before it is taken, and its wallet pays for calls by itself", async () => {
    const { accounts, byKey, topUp, payment, facilitator, get, payFor, pay } = await open();
    await accounts.freeze(WALLET);
    await accounts.freeze("ada");
    for (const headers of [{}, byKey]) expect((await topUp({ ...(await payment()), ...headers })).status).toBe(403);
    expect(facilitator.settled.length).toBe(0);
    expect((await pay(WORK, await payFor(WORK))).status).toBe(200);
    expect((await get(WORK)).status).toBe(402);
    await accounts.unfreeze(WALLET);
    expect((await topUp(await payment())).status).toBe(200);
  });

  it("is charged for the call that was under way, and may be frozen before it has bought anything", async () => {
    const { get, accounts, byKey, behaviours } = await open();
    behaviours.push(async () => accounts.freeze("ada"));
    expect((await get(WORK, byKey)).status).toBe(200);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.999", heldUsd: "0" });
    await accounts.freeze("bob");
    expect((await get(WORK, { "x-user": "bob" })).status).toBe(403);
    await expect(accounts.unfreeze("nobody")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(accounts.freeze("not an id")).rejects.toThrow(TypeError);
  });
});

describe("ACC-31 the list of accounts", () => {
  it("has their balance and use, in pages, by the beginning of their ids and the labels of their keys", async () => {
    const { get, accounts, byKey } = await open();
    await get(WORK, byKey);
    await accounts.freeze("ada", { reason: "Disputed" });
    for (let i = 100; i < 220; i++) await accounts.setLimits(`user_${i}`, {});
    const first = await accounts.list();
    expect(first[0]).toEqual({
      account: "ada",
      ...{ availableUsd: "0.999", heldUsd: "0", usedTodayUsd: "0.001", usedThisMonthUsd: "0.001", keys: 1 },
      frozen: { at: expect.stringMatching(/^\d{4}-.*Z$/), reason: "Disputed." },
    });
    const second = await accounts.list({ after: first.at(-1)?.account ?? "" });
    expect([first.length, second.length]).toEqual([100, 21]);
    expect(new Set([...first, ...second].map(({ account }) => account)).size).toBe(121);
    expect((await accounts.list({ prefix: "user_11" })).map(({ account }) => account)).toEqual(
      Array.from({ length: 10 }, (_, i) => `user_11${i}`),
    );
    expect((await accounts.list({ prefix: "user_11", after: "user_118" })).length).toBe(1);
    expect((await accounts.list({ label: "LAPTOP" })).map(({ account }) => account)).toEqual(["ada"]);
    expect(await accounts.list({ label: "phone" })).toEqual([]);
    await expect(accounts.list({ prefix: "no id" })).rejects.toThrow(TypeError);
  });
});
