import { afterEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import type { Store } from "../../src/stores/store.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { openShop, type Shop } from "../support/shop.js";
import {
  addressOf,
  buyer,
  refundWallet,
  SOLANA,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  unitLimit,
  unitPrice,
} from "../support/solana.js";
import { fakeSolanaFacilitator, type SolanaFault } from "../support/solana-facilitator.js";
import { quoteOf } from "../support/wallets.js";

const MODEL = "/test/model?n=1";
const model = billedByUsage(({ meter }) => void meter.add("0.0075"));

const open: Shop[] = [];
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.handle.close();
});

/** A shop with a wallet to pay back from, and a buyer whose payment can be sent again and again. */
async function openReturningShop(world: Partial<ReturnType<typeof newWorld>> = {}) {
  const { solana, clock, store } = { ...newWorld(), ...world };
  const shop = openShop({
    capabilities: [model],
    fetch: solana.fetch,
    clock,
    store,
    payment: {
      treasury: { [SOLANA]: addressOf(treasury) },
      facilitator: { url: FACILITATOR_URL },
      refunds: { [SOLANA]: refundWallet },
    },
  });
  open.push(shop);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { accepts } = quoteOf(await shop.get(MODEL));
  const instructions = [unitLimit(), unitPrice(), transfer({ amount: 20_000n })];
  const payment = {
    x402Version: 2,
    accepted: { ...accepts[0] },
    payload: { transaction: toBase64(transactionOf({ instructions })) },
  };
  return {
    ...shop,
    solana,
    payment,
    buy: () => shop.pay(MODEL, payment),
    usage: async () => (await bodyOf(await shop.pay(MODEL, payment))).meta.usage,
    /** Some time passes on all clocks, and the background does its work. */
    async pass(seconds: number) {
      clock.advance(seconds);
      solana.skip(Math.floor(seconds / 0.4));
      await shop.handle.reconcile();
    },
  };
}

const newWorld = () => {
  const clock = fakeClock();
  return { clock, solana: fakeSolanaFacilitator(), store: createMemoryStore({ clock }) };
};

const paid = ({ solana }: { solana: ReturnType<typeof fakeSolanaFacilitator> }) =>
  solana.moved(addressOf(buyer), addressOf(treasury));
const returned = ({ solana }: { solana: ReturnType<typeof fakeSolanaFacilitator> }) =>
  solana.moved(addressOf(refundWallet), addressOf(buyer));
/** The different returns that were sent, however often. */
const signed = ({ solana }: { solana: ReturnType<typeof fakeSolanaFacilitator> }) =>
  new Set(
    solana.calls
      .filter(({ path, body }) => path === "settle" && body.paymentPayload.accepted.payTo === addressOf(buyer))
      .map(({ body }) => body.paymentPayload.payload.transaction),
  ).size;

describe("PAY-27 a payment on Solana whose settlement is unclear", () => {
  it("is read where the facilitator named its transaction, however much strangers put in the way", async () => {
    const shop = await openReturningShop();
    shop.solana.dust(addressOf(buyer), 25);
    shop.solana.faults.push("pending-after");
    const response = await shop.buy();
    expect(response.status).toBe(200);
    expect([paid(shop), returned(shop)]).toEqual([[20_000n], [12_500n]]);
  });
});

