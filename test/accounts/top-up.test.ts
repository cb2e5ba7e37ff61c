/** A balance that a wallet buys: booked once for its payment, whatever dies, and taken back with it. */
import { createSIWxPayload, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL, fakeFacilitator } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { NETWORK, openShop, receiptOf, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, sign, toHeader } from "../support/wallets.js";

const ACCOUNT = `${NETWORK}:${alice.address.toLowerCase()}`;
const WORK = "/test/work?n=1";

function open(options: ShopOptions = {}) {
  const topUp = { minUsd: "1", maxUsd: "50" };
  const shop = openShop({
    ...{ logger: silent, node: true, store: createMemoryStore() },
    ...{ brand: { baseUrl: "http://shop.test" }, accounts: { keys: true, topUp } },
    ...options,
  });
  const { accounts } = shop.handle;
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    shop.handle(
      new Request("http://shop.test/api/account/top-up", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
      { clientAddress: "203.0.113.7" },
    );
  const payFor = async (body: unknown) => {
    const [terms] = quoteOf(await post(body)).accepts;
    if (!terms) throw new Error("nothing offered");
    return { "payment-signature": toHeader(await sign(terms, { now: shop.clock.seconds() })) };
  };
  const left = async (account = ACCOUNT) => (await accounts.balance(account)).availableUsd;
  const pass = async (seconds: number) => {
    for (let gone = 0; gone < seconds; gone += 15) {
      shop.clock.advance(15);
      await shop.handle.reconcile();
    }
  };
  return { ...shop, accounts, post, payFor, left, pass };
}

describe("TOP-1 a balance bought by a payment", () => {
  it("is the wallet's account, and the same payment again buys nothing more and shows no key", async () => {
    const { post, payFor, accounts, left, facilitator } = open();
    const paid = await payFor({ usd: "5", key: true });
    const first = await post({ usd: "5", key: true }, paid);
    expect(first.status).toBe(200);
    const { key, ...answer } = (await first.json()) as { key: string };
    expect(answer).toMatchObject({
      account: ACCOUNT,
      balanceUsd: "5",
      grant: { kind: "paid", usd: "5", leftUsd: "5" },
    });
    expect(answer).not.toHaveProperty("keyShown");
    expect(key).toMatch(/^svc_[0-9a-f]{48}$/);
    const again = await post({ usd: "5", key: true }, paid);
    expect(await again.json()).toEqual({ ...answer, keyShown: true });
    expect([facilitator.settled.length, await left()]).toEqual([1, "5"]);
    expect((await accounts.listKeys(ACCOUNT)).length).toBe(1);
    const [entry] = await accounts.entries(ACCOUNT);
    expect(entry).toMatchObject({ kind: "grant", usd: "5" });
    expect(receiptOf(first).transaction).toMatch(/^0x/);
  });

  it("is spent with its key, and is booked in the ledger as income once", async () => {
    const { post, payFor, get, left, handle } = open();
    const { key } = (await (await post({ usd: "5", key: true }, await payFor({ usd: "5", key: true }))).json()) as {
      key: string;
    };
    const called = await get(WORK, { authorization: `Bearer ${key}` });
    expect((await bodyOf(called)).meta).toMatchObject({ caller: "account", account: ACCOUNT, costUsd: "0.001" });
    expect(await left()).toBe("4.999");
    expect((await handle.ledger()).total).toMatchObject({ settledUsd: "5", earnedUsd: "5" });
  });

  it("goes to the account whose key comes with the payment", async () => {
    const { post, payFor, accounts, left } = open();
    const { key } = await accounts.createKey("user_1");
    const answer = await post({ usd: "2" }, { ...(await payFor({ usd: "2" })), authorization: `Bearer ${key}` });
    expect(await answer.json()).toMatchObject({ account: "user_1", balanceUsd: "2" });
    expect(await left("user_1")).toBe("2");
  });
});

describe("TOP-2 a wallet without a key", () => {
  it("gives no further key beside one, which may be limited, and settles nothing", async () => {
    const { post, payFor, accounts, facilitator } = open();
    const { key } = await accounts.createKey("user_1", { limits: { usdPerDay: "0.01" } });
    const asked = { usd: "5", key: true };
    const refused = await post(asked, { ...(await payFor(asked)), authorization: `Bearer ${key}` });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ issues: [{ path: "key" }] });
    expect([facilitator.settled.length, (await accounts.listKeys("user_1")).length]).toEqual([0, 1]);
  });

  it("spends its balance by signing in, each proof once", async () => {
    const buyer = alice;
    const { post, payFor, get, left } = open();
    await post({ usd: "1" }, await payFor({ usd: "1" }));
    const proof = await signInFor(await get(WORK), buyer);
    const called = await get(WORK, { "sign-in-with-x": proof });
    expect([called.status, (await bodyOf(called)).meta]).toMatchObject([200, { caller: "account", account: ACCOUNT }]);
    expect(await left()).toBe("0.999");
    expect((await get(WORK, { "sign-in-with-x": proof })).status).toBe(402);
    expect(await left()).toBe("0.999");
  });

  it("is nobody whom the host's own login may name", async () => {
    const accounts = { identify: () => ({ id: ACCOUNT }), topUp: { minUsd: "1", maxUsd: "2" } };
    const store = createMemoryStore();
    const { post, payFor, left } = open({ store });
    await post({ usd: "1" }, await payFor({ usd: "1" }));
    expect((await open({ store, accounts }).get(WORK)).status).toBe(500);
    expect(await left()).toBe("1");
  });

  it("that bought nothing is asked to pay", async () => {
    const { get } = open();
    const stranger = privateKeyToAccount(generatePrivateKey());
    const called = await get(WORK, { "sign-in-with-x": await signInFor(await get(WORK), stranger) });
    expect([called.status, (await bodyOf(called)).code]).toEqual([402, "BALANCE_TOO_SMALL"]);
  });
});

