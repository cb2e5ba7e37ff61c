/** Leases of processes that die, freeze, or have other clocks than the rest: ATK-22. */
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { LEASE_MS } from "../../src/stores/owner.js";
import type { Store } from "../../src/stores/store.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { fated } from "../support/mortal-store.js";
import { openShop } from "../support/shop.js";
import { toHeader } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const KINDS = ["payment", "account"] as const;
type Kind = (typeof KINDS)[number];
const never = () => new Promise<never>(() => {});
const rested = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Two instances on one store, whose clock is its own; the second one's clock is so many seconds ahead. */
async function open({ ahead = 0, balance = "0.001", wrap = (store: Store) => store } = {}) {
  const clock = fakeClock(new Date().toISOString());
  const clocks = [clock, fakeClock(clock().toISOString())] as const;
  clocks[1].advance(ahead);
  const store = createMemoryStore({ clock });
  const facilitator = fakeFacilitator();
  const shopOn = (on: Store, at: typeof clock) =>
    openShop({ store: on, facilitator, clock: at, trial: false, accounts: { keys: true } });
  const one = shopOn(wrap(store), clocks[0]);
  const other = shopOn(store, clocks[1]);
  const { accounts } = other.handle;
  await accounts.topUp("ada", balance, { reference: "first" });
  const { key } = await accounts.createKey("ada");
  const payment = await other.payFor(WORK, { authorization: { validBefore: "4102444800" } });
  const headersOf = (kind: Kind, name = "the-very-same-purchase") => ({
    "idempotency-key": name,
    ...(kind === "account" ? { authorization: `Bearer ${key}` } : { "payment-signature": toHeader(payment) }),
  });
  const advance = (seconds: number) => clocks.forEach((each) => void each.advance(seconds));
  const charged = async () =>
    facilitator.settled.length + (await accounts.entries("ada")).filter(({ kind }) => kind === "sale").length;
  return { one, other, store, clocks, facilitator, accounts, headersOf, advance, charged };
}

describe.each(KINDS)("ATK-22 a call by %s whose process was killed", (kind) => {
  it("is done again ten seconds later, and its retry waits no longer than its Retry-After until then", async () => {
    const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
    const { one, other, headersOf, advance, charged } = await open({ wrap: (store) => fated(store, fate).store });
    one.behaviours.push(async () => {
      fate.left = 0;
      await never();
    });
    void one.get(WORK, headersOf(kind));
    while (one.runs() === 0) await rested(5);
    const since = performance.now();
    const early = await other.get(WORK, headersOf(kind));
    const waitedMs = performance.now() - since;
    expect([early.status, (await bodyOf(early)).code]).toEqual([502, "SETTLEMENT_PENDING"]);
    const retryAfterMs = Number(early.headers.get("retry-after")) * 1000;
    expect(waitedMs).toBeLessThan(retryAfterMs + 1500);
    advance(10);
    const again = performance.now();
    const answer = await other.get(WORK, headersOf(kind));
    expect(answer.status).toBe(200);
    expect(performance.now() - again).toBeLessThan(2500);
    expect([await charged(), other.runs()]).toEqual([1, 1]);
  }, 20_000);

  it("keeps its lease as long as it lives, whatever the clock of another instance says", async () => {
    const { one, other, headersOf, charged } = await open({ ahead: 150 });
    let finish = () => {};
    one.behaviours.push(() => new Promise((resolve) => (finish = resolve)));
    const first = one.get(WORK, headersOf(kind));
    while (one.runs() === 0) await rested(5);
    expect((await bodyOf(await other.get(WORK, headersOf(kind)))).code).toBe("SETTLEMENT_PENDING");
    finish();
    expect((await first).status).toBe(200);
    expect((await other.get(WORK, headersOf(kind))).status).toBe(200);
    expect([await charged(), one.runs() + other.runs()]).toEqual([1, 1]);
  }, 20_000);

  it("PAY-31 and wakes up after another has taken over is fenced off, and charges nothing", async () => {
    let frozen: Promise<void> | undefined;
    let wake = () => {};
    const wrap = (store: Store): Store => ({
      ...store,
      shared: true,
      put: async (...args) => {
        await frozen;
        return store.put(...args);
      },
      remove: async (...args) => {
        await frozen;
        return store.remove(...args);
      },
    });
    const { one, other, headersOf, advance, charged } = await open({ wrap });
    one.behaviours.push(async () => {
      frozen = new Promise((resolve) => (wake = resolve));
    });
    const first = one.get(WORK, headersOf(kind));
    while (one.runs() === 0) await rested(5);
    advance(10);
    expect((await other.get(WORK, headersOf(kind))).status).toBe(200);
    wake();
    expect((await bodyOf(await first)).code).toBe("SETTLEMENT_PENDING");
    expect(await charged()).toBe(1);
  }, 20_000);
});

