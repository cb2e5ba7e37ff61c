/** A record of a payment that contradicts itself: neither sold again, nor settled, nor lost. */

import { expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { openShop } from "../support/shop.js";

type Stored = Record<string, unknown>;

async function open(settleFault: "none" | "drop" = "none") {
  const store = createMemoryStore();
  const logged: unknown[] = [];
  const logger = { info() {}, warn() {}, debug() {}, error: (facts: unknown) => logged.push(facts) };
  const shop = openShop({ store, logger } as never);
  shop.facilitator.faults.settle.push(settleFault);
  const payment = await shop.payFor("/test/work?n=1");
  const first = await shop.pay("/test/work?n=1", payment);
  const [entry] = await store.list("payment:", { limit: 10 });
  if (!entry) throw new Error("nothing stored");
  /** Writes the record without some of its members, or with others. */
  const damage = async (change: (record: Stored) => Stored, dueAt?: number) => {
    const found = await store.get(entry.key);
    const value = JSON.stringify(change(JSON.parse(found?.value ?? "{}")));
    await store.put(entry.key, value, {
      ifVersion: found?.version ?? 0,
      ttlMs: 86_400_000,
      ...(dueAt ? { dueAt } : {}),
    });
    return value;
  };
  return { ...shop, store, logged, payment, first, key: entry.key, damage };
}

it("PAY-24 a payment whose stored receipt is damaged is answered 500: not run, charged or delivered again", async () => {
  const shop = await open();
  expect(shop.first.status).toBe(200);
  const value = await shop.damage(({ receipt: _, ...record }) => ({ ...record, receipt: { success: false } }));
  const again = await shop.pay("/test/work?n=1", shop.payment);
  expect(again.status).toBe(500);
  expect(await again.json()).toMatchObject({ code: "INTERNAL" });
  expect(shop.runs()).toBe(1);
  expect(shop.facilitator.asked("settle")).toBe(1);
  expect((await shop.store.get(shop.key))?.value).toBe(value);
});

it("PAY-24 a settlement without its result is not asked for, and told to the host at each look", async () => {
  const shop = await open("drop");
  expect(shop.first.status).toBe(502);
  const asked = shop.facilitator.asked("settle");
  const value = await shop.damage(({ outcome: _, ...record }) => record, 1);
  for (let look = 1; look <= 2; look++) {
    shop.clock.advance(3600);
    await shop.handle.reconcile();
    expect(shop.logged.filter((facts) => (facts as { key?: string }).key === shop.key)).toHaveLength(look);
  }
  expect(shop.facilitator.asked("settle")).toBe(asked);
  expect((await shop.store.get(shop.key))?.value).toBe(value);
  expect(await shop.store.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([shop.key]);
});