describe("TOP-3 nothing but a wallet's own payment", () => {
  it.each([
    [
      "a key's balance",
      async ({ accounts }: ReturnType<typeof open>) => {
        await accounts.topUp("ada", "9", { reference: "r" });
        return { authorization: `Bearer ${(await accounts.createKey("ada")).key}` };
      },
    ],
    ["a trial", async () => ({ "x-svc-trial": "1" })],
    ["credit", async () => ({ "x-svc-credit": "none" })],
  ])("buys a balance: %s is refused", async (_, headers) => {
    const shop = open();
    const answer = await shop.post({ usd: "1" }, (await headers(shop)) as Record<string, string>);
    expect(answer.status).toBe(402);
  });

  it.each(["1e3", "-1", "0.5", "50.000001", "999999999999", "", "1.0000001", " 5"])("of %j is sold", async (usd) => {
    expect((await open().post({ usd })).status).toBe(400);
  });

  it("is sold in other amounts than those of the host's list", async () => {
    const { post, payFor } = open({ accounts: { keys: true, topUp: { amountsUsd: ["5", "20"] } } });
    expect((await post({ usd: "6" })).status).toBe(400);
    expect((await post({ usd: "20.00" }, await payFor({ usd: "20.00" }))).status).toBe(200);
  });

  it("is marked up or mounted unasked", async () => {
    const { post } = open({ pricing: { markup: 2 } });
    expect(quoteOf(await post({ usd: "5" })).accepts[0]?.amount).toBe("5000000");
    const off = open({ accounts: { keys: true } });
    expect((await off.post({ usd: "5" })).status).toBe(404);
    expect(off.handle.directory().endpoints.map(({ id }) => id)).not.toContain("account.top-up");
  });
});

it("TOP-4 is booked exactly once, whatever operation of the store the process dies at", async () => {
  let deaths = 0;
  for (const done of [true, false])
    for (let left = 0; ; left++) {
      const clock = fakeClock();
      const facilitator = fakeFacilitator();
      const living = createMemoryStore({ clock });
      const { store, failed } = fated(living, { left, done, forGood: true });
      facilitator.showChain();
      const next = open({ store: living, clock, facilitator });
      const paid = await next.payFor({ usd: "5" });
      const dying = open({ store, clock, facilitator });
      const ended = await Promise.race([failed, dying.post({ usd: "5" }, paid)]);
      for (let i = 0; i < 90; i++) {
        clock.advance(15);
        await next.handle.reconcile();
      }
      const balance = await next.left().catch(() => "0");
      expect(balance, `${left} ${done}`).toBe(facilitator.settled.length === 1 ? "5" : "0");
      // A buyer who comes back gets what was paid for, once.
      await next.post({ usd: "5" }, paid);
      if (facilitator.settled.length === 1) expect(await next.left()).toBe("5");
      if (typeof ended !== "string") break;
      deaths++;
    }
  expect(deaths).toBeGreaterThan(10);
});

