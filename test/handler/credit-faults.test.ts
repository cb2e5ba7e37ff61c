/** What a caller on credit gets, and what is left of its credit, when the store fails at a step or a hold ends. */
import { describe, expect, it } from "vitest";
import { silent } from "../../src/lib/logger.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { fakeClock } from "../support/clock.js";
import { failingAt } from "../support/mortal-store.js";
import { openShop } from "../support/shop.js";
import { alice } from "../support/wallets.js";

const WORK = "/test/work?n=1";

async function open(micros = 10_000n) {
  const clock = fakeClock();
  const living = createMemoryStore({ clock });
  const { wrap, fail } = failingAt();
  const shop = openShop({ store: wrap(living), clock, trial: false, logger: silent });
  const other = openShop({ store: living, clock, trial: false, logger: silent });
  const credits = createCredits(living, () => clock().getTime());
  const token = await credits.issue("earlier", alice.address, micros);
  return {
    ...shop,
    clock,
    fail,
    call: (at = shop) => at.get(WORK, { "x-svc-credit": token }),
    other,
    left: async () => (await credits.find(token))?.available,
    /** Sold on credit, as the ledger says after the background has come by. */
    async sold() {
      clock.advance(120);
      await other.handle.reconcile();
      const { total } = await other.handle.ledger({ by: [] });
      return total.creditUsedUsd;
    },
  };
}

describe("PAY-46 a call on credit, when the store fails at its charge", () => {
  it.each([
    ["its note", "put credit-call", true],
    ["its note, not made,", "put credit-call", false],
    ["its charge", "put credit", true],
    ["its charge, not made,", "put credit", false],
  ] as const)("is answered and charged once, although the answer to %s is lost", async (_, at, done) => {
    const { call, fail, behaviours, runs, left, sold } = await open();
    behaviours.push(async () => fail(at, { done }));
    expect([(await call()).status, runs()]).toEqual([200, 1]);
    expect([await left(), await sold()]).toEqual([9000n, "0.001"]);
  });

  it.each(["put credit-call", "put credit"])("costs nothing and holds nothing where %s fails for good", async (at) => {
    const { call, fail, behaviours, left, sold } = await open(1000n);
    behaviours.push(async () => fail(at, { done: false, times: 3 }));
    expect((await call()).status).toBe(502);
    await expect.poll(left).toBe(1000n);
    expect(await sold()).toBe("0");
    expect([(await call()).status, await left(), await sold()]).toEqual([200, 0n, "0.001"]);
  });

  it("whose hold was made and not heard of frees it", async () => {
    const { call, fail, left } = await open(1000n);
    fail("put credit", { done: true });
    expect((await call()).status).toBe(502);
    await expect.poll(left).toBe(1000n);
  });

  it("in the ledger is what was charged, although a process stopped after its note and its hold has ended since", async () => {
    const { call, fail, behaviours, left, sold, clock } = await open();
    behaviours.push(async () => fail("put credit", { done: false, until: new Promise(() => {}) }));
    void call();
    await expect.poll(left).toBe(9000n);
    clock.advance(3600);
    expect([await left(), await sold()]).toEqual([10_000n, "0"]);
  });
});

describe("PAY-46 a call on credit that took longer than its hold", () => {
  const slow = async () => {
    const opened = await open(1000n);
    let finish = () => {};
    opened.behaviours.push(() => new Promise((resolve) => (finish = resolve)));
    const called = opened.call();
    await expect.poll(opened.left).toBe(0n);
    opened.clock.advance(3600);
    const end = () => {
      finish();
      return called;
    };
    return { ...opened, end };
  };

  it("is charged if its credit is still there", async () => {
    const { end, left, sold } = await slow();
    expect((await end()).status).toBe(200);
    expect([await left(), await sold()]).toEqual([0n, "0.001"]);
  });

  it("gets no answer if another call has used it", async () => {
    const { end, other, call, left, sold } = await slow();
    expect((await call(other)).status).toBe(200);
    expect((await end()).status).toBe(402);
    expect([await left(), await sold()]).toEqual([0n, "0.001"]);
  });
});
