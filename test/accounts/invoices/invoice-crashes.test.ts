/** Purchases and refunds whose process dies anywhere have one invoice each, and one credit note. */
import { expect, it } from "vitest";
import { createMemoryStore } from "../../../src/stores/memory/memory.js";
import { fakeClock } from "../../support/clock.js";
import { fakeFacilitator } from "../../support/facilitator.js";
import { fated } from "../../support/mortal-store.js";
import { shopWith } from "./shop.js";

function world() {
  const clock = fakeClock();
  const facilitator = fakeFacilitator();
  facilitator.showChain();
  const living = createMemoryStore({ clock });
  const open = (store = living) => shopWith(undefined, { store, clock, facilitator });
  const next = open();
  const settle = async () => {
    for (let i = 0; i < 90; i++) {
      clock.advance(15);
      await next.handle.reconcile();
    }
  };
  const invoices = async () => {
    const rows = (await living.list("invoice:", { limit: 100 })).map(({ value }) => JSON.parse(value));
    return rows.map(({ n, kind, amount }) => [n, kind, amount]);
  };
  return { living, open, next, settle, invoices };
}

const WANTED: Record<string, string[]> = { 1: [], 3: ["2000000"], 6: ["5000000"], 8: ["2000000", "5000000"] };

it("INV-1 gives a purchase its number once, whatever operation of the store its process dies at", async () => {
  let deaths = 0;
  for (let left = 0; ; left++) {
    const { living, open, next, settle, invoices } = world();
    await next.buy("1");
    await settle();
    const { store, failed } = fated(living, { left, done: left % 2 === 0, forGood: true });
    const ended = await Promise.race([failed, open(store).buy("5")]);
    await next.buy("2");
    await settle();
    const { settledUsd } = (await next.handle.ledger()).total;
    // Whatever was paid has its invoice; a wallet whose payment hangs may be refused the next one.
    const wanted = ["1000000", ...(WANTED[settledUsd] ?? ["?"])];
    const found = await invoices();
    expect(
      found.map(([n]) => n),
      `${left}: ${ended}`,
    ).toEqual(wanted.map((_, i) => i + 1));
    expect(found.map(([, , amount]) => amount).sort(), `${left}: ${ended}`).toEqual(wanted);
    if (typeof ended !== "string") break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(20);
});

it("INV-2 gives a refund its credit note once, whatever operation of the store its process dies at", async () => {
  let deaths = 0;
  for (let left = 0; ; left++) {
    const { living, open, next, settle, invoices } = world();
    const { requestId } = await next.buy("5");
    await settle();
    const { store, failed } = fated(living, { left, done: left % 2 === 0, forGood: true });
    const ended = await Promise.race([failed, open(store).handle.refund({ requestId }, { usd: "2" })]);
    await settle();
    await next.handle.refund({ requestId }, { usd: "2" });
    await settle();
    expect(await invoices(), `${left}: ${ended}`).toEqual([
      [1, "invoice", "5000000"],
      [2, "credit-note", "2000000"],
    ]);
    if (typeof ended !== "string") break;
    deaths++;
  }
  expect(deaths).toBeGreaterThan(10);
});