it("TOP-4 is booked, and not given back, whatever operation of the store fails after its payment is settled", async () => {
  let failures = 0;
  for (const done of [true, false])
    for (let left = 0; ; left++) {
      const clock = fakeClock();
      const facilitator = fakeFacilitator();
      facilitator.showChain();
      const living = createMemoryStore({ clock });
      const fate = { left, done, forGood: false };
      const { store, failed } = fated(living, fate);
      const next = open({ store: living, clock, facilitator });
      const paid = await next.payFor({ usd: "5" });
      const answer = await open({ store, clock, facilitator }).post({ usd: "5" }, paid);
      await next.pass(1500);
      if (facilitator.settled.length === 1) {
        expect([await next.left(), (await next.handle.ledger()).total.creditedUsd], `${left} ${done}`).toEqual([
          "5",
          "0",
        ]);
        expect((await next.post({ usd: "5" }, paid)).status).toBe(200);
      } else expect(answer.status).not.toBe(200);
      if (fate.left >= 0) break;
      await failed;
      failures++;
    }
  expect(failures).toBeGreaterThan(20);
});

it("TOP-6 is not paid for where it could not be booked: another host of the store has the account, or it is full", async () => {
  const store = createMemoryStore();
  const facilitator = fakeFacilitator();
  const one = open({ store, facilitator });
  await one.post({ usd: "1" }, await one.payFor({ usd: "1" }));
  const payment = {
    treasury: { [NETWORK]: mallory.address },
    facilitator: { url: FACILITATOR_URL },
  };
  const other = open({ store, facilitator, payment });
  expect((await other.post({ usd: "1" }, await other.payFor({ usd: "1" }))).status).toBe(404);
  for (let i = 0; i < 99; i++) await one.accounts.grant(ACCOUNT, { calls: 1 });
  expect((await one.post({ usd: "1" }, await one.payFor({ usd: "1" }))).status).toBe(400);
  expect([facilitator.settled.length, await one.left()]).toEqual([1, "1"]);
});

describe("TOP-5 a payment that goes back", () => {
  it("by the host's refund takes the balance with it, once, and not what is spent", async () => {
    const { post, payFor, handle, left, get, accounts } = open();
    const bought = await post({ usd: "5", key: true }, await payFor({ usd: "5", key: true }));
    const requestId = bought.headers.get("x-request-id") ?? "";
    const { key } = (await bought.json()) as { key: string };
    await get(WORK, { authorization: `Bearer ${key}` });
    await expect(handle.refund({ requestId })).rejects.toThrow("4.999");
    expect(await left()).toBe("4.999");
    await handle.refund({ requestId }, { usd: "4" });
    await handle.refund({ requestId }, { usd: "4" });
    expect(await left()).toBe("0.999");
    expect((await accounts.entries(ACCOUNT)).at(-1)).toMatchObject({ kind: "adjustment", usd: "-4" });
  });

  it("by the chain takes back what is left of the balance, never more", async () => {
    const { post, payFor, left, get, accounts, facilitator, pass, handle } = open();
    facilitator.showChain();
    const bought = await post({ usd: "5", key: true }, await payFor({ usd: "5", key: true }));
    const { key } = (await bought.json()) as { key: string };
    await get(WORK, { authorization: `Bearer ${key}` });
    facilitator.reorganise();
    await pass(300);
    expect([facilitator.settled.length, await left()]).toEqual([1, "4.999"]);
    facilitator.reorganise();
    await pass(3600);
    expect([facilitator.settled.length, await left()]).toEqual([0, "0"]);
    expect((await accounts.entries(ACCOUNT)).at(-1)).toMatchObject({ kind: "adjustment", usd: "-4.999" });
    expect((await handle.ledger()).total).toMatchObject({ lostUsd: "5" });
  });

  it("by the chain after a part was given back takes the rest, once", async () => {
    const { post, payFor, left, accounts, facilitator, pass, handle } = open();
    facilitator.showChain();
    const bought = await post({ usd: "5" }, await payFor({ usd: "5" }));
    await accounts.topUp(ACCOUNT, "7", { reference: "other" });
    await handle.refund({ requestId: bought.headers.get("x-request-id") ?? "" }, { usd: "2" });
    facilitator.reorganise();
    await pass(300);
    facilitator.reorganise();
    await pass(3600);
    expect(await left()).toBe("7");
    const taken = (await accounts.entries(ACCOUNT)).filter(({ kind }) => kind === "adjustment");
    expect(taken.map(({ usd }) => usd)).toEqual(["-2", "-3"]);
  });
});

/** As the official client signs what the 402 offers. */
async function signInFor(challenge: Response, wallet: PrivateKeyAccount): Promise<string> {
  const offer = quoteOf(challenge).extensions?.["sign-in-with-x"] as { info: object } | undefined;
  const told = { ...offer?.info, chainId: NETWORK, type: "eip191" } as never;
  return encodeSIWxHeader(await createSIWxPayload(told, wallet as never, `http://shop.test/api${WORK}`));
}
