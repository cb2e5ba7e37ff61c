/** What happens to sales when callers have filled the store. */
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { lengthy } from "../support/lengthy.js";
import { NETWORK, openShop, receiptOf, type ShopOptions } from "../support/shop.js";

const REPLY_LENGTH = 50_000;
let runs = 0;
const capabilities = [lengthy(REPLY_LENGTH, () => ++runs)];
const path = (n: number) => `/test/long?n=${n}`;

/** Room for some ten replies. */
function open(options: ShopOptions = {}) {
  const store = createMemoryStore({ maxBytes: 10 * 2 * REPLY_LENGTH });
  return { store, ...openShop({ capabilities, store, node: true, ...options }) };
}

async function sell(shop: ReturnType<typeof open>, count: number) {
  const payments = [];
  for (let n = 0; n < count; n++) {
    const payment = await shop.payFor(path(n));
    payments.push(payment);
    expect((await shop.pay(path(n), payment)).status).toBe(200);
  }
  return payments;
}

describe("a full store", () => {
  it("ATK-10 sells on when replies have filled it, and keeps the newest of them", async () => {
    const shop = open();
    const payments = await sell(shop, 40);
    const before = runs;
    const again = await shop.pay(path(39), payments[39]);
    expect(again.status).toBe(200);
    expect(again.headers.get("x-svc-replay")).toBe("1");
    expect(runs).toBe(before);
    expect((await shop.handle.ledger()).total.calls).toBe(40);
  });

  it("ATK-10 says of a reply that had to go that it was paid for, and neither charges nor runs again", async () => {
    const shop = open();
    const [first] = await sell(shop, 40);
    const [settled, before] = [shop.facilitator.settled.length, runs];
    for (let i = 0; i < 2; i++) {
      const again = await shop.pay(path(0), first);
      expect(again.status).toBe(410);
      expect(receiptOf(again)).toMatchObject({ success: true, network: NETWORK });
      const { detail, code } = (await again.json()) as { detail: string; code: string };
      expect(code).toBe("ANSWER_NOT_KEPT");
      expect(detail).not.toContain("is being refunded");
    }
    expect(shop.facilitator.settled).toHaveLength(settled);
    expect(runs).toBe(before);
    // What it bought is bound to it as before.
    expect((await bodyOf(await shop.pay(path(1), first))).extensions?.code).toBe("PAYMENT_ALREADY_USED");
  });

  it("ATK-10 results of payments that were refused are no loss: one that comes back is settled, and then made", async () => {
    const shop = open();
    shop.facilitator.showChain();
    const payments = [];
    for (let n = 0; n < 40; n++) {
      const payment = await shop.payFor(path(n));
      shop.facilitator.faults.settle.push("refuse-poor");
      payments.push(payment);
      expect((await shop.pay(path(n), payment)).status).toBe(402);
    }
    const before = runs;
    expect((await shop.pay(path(0), payments[0])).status).toBe(200);
    expect(runs).toBe(before + 1);
    expect(shop.facilitator.settled).toHaveLength(1);
    expect((await shop.pay(path(0), payments[0])).headers.get("x-svc-replay")).toBe("1");
  });

  it("ATK-10 keeps the results of payments of which nobody knows yet, and refuses new sales rather than lose one", async () => {
    const shop = open();
    const [payments, before] = [[] as Awaited<ReturnType<typeof shop.payFor>>[], runs];
    const statuses: number[] = [];
    for (let n = 0; n < 20; n++) {
      const payment = await shop.payFor(path(n));
      shop.facilitator.faults.settle = ["drop"];
      statuses.push((await shop.pay(path(n), payment)).status);
      payments.push(payment);
    }
    expect(new Set(statuses)).toEqual(new Set([502]));
    const made = runs;
    expect(made).toBeLessThan(before + 20);
    shop.facilitator.faults.settle = [];
    for (const [n, payment] of payments.entries()) {
      const answer = await shop.pay(path(n), payment);
      expect(answer.status).toBe(200);
      const { data } = (await answer.json()) as { data: { items: [{ run: number }] } };
      // What was made before is what is delivered; what was refused for want of room is made now.
      if (data.items[0].run <= made) expect(answer.headers.get("x-svc-replay")).toBe("1");
    }
    expect(runs).toBe(before + 20);
    expect(shop.facilitator.settled).toHaveLength(20);
  });

  it("ATK-10 TRI-8 trials that are refused leave nothing in it", async () => {
    const store = createMemoryStore();
    const shop = openShop({ store, trial: { deploymentBudgetUsd: "0.003" } });
    const statuses: number[] = [];
    for (let i = 0; i < 300; i++)
      statuses.push((await shop.get("/test/work?n=1", { "x-svc-trial": "1" }, `198.51.100.${i % 250}`)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(await store.list("trial", { limit: 1000 })).toHaveLength(3);
  });
});