describe("PAY-40 a return on Solana", () => {
  it("pays the unused part back to the payer, with the call", async () => {
    const shop = await openReturningShop();
    const { meta } = await bodyOf(await shop.buy());
    expect(meta.usage).toEqual({
      authorizedUsd: "0.02",
      usedUsd: "0.0075",
      settledUsd: "0.02",
      returnedUsd: "0.0125",
      method: "exact",
    });
    expect([paid(shop), returned(shop)]).toEqual([[20_000n], [12_500n]]);
    expect(shop.events.find(({ outcome }) => outcome === "refunded")).toMatchObject({
      refundedUsd: "0.0125",
      payer: addressOf(buyer),
      network: SOLANA,
      transaction: shop.solana.landed[0]?.signature,
    });
  });

  it.each<SolanaFault>(["drop-after", "failed-after"])(
    "whose answer is lost by %s is found on chain",
    async (fault) => {
      const shop = await openReturningShop();
      shop.solana.faults.push("none", fault);
      expect((await bodyOf(await shop.buy())).meta.usage).toMatchObject({ returnedUsd: "0.0125" });
      expect([returned(shop), signed(shop)]).toEqual([[12_500n], 1]);
    },
  );

  it.each<SolanaFault>(["drop", "refuse", "fails-on-chain", "hold"])(
    "that ends in %s stays owed, is retried, and is made exactly once",
    async (fault) => {
      const shop = await openReturningShop();
      shop.solana.faults.push("none", fault);
      expect((await bodyOf(await shop.buy())).meta.usage).toMatchObject({ owedUsd: "0.0125" });
      expect(returned(shop)).toEqual([]);
      for (let i = 0; i < 4; i++) await shop.pass(61);
      shop.solana.release();
      expect(returned(shop)).toEqual([12_500n]);
      expect(await shop.usage()).toMatchObject({ returnedUsd: "0.0125" });
    },
  );

  it("is not signed again while the first one may land, only sent again", async () => {
    const shop = await openReturningShop();
    shop.solana.faults.push("none", "hold", "drop");
    await shop.buy();
    // The clock says that it is time, the chain stands still.
    shop.clock.advance(61);
    await shop.handle.reconcile();
    expect([signed(shop), returned(shop)]).toEqual([1, []]);
    expect(shop.solana.release()).toBe(1);
    const asked = shop.solana.asked("settle");
    shop.clock.advance(61);
    await shop.handle.reconcile();
    expect([signed(shop), returned(shop)]).toEqual([1, [12_500n]]);
    // It was found on chain first.
    expect(shop.solana.asked("settle")).toBe(asked);
    expect(await shop.usage()).toMatchObject({ returnedUsd: "0.0125" });
  });

  it("is signed again once the first one can land no more", async () => {
    const shop = await openReturningShop();
    shop.solana.faults.push("none", "hold");
    await shop.buy();
    await shop.pass(61);
    expect([signed(shop), returned(shop)]).toEqual([2, [12_500n]]);
    expect(shop.solana.release()).toBe(0);
    expect(returned(shop)).toEqual([12_500n]);
  });

  it("stays owed, and never becomes credit, while nobody can tell whether it landed", async () => {
    const shop = await openReturningShop();
    shop.solana.faults.push("none", "drop-after");
    // The chain goes dark when the return is on it.
    shop.solana.settleThen(2, () => shop.solana.hideChain());
    expect((await bodyOf(await shop.buy())).meta.usage).toMatchObject({ owedUsd: "0.0125" });
    for (let i = 0; i < 12; i++) {
      await shop.pass(181);
      expect(await shop.usage()).toMatchObject({ owedUsd: "0.0125" });
    }
    shop.solana.showChain();
    await shop.pass(181);
    expect(await shop.usage()).toMatchObject({ returnedUsd: "0.0125" });
    expect([signed(shop), returned(shop)]).toEqual([1, [12_500n]]);
  });

  it("is not taken for made because the facilitator has seen it before", async () => {
    const shop = await openReturningShop();
    shop.solana.faults.push("none", "drop", "duplicate");
    shop.solana.settleThen(2, () => shop.solana.hideChain());
    await shop.buy();
    shop.clock.advance(61);
    await shop.handle.reconcile();
    expect(await shop.usage()).toMatchObject({ owedUsd: "0.0125" });
    shop.solana.showChain();
    await shop.pass(61);
    expect([signed(shop), returned(shop)]).toEqual([2, [12_500n]]);
  });

  it("that keeps failing becomes credit, once the last one can land no more", async () => {
    const shop = await openReturningShop();
    shop.solana.faults.push("none", ...Array.from({ length: 4 }, (): SolanaFault => "refuse"), "hold");
    await shop.buy();
    for (let i = 0; i < 4; i++) await shop.pass(61);
    expect(signed(shop)).toBe(5);
    // The last one is on its way: the chain is slow, whatever the clock says.
    shop.solana.faults.push("drop");
    shop.clock.advance(181);
    await shop.handle.reconcile();
    expect(await shop.usage()).toMatchObject({ owedUsd: "0.0125" });
    await shop.pass(181);
    const again = await shop.buy();
    expect((await bodyOf(again.clone())).meta.usage).toMatchObject({ creditedUsd: "0.0125" });
    expect(again.headers.get("x-svc-credit")).toMatch(/^[\w-]{43}$/);
    expect([shop.solana.release(), returned(shop)]).toEqual([0, []]);
  });

  it("becomes credit when it cannot be signed again and again, as nothing is on its way", async () => {
    const shop = await openReturningShop();
    shop.solana.hideChain();
    expect((await bodyOf(await shop.buy())).meta.usage).toMatchObject({ owedUsd: "0.0125" });
    for (let i = 0; i < 5; i++) await shop.pass(181);
    expect(await shop.usage()).toMatchObject({ creditedUsd: "0.0125" });
    expect([signed(shop), returned(shop)]).toEqual([0, []]);
  });

  it("to a payer whose token account is gone becomes credit at once", async () => {
    const shop = await openReturningShop();
    shop.solana.closeAccount(addressOf(buyer));
    expect((await bodyOf(await shop.buy())).meta.usage).toMatchObject({ creditedUsd: "0.0125" });
    expect([signed(shop), returned(shop)]).toEqual([0, []]);
  });

  it("by two holders at a time is still one", async () => {
    const world = newWorld();
    const first = await openReturningShop(world);
    const second = await openReturningShop(world);
    let other: Promise<unknown> | undefined;
    world.solana.settleThen(2, () => {
      // The return has landed, its answer takes its time, and the background thinks that nobody is at it.
      world.clock.advance(61);
      world.solana.skip(200);
      other = second.handle.reconcile();
      return other;
    });
    expect((await first.buy()).status).toBe(200);
    expect(other).toBeDefined();
    await first.pass(61);
    await second.pass(61);
    expect([signed(first), returned(first)]).toEqual([1, [12_500n]]);
    expect(await first.usage()).toMatchObject({ returnedUsd: "0.0125" });
  });

  it("is not sent by a holder who was overtaken while signing", async () => {
    const world = newWorld();
    const first = await openReturningShop(world);
    const second = await openReturningShop(world);
    world.solana.beforeRead("getLatestBlockhash", async () => {
      world.clock.advance(61);
      await second.handle.reconcile();
      world.solana.skip(1);
    });
    expect((await first.buy()).status).toBe(200);
    expect([signed(first), returned(first)]).toEqual([1, [12_500n]]);
    expect(await first.usage()).toMatchObject({ returnedUsd: "0.0125" });
  });

  it.each([
    ["without a memo", null],
    ["with a memo", "dust"],
  ])("is made although strangers mention the wallet's token account all the time, %s", async (_, memo) => {
    const shop = await openReturningShop();
    shop.solana.faults.push("none", "drop");
    shop.solana.dust(addressOf(refundWallet), 105, memo);
    expect((await bodyOf(await shop.buy())).meta.usage).toMatchObject({ owedUsd: "0.0125" });
    shop.solana.dust(addressOf(refundWallet), 105, memo);
    await shop.pass(61);
    shop.solana.dust(addressOf(refundWallet), 105, memo);
    await shop.pass(61);
    expect(await shop.usage()).toMatchObject({ returnedUsd: "0.0125" });
    expect(returned(shop)).toEqual([12_500n]);
    expect(shop.solana.asked("settle")).toBeLessThan(6);
  });

  it("is not sent again when it is too late for it, while nobody can tell whether it landed", async () => {
    const shop = await openReturningShop();
    shop.solana.faults.push("none", "drop-after");
    expect((await bodyOf(await shop.buy())).meta.usage).toMatchObject({ returnedUsd: "0.0125" });
    shop.solana.faults.push("none", "drop");
    shop.solana.failing.add("getSignaturesForAddress");
    const other = await openReturningShop({ clock: shop.clock, solana: shop.solana });
    await other.buy();
    const asked = shop.solana.asked("settle");
    for (let i = 0; i < 10; i++) await other.pass(181);
    expect(shop.solana.asked("settle")).toBe(asked);
    shop.solana.failing.clear();
    for (let i = 0; i < 3; i++) await other.pass(181);
    expect(await other.usage()).toMatchObject({ returnedUsd: "0.0125" });
  });

  describe.each(["before", "after"] as const)("when the process dies %s a write of the store", (moment) => {
    it.each(Array.from({ length: 12 }, (_, i) => i + 1))("number %d, is exactly one", async (nth) => {
      const world = newWorld();
      const dying = await openReturningShop({ ...world, store: dyingAt(world.store, nth, moment) });
      await dying.buy().catch(() => undefined);
      const next = await openReturningShop(world);
      const { status } = await dyingBuyer(dying, next);
      expect(status).toBe(200);
      for (let i = 0; i < 6; i++) await next.pass(181);
      expect([paid(next), returned(next)]).toEqual([[20_000n], [12_500n]]);
      expect((await next.handle.ledger()).total).toMatchObject({ settledUsd: "0.02", returnedUsd: "0.0125" });
    });
  });

  it("that was given up for a payer without a token account is not made as well after a crash", async () => {
    for (let nth = 1; nth <= 14; nth++) {
      const world = newWorld();
      world.solana.closeAccount(addressOf(buyer));
      const dying = await openReturningShop({ ...world, store: dyingAt(world.store, nth, "after") });
      await dying.buy().catch(() => undefined);
      const issued = (await world.store.list("credit:", { limit: 2 })).length;
      world.solana.openAccount(addressOf(buyer));
      const next = await openReturningShop(world);
      await dyingBuyer(dying, next);
      for (let i = 0; i < 6; i++) await next.pass(181);
      if (issued > 0) expect([nth, returned(next)]).toEqual([nth, []]);
      const credits = (await world.store.list("credit:", { limit: 2 })).length;
      expect([nth, credits + returned(next).length]).toEqual([nth, 1]);
    }
  });
});

/** The buyer of a shop that died sends the same payment to the next one. */
const dyingBuyer = async (
  dying: Awaited<ReturnType<typeof openReturningShop>>,
  next: Awaited<ReturnType<typeof openReturningShop>>,
): Promise<Response> => {
  // A call that broke off is taken over when its lease has ended.
  next.clock.advance(181);
  return next.pay(MODEL, dying.payment);
};

/** A store whose process dies at its nth write: from then on nothing gets through. */
function dyingAt(store: Store, nth: number, moment: "before" | "after"): Store {
  let writes = 0;
  let dead = false;
  const alive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (dead) throw new Error("the process is gone");
    const result = await work();
    if (dead) throw new Error("the process is gone");
    return result;
  };
  return {
    ...store,
    get: (key) => alive(() => store.get(key)),
    put: (key, value, options) => {
      const isLast = !dead && ++writes === nth;
      if (isLast && moment === "before") dead = true;
      return alive(async () => {
        const version = await store.put(key, value, options);
        if (isLast) dead = true;
        return version;
      });
    },
    remove: (key, version) => alive(() => store.remove(key, version)),
    increment: (key, by, options) => alive(() => store.increment(key, by, options)),
    due: (now, limit) => alive(() => store.due(now, limit)),
  };
}
