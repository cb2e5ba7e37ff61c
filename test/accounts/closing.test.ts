/** Closing an account: what goes back, what is erased, and what is kept until when. */
import { describe, expect, it } from "vitest";
import type { Product } from "../../src/payment/options/accounts.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { ALICE, customersShop } from "../support/own-account.js";
import type { ShopOptions } from "../support/shop.js";
import { mallory } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const DAY = 86_400;

/** A shop that gives back as credit of the wallet, which needs no chain. */
const open = (options: ShopOptions = {}) => customersShop(options);

async function backTo(shop: ReturnType<typeof open>) {
  const { total } = await shop.handle.ledger();
  return { earnedUsd: total.earnedUsd, creditedUsd: total.creditedUsd };
}

describe("CLO-1 an account that its owner closes", () => {
  it("gives back what is left of its bought balance, to the wallet that paid, once", async () => {
    const shop = open();
    const { key } = await shop.buy("5");
    await shop.buy("2");
    for (let i = 0; i < 3; i++) await shop.get(WORK, { authorization: `Bearer ${key}` });
    await shop.accounts.grant(ALICE, { usd: "9", note: "Welcome" });
    const { session } = await shop.signIn();
    const { status, body } = await shop.by(key)("POST", "/account/close", {});
    expect([status, body]).toMatchObject([
      200,
      { account: ALICE, refundedUsd: "6.997", forfeitedUsd: "0", owedUsd: "0" },
    ]);
    expect(await backTo(shop)).toEqual({ earnedUsd: "0.003", creditedUsd: "6.997" });
    for (const sent of [key]) expect((await shop.get(WORK, { authorization: `Bearer ${sent}` })).status).toBe(401);
    const again = await shop.by(session)("POST", "/account/close", {});
    expect([again.status, again.body.closedAt, again.body.refundedUsd]).toEqual([200, body.closedAt, "0"]);
    expect(await backTo(shop)).toEqual({ earnedUsd: "0.003", creditedUsd: "6.997" });
    expect(await shop.accounts.balance(ALICE)).toEqual({ availableUsd: "0", heldUsd: "0" });
  });

  it("gives back all of many balances, of which its account remembers the last ones", async () => {
    const shop = open();
    let { key } = await shop.buy("1");
    for (let i = 0; i < 24; i++) ({ key } = await shop.buy("1"));
    await shop.get(WORK, { authorization: `Bearer ${key}` });
    expect((await shop.by(key)("POST", "/account/close", {})).body).toMatchObject({
      refundedUsd: "24.999",
      owedUsd: "0",
    });
    expect(await backTo(shop)).toEqual({ earnedUsd: "0.001", creditedUsd: "24.999" });
  });

  it("gives the rest of a payment that was given back in part by another one, as far as that goes", async () => {
    const shop = open();
    const { requestId } = await shop.buy("5");
    const { key } = await shop.buy("2");
    await shop.handle.refund({ requestId }, { usd: "1" });
    for (let i = 0; i < 3; i++) await shop.get(WORK, { authorization: `Bearer ${key}` });
    expect((await shop.by(key)("POST", "/account/close", {})).body).toMatchObject({
      refundedUsd: "2",
      owedUsd: "3.997",
    });
  });

  it("loses it by the host's rule, and owes what no wallet paid", async () => {
    const forfeits = open({
      accounts: { keys: true, topUp: { minUsd: "1", maxUsd: "9" }, closing: { balance: "forfeit" } },
    });
    const { key } = await forfeits.buy("5");
    expect((await forfeits.by(key)("POST", "/account/close", {})).body).toMatchObject({
      refundedUsd: "0",
      forfeitedUsd: "5",
    });
    const { accounts, by } = open();
    await accounts.topUp("ada", "3", { reference: "card" });
    await accounts.grant("ada", { usd: "1" });
    const { key: own } = await accounts.createKey("ada");
    expect((await by(own)("POST", "/account/close", {})).body).toMatchObject({ refundedUsd: "0", owedUsd: "3" });
  });

  it("gives back the unused share of products", async () => {
    const products: Product[] = [
      { id: "ten", title: "Ten", priceUsd: "0.01", grant: { calls: 10, endpoints: ["test.work"] } },
      { id: "bonus", title: "Bonus", priceUsd: "10", grant: { usd: "12" } },
      { id: "day", title: "Day", priceUsd: "1", grant: { days: 1 } },
    ];
    const shop = open({ products });
    const key = (await shop.buyProduct("ten")).key;
    for (let i = 0; i < 4; i++) await shop.get(WORK, { authorization: `Bearer ${key}` });
    for (const product of ["bonus", "day", "day"]) await shop.buyProduct(product);
    const { refundedUsd } = (await shop.by(key)("POST", "/account/close", {})).body;
    // Six calls, all of the bonus, and the day that has not begun.
    expect([(await backTo(shop)).creditedUsd, refundedUsd]).toEqual(["11.006", "11.006"]);
  });

  it("has no keys, limits, grants and labels any more; its book is kept until its date, and then deleted", async () => {
    const clock = fakeClock();
    const living = createMemoryStore({ clock });
    const accounts = { keys: true, topUp: { minUsd: "1", maxUsd: "9" }, closing: { keepDays: 10 } };
    const shop = open({ store: living, clock, accounts });
    const { key } = await shop.buy("5");
    await shop.accounts.createKey(ALICE, { label: "Ada Lovelace" });
    for (let i = 0; i < 45; i++) await shop.get(WORK, { authorization: `Bearer ${key}` });
    const { body } = await shop.by(key)("POST", "/account/close", {});
    expect(Date.parse(body.keptUntil) - Date.parse(body.closedAt)).toBe(10 * DAY * 1000);
    const [stored] = await living.list("account:", { limit: 9 });
    expect(JSON.parse(stored?.value ?? "{}")).toMatchObject({ keys: {}, limits: {}, usage: {}, balance: "0" });
    expect(stored?.value).not.toContain("Lovelace");
    expect(await living.list("account-key:", { limit: 9 })).toEqual([]);
    expect((await shop.accounts.entries(ALICE)).length).toBeGreaterThan(46);
    expect(await shop.accounts.list()).toMatchObject([{ account: ALICE, closed: { keptUntil: body.keptUntil } }]);
    clock.advance(10 * DAY - 60);
    await shop.handle.reconcile();
    expect((await shop.accounts.entries(ALICE)).length).toBeGreaterThan(46);
    clock.advance(120);
    await shop.handle.reconcile();
    for (const kind of ["account:", "account-book:", "account-reference:"])
      expect(await living.list(kind, { limit: 9 })).toEqual([]);
  });

  it("is opened anew by what its wallet buys, and is then not deleted", async () => {
    const clock = fakeClock();
    const accounts = { keys: true, topUp: { minUsd: "1", maxUsd: "9" }, closing: { keepDays: 1 } };
    const shop = open({ clock, store: createMemoryStore({ clock }), accounts });
    await shop.by((await shop.buy("5")).key)("POST", "/account/close", {});
    const { key } = await shop.buy("2");
    clock.advance(2 * DAY);
    await shop.handle.reconcile();
    expect((await shop.get(WORK, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect(await shop.accounts.balance(ALICE)).toMatchObject({ availableUsd: "1.999" });
  });
});

describe("CLO-2 an account is not closed", () => {
  it("by a key with limits, by nobody, and where there is none", async () => {
    const { buy, by, send, signIn, accounts } = open();
    const { key } = await buy("5");
    const narrow = (await by(key)("POST", "/account/keys", { limits: { usdPerDay: "1" } })).body;
    expect((await by(narrow.key)("POST", "/account/close", {})).status).toBe(403);
    expect((await send("POST", "/account/close", { body: {} })).status).toBe(401);
    expect((await by((await signIn(mallory)).session)("POST", "/account/close", {})).status).toBe(404);
    expect(await accounts.balance(ALICE)).toMatchObject({ availableUsd: "5" });
  });

  it("while a call is under way, while it owes, and by its owner while it is frozen", async () => {
    const shop = open();
    const { key } = await shop.buy("5");
    let finish = () => {};
    shop.behaviours.push(() => new Promise<void>((resolve) => (finish = resolve)));
    const call = shop.get(WORK, { authorization: `Bearer ${key}` });
    await expect.poll(() => shop.runs()).toBe(1);
    const { status, headers } = await shop.by(key)("POST", "/account/close", {});
    expect([status, headers.get("retry-after")]).toEqual([429, "1"]);
    finish();
    expect((await call).status).toBe(200);
    await shop.accounts.adjust(ALICE, "-9", { reference: "r" });
    expect((await shop.by(key)("POST", "/account/close", {})).status).toBe(403);
    await shop.accounts.topUp(ALICE, "9", { reference: "r" });
    await shop.accounts.freeze(ALICE);
    expect((await shop.by(key)("POST", "/account/close", {})).status).toBe(403);
    expect(await shop.accounts.close(ALICE, { refund: false })).toMatchObject({ forfeitedUsd: "4.999" });
    expect((await shop.accounts.list())[0]).toMatchObject({ frozen: {}, closed: {} });
  });
});

it("CLO-3 the host closes an account, and its webhooks hear of it once", async () => {
  const told: { type: string; data: Record<string, unknown> }[] = [];
  const facilitator = fakeFacilitator();
  const secret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
  const shop = open({
    facilitator,
    webhooks: [{ url: "https://host.test/hook", secret, events: ["account.closed"] }],
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (new URL(request.url).host !== "host.test") return facilitator.fetch(input, init);
      told.push(JSON.parse(await request.text()));
      return new Response(null, { status: 204 });
    },
  });
  await shop.buy("5");
  const closed = await shop.accounts.close(ALICE);
  await shop.accounts.close(ALICE);
  await expect
    .poll(async () => {
      await shop.handle.tick();
      return told;
    })
    .toMatchObject([
      { type: "account.closed", data: { account: ALICE, refundedUsd: "5", keptUntil: closed.keptUntil } },
    ]);
  await shop.handle.tick();
  expect(told).toHaveLength(1);
});

it("CLO-5 two who close at once, on two instances, give back once; a call beside them is charged or refused", async () => {
  const store = createMemoryStore();
  const facilitator = fakeFacilitator();
  const first = open({ store, facilitator });
  const second = open({ store, facilitator });
  const { key } = await first.buy("5");
  const headers = { authorization: `Bearer ${key}` };
  const done = await Promise.all([
    first.by(key)("POST", "/account/close", {}),
    second.accounts.close(ALICE).catch(() => undefined),
    second.get(WORK, headers),
    first.get(WORK, headers),
  ]);
  await first.accounts.close(ALICE);
  const charged = done.slice(2).filter((answer) => (answer as Response).status === 200).length;
  expect(await backTo(first)).toEqual({
    earnedUsd: charged === 0 ? "0" : `0.00${charged}`,
    creditedUsd: charged === 0 ? "5" : (5 - charged / 1000).toFixed(3),
  });
  expect((await first.accounts.entries(ALICE)).filter(({ kind }) => kind === "adjustment")).toHaveLength(1);
});
