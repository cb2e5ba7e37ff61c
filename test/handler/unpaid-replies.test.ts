/** What replies that nobody has paid for may take up of the store. */

import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { lengthy } from "../support/lengthy.js";
import { openShop } from "../support/shop.js";
import { alice } from "../support/wallets.js";

/** One of them fits into what a payer's refused payments may keep. */
const REPLY = 20_000;

function open(length = REPLY) {
  let runs = 0;
  const store = createMemoryStore();
  const shop = openShop({ store, node: true, capabilities: [lengthy(length, () => ++runs)] });
  shop.facilitator.showChain();
  const stored = async () => {
    const found = await store.list("payment:", { limit: 1000 });
    return found.reduce((sum, { value }) => sum + value.length, 0);
  };
  const buy = async (n: number, options = {}) => {
    const payment = await shop.payFor(`/test/long?n=${n}`, options);
    return { payment, n, response: await shop.pay(`/test/long?n=${n}`, payment) };
  };
  return { ...shop, store, stored, buy, made: () => runs };
}

describe("replies of payments that are refused at their settlement", () => {
  it("are kept up to a bound for each payer, and until they cannot be settled any more", async () => {
    const shop = open();
    shop.facilitator.fund(alice.address, 1000n);
    const bought = await Promise.all(Array.from({ length: 12 }, (_, n) => shop.buy(n)));
    const statuses = bought.map(({ response }) => response.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(11);
    expect(await shop.stored()).toBeLessThan(3.2 * REPLY);
    shop.clock.advance(300);
    await shop.handle.reconcile();
    expect(await shop.stored()).toBeLessThan(2.2 * REPLY);
    expect(shop.facilitator.asked("settle")).toBe(12);
    expect(await shop.store.due(Number.MAX_SAFE_INTEGER, 100)).toEqual([]);
    // Its room is there again.
    shop.facilitator.faults.verify.push("lie-yes", "lie-yes");
    const [next, after] = [await shop.buy(20), await shop.buy(21)];
    expect([next.response.status, after.response.status]).toEqual([402, 402]);
    expect(shop.made()).toBe(14);
    expect(await shop.stored()).toBeGreaterThan(2.2 * REPLY);
    expect(await shop.stored()).toBeLessThan(3.4 * REPLY);
  });

  it("are not kept where they are long", async () => {
    const shop = open(190_000);
    shop.facilitator.fund(alice.address, 1000n);
    await Promise.all(Array.from({ length: 12 }, (_, n) => shop.buy(n)));
    expect(await shop.stored()).toBeLessThan(220_000);
  });

  it("are settled and delivered, kept or made anew, where their payer has money again in time", async () => {
    const shop = open();
    shop.facilitator.faults.settle.push("refuse-poor", "refuse-poor", "refuse-poor");
    shop.facilitator.fund(alice.address, 0n);
    const { verify } = shop.facilitator.faults;
    verify.push("lie-yes", "lie-yes", "lie-yes");
    const bought = [await shop.buy(1), await shop.buy(2), await shop.buy(3)];
    expect(bought.map(({ response }) => response.status)).toEqual([402, 402, 402]);
    expect(await shop.stored()).toBeLessThan(2 * REPLY);
    shop.facilitator.fund(alice.address, 3000n);
    for (const { payment, n } of bought) {
      const answer = await shop.pay(`/test/long?n=${n}`, payment);
      expect(answer.status).toBe(200);
      expect((await shop.pay(`/test/long?n=${n}`, payment)).headers.get("x-svc-replay")).toBe("1");
    }
    expect([shop.facilitator.settled.length, shop.made()]).toEqual([3, 5]);
  });

  it("of payments that can never be settled are kept not at all", async () => {
    const shop = open();
    const payment = await shop.payFor("/test/long?n=1");
    shop.facilitator.faults.settle.push("refuse");
    const pay = shop.pay("/test/long?n=1", payment);
    await pay;
    shop.facilitator.useUp(payment.payload.authorization, "cancelled");
    expect((await shop.pay("/test/long?n=1", payment)).status).toBe(402);
    expect(await shop.stored()).toBeLessThan(5000);
  });

  it("are bounded for all payers together", async () => {
    const shop = open(30_000);
    // As others have left it: there is room for one more.
    await shop.store.increment("refused:all", 8 * 1024 * 1024 - 40_000, { ttlMs: 86_400_000 });
    for (let n = 0; n < 3; n++) {
      const wallet = privateKeyToAccount(generatePrivateKey());
      const payment = await shop.payFor(`/test/long?n=${n}`, { wallet });
      shop.facilitator.faults.settle.push("refuse-poor");
      shop.facilitator.faults.verify.push("lie-yes");
      shop.facilitator.fund(wallet.address, 0n);
      expect((await shop.pay(`/test/long?n=${n}`, payment)).status).toBe(402);
    }
    expect(await shop.stored()).toBeLessThan(40_000);
  });
});

describe("replies of payments of which nobody knows whether they were settled", () => {
  it("are owed and kept; beyond a bound for each payer nothing new is done for it until some are settled", async () => {
    const shop = open(1_000_000);
    const bought = [];
    for (let n = 0; n < 8; n++) {
      shop.facilitator.faults.settle = ["drop"];
      bought.push(await shop.buy(n));
    }
    const statuses = bought.map(({ response }) => response.status);
    expect(statuses).toEqual([502, 502, 502, 502, 502, 402, 402, 402]);
    const refused = bought.at(-1)?.response as Response;
    expect([(await bodyOf(refused)).extensions?.code, refused.headers.has("retry-after")]).toEqual([
      "UNSETTLED_LIMIT",
      true,
    ]);
    const other = privateKeyToAccount(generatePrivateKey());
    shop.facilitator.faults.settle = [];
    expect((await shop.buy(50, { wallet: other })).response.status).toBe(200);
    for (const { payment, n } of bought.slice(0, 5))
      expect((await shop.pay(`/test/long?n=${n}`, payment)).headers.get("x-svc-replay")).toBe("1");
    shop.clock.advance(61);
    expect((await shop.buy(60)).response.status).toBe(200);
    expect(shop.made()).toBe(7);
  });
});