describe("ATK-22 what an account holds", () => {
  it("for a call whose process was killed is free for others ten seconds later", async () => {
    const fate = { left: Number.POSITIVE_INFINITY, done: false, forGood: true };
    const { one, other, headersOf, advance, accounts } = await open({ wrap: (store) => fated(store, fate).store });
    one.behaviours.push(async () => {
      fate.left = 0;
      await never();
    });
    void one.get(WORK, headersOf("account"));
    while (one.runs() === 0) await rested(5);
    expect((await other.get(WORK, headersOf("account", "another-purchase"))).status).toBe(402);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0.001" });
    advance(10);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0.001", heldUsd: "0" });
    expect((await other.get(WORK, headersOf("account", "another-purchase"))).status).toBe(200);
  });

  it("for a call that goes on is held by an instance whose clock is minutes ahead, too", async () => {
    const { one, other, headersOf, accounts } = await open({ ahead: 170 });
    let finish = () => {};
    one.behaviours.push(() => new Promise((resolve) => (finish = resolve)));
    const first = one.get(WORK, headersOf("account"));
    while (one.runs() === 0) await rested(5);
    // The call's own time is over by the clock that is ahead.
    expect((await other.get(WORK, headersOf("account", "another-purchase"))).status).toBe(402);
    finish();
    expect((await first).status).toBe(200);
    expect(await accounts.balance("ada")).toEqual({ availableUsd: "0", heldUsd: "0" });
  });
});

describe("ATK-22 the signs of life of a process", () => {
  it("cost one write in seconds for all of its calls, and none without", async () => {
    let signs = 0;
    const wrap = (store: Store): Store => ({
      ...store,
      put: (key, ...rest) => {
        if (key.startsWith("owner:")) signs++;
        return store.put(key, ...rest);
      },
    });
    const { one, headersOf } = await open({ wrap, balance: "1" });
    const calls = Array.from({ length: 20 }, (_, i) => one.get(WORK, headersOf("account", `purchase-number-${i}`)));
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(200);
    expect(signs).toBe(1);
    await rested(LEASE_MS / 2);
    expect(signs).toBeLessThanOrEqual(2);
  }, 20_000);

  it.each([1, 2])(
    "do not end when %i of them is lost, or answered late",
    async (lost) => {
      let left = 0;
      const wrap = (store: Store): Store => ({
        ...store,
        shared: true,
        put: async (key, ...rest) => {
          const version = await store.put(key, ...rest);
          if (!key.startsWith("owner:") || left-- <= 0) return version;
          await rested(300);
          throw new Error("connection reset");
        },
      });
      const { one, other, headersOf, advance, charged } = await open({ wrap });
      let finish = () => {};
      one.behaviours.push(() => new Promise((resolve) => (finish = resolve)));
      const first = one.get(WORK, headersOf("account"));
      while (one.runs() === 0) await rested(5);
      left = lost;
      for (let i = 0; i < 2 * lost; i++) {
        await rested(2600);
        advance(2.6);
      }
      expect((await other.get(WORK, headersOf("account", "another-purchase"))).status).toBe(402);
      finish();
      expect((await first).status).toBe(200);
      expect(await charged()).toBe(1);
    },
    30_000,
  );
});
