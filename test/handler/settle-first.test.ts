import { describe, expect, it, vi } from "vitest";
import { batchRun } from "../../src/capabilities/batch/index.js";
import type { AnyCapability } from "../../src/capability/types.js";
import { createCredits } from "../../src/payment/refund/credit.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { failing, openShop, receiptOf, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";

const DEAR = "/test/dear?n=1";

/** The dear endpoint is paid before it runs; refunds come from a wallet of their own. */
function open({ refunds = true, node = false, ...options }: ShopOptions & { refunds?: boolean } = {}) {
  const shop = openShop({
    payment: {
      treasury: { "eip155:8453": TREASURY },
      facilitator: { url: "https://facilitator.test" },
      rpc: node ? { "eip155:8453": "https://mainnet.base.org" } : false,
      settleFirst: ["test.dear"],
      ...(refunds ? { refunds: { "eip155:8453": mallory } } : {}),
    },
    ...options,
  });
  const moved = () => shop.facilitator.settled.map(({ from, value }) => [from === alice.address ? "in" : "out", value]);
  return { ...shop, moved };
}

describe("a capability whose payment is settled first", () => {
  it("runs after the settlement, once, and is delivered again to the same payment", async () => {
    const shop = open();
    const payment = await shop.payFor(DEAR);
    const first = await shop.pay(DEAR, payment);
    expect(first.status).toBe(200);
    expect(shop.facilitator.trace).toEqual(["verify", "settle", "run"]);
    expect(receiptOf(first)).toMatchObject({ success: true, amount: "500000" });
    expect(await (await shop.pay(DEAR, payment)).text()).toBe(await first.text());
    expect([shop.runs(), shop.moved()]).toEqual([1, [["in", 500_000n]]]);
  });

  it("says so in its offers, which a buyer sees before it signs, and takes no payment that was told otherwise", async () => {
    const shop = open();
    const offersOf = async (path: string) => quoteOf(await shop.get(path)).accepts;
    const [terms] = await offersOf(DEAR);
    expect(terms).toMatchObject({ scheme: "exact", extra: { paymentFlow: "upfront" } });
    expect((await offersOf("/test/work?n=1")).map(({ extra }) => extra.paymentFlow)).toEqual([undefined]);
    if (!terms) throw new Error("nothing offered");
    const { paymentFlow: _, ...extra } = terms.extra;
    const untold = await sign({ ...terms, extra }, { now: shop.clock.seconds() });
    expect((await shop.pay(DEAR, untold)).status).toBe(402);
    expect([shop.runs(), shop.moved()]).toEqual([0, []]);
  });

  it("is settled first as part of a batch, too: a batch keeps to the strictest rule of its calls", async () => {
    const plain = openShop();
    const capabilities = [...(plain.handle.catalogue.capabilities as AnyCapability[]), batchRun];
    const shop = open({ capabilities, facilitator: plain.facilitator, clock: plain.clock });
    const batch = async (...ids: string[]) => {
      const body = JSON.stringify({ calls: ids.map((endpoint) => ({ endpoint, params: { n: 1 } })) });
      const post = (headers: Record<string, string> = {}) =>
        shop.handle(new Request("http://shop.test/api/batch/run", { method: "POST", body, headers }));
      const [terms] = quoteOf(await post()).accepts;
      if (!terms) throw new Error("nothing offered");
      plain.facilitator.trace.length = 0;
      const payment = await sign(terms, { now: plain.clock.seconds() });
      expect((await post({ "payment-signature": toHeader(payment) })).status).toBe(200);
      return [...plain.facilitator.trace];
    };
    expect(await batch("test.work", "test.dear")).toEqual(["verify", "settle", "run", "run"]);
    expect(await batch("test.work")).toEqual(["verify", "run", "settle"]);
  });

  it("that breaks off is in the ledger at once: its money is here, and owed", async () => {
    const shop = open();
    shop.behaviours.push(() => new Promise(() => {}));
    void shop.pay(DEAR, await shop.payFor(DEAR));
    await vi.waitFor(() => expect(shop.runs()).toBe(1));
    const owed = { calls: 0, settledUsd: "0.5", owedUsd: "0.5", earnedUsd: "0", returnedUsd: "0" };
    expect((await shop.handle.ledger()).total).toMatchObject(owed);
    expect((await shop.handle.ledger({ by: ["endpoint"] })).rows).toMatchObject([{ endpoint: "test.dear", ...owed }]);
    expect((await shop.handle.ledger({ from: "2026-05-01", to: "2026-05-31" })).total.settledUsd).toBe("0");
    shop.clock.advance(3600);
    await shop.handle.reconcile();
    expect((await shop.handle.ledger()).total).toMatchObject({ settledUsd: "0.5", owedUsd: "0", returnedUsd: "0.5" });
  });

  it("leaves other endpoints to run first", async () => {
    const shop = open();
    await shop.pay("/test/work?n=1", await shop.payFor("/test/work?n=1"));
    expect(shop.facilitator.trace).toEqual(["verify", "run", "settle"]);
  });

  it("PAY-27 that fails is paid back whole, and its payment buys nothing more", async () => {
    const shop = open();
    const payment = await shop.payFor(DEAR);
    shop.behaviours.push(failing());
    const failed = await shop.pay(DEAR, payment);
    expect(failed.status).toBe(502);
    expect((await bodyOf(failed)).detail).toContain("is being refunded");
    expect(receiptOf(failed)).toMatchObject({ success: true });
    expect(shop.moved()).toEqual([
      ["in", 500_000n],
      ["out", 500_000n],
    ]);
    const again = await shop.pay(DEAR, payment);
    expect([again.status, (await bodyOf(again)).code]).toEqual([502, "UPSTREAM_ERROR"]);
    expect(receiptOf(again)).toEqual(receiptOf(failed));
    expect([shop.runs(), shop.moved().length]).toEqual([1, 2]);
  });

  it("whose failed call's answer was lost tells again what became of the money, credit token included", async () => {
    const shop = open({ refunds: false });
    const payment = await shop.payFor(DEAR);
    shop.behaviours.push(failing());
    const token = (await shop.pay(DEAR, payment)).headers.get("x-svc-credit");
    expect(token).toBeTruthy();
    const again = await shop.pay(DEAR, payment);
    expect([again.status, again.headers.get("x-svc-credit")]).toEqual([502, token]);
    expect(shop.runs()).toBe(1);
  });

  it("that fails without a wallet to pay back from becomes credit for the next call", async () => {
    const shop = open({ refunds: false });
    shop.behaviours.push(failing());
    const failed = await shop.pay(DEAR, await shop.payFor(DEAR));
    const credit = failed.headers.get("x-svc-credit") ?? "";
    const next = await shop.get(DEAR, { "x-svc-credit": credit });
    expect([failed.status, next.status]).toEqual([502, 200]);
    expect(shop.moved()).toEqual([["in", 500_000n]]);
  });

  it("does not run while its settlement is unclear, and runs when the payer comes back", async () => {
    const shop = open();
    const payment = await shop.payFor(DEAR);
    shop.facilitator.faults.settle.push("drop-after");
    expect((await bodyOf(await shop.pay(DEAR, payment))).code).toBe("SETTLEMENT_PENDING");
    expect(shop.runs()).toBe(0);
    expect((await shop.pay(DEAR, payment)).status).toBe(200);
    expect([shop.runs(), shop.moved()]).toEqual([1, [["in", 500_000n]]]);
  });

  it("is refused without a run when the settlement is refused", async () => {
    const shop = open();
    shop.facilitator.faults.settle.push("refuse-poor");
    expect((await shop.pay(DEAR, await shop.payFor(DEAR))).status).toBe(402);
    expect([shop.runs(), shop.moved()]).toEqual([0, []]);
  });

  describe("beside credit", () => {
    /** A payment of 0.30 USD beside 0.20 USD of credit, for what costs 0.50. */
    async function begin(options: Parameters<typeof open>[0] = {}) {
      const [store, clock] = [createMemoryStore(), fakeClock()];
      const shop = open({ store, clock, ...options });
      const credits = createCredits(store, () => clock().getTime());
      const token = await credits.issue("earlier", alice.address, 200_000n);
      const [terms] = quoteOf(await shop.get(DEAR, { "x-svc-credit": token })).accepts;
      if (!terms) throw new Error("nothing offered");
      expect(terms.amount).toBe("300000");
      const payment = await sign(terms, { now: clock.seconds() });
      const headers = { "x-svc-credit": token, "payment-signature": toHeader(payment) };
      const credit = async () => (await credits.find(token)) ?? { id: "", available: -1n };
      return { shop, clock, credits, payment, credit, ask: () => shop.get(DEAR, headers) };
    }

    it("ATK-12 gives the credit free once the settlement is refused, and holds it anew for the same payment", async () => {
      const { shop, credit, ask } = await begin();
      shop.facilitator.faults.settle.push("refuse-poor");
      expect((await ask()).status).toBe(402);
      expect((await credit()).available).toBe(200_000n);
      expect((await ask()).status).toBe(200);
      expect([(await credit()).available, shop.runs(), shop.moved()]).toEqual([0n, 1, [["in", 300_000n]]]);
    });

    it("holds the credit while the settlement is unclear, since the money may have moved", async () => {
      const { shop, credit, ask } = await begin();
      shop.facilitator.faults.settle.push("drop-after");
      expect((await bodyOf(await ask())).code).toBe("SETTLEMENT_PENDING");
      expect((await credit()).available).toBe(0n);
      expect((await ask()).status).toBe(200);
      expect([(await credit()).available, shop.runs(), shop.moved()]).toEqual([0n, 1, [["in", 300_000n]]]);
    });

    it("ATK-12 gives it free when the background finds out that no money moved, though nobody comes back", async () => {
      const { shop, clock, credit, ask } = await begin({ node: true });
      shop.facilitator.faults.settle.push("drop", "refuse");
      expect((await bodyOf(await ask())).code).toBe("SETTLEMENT_PENDING");
      expect((await credit()).available).toBe(0n);
      clock.advance(3600);
      shop.facilitator.showChain();
      for (let round = 0; round < 3; round++) await shop.handle.reconcile();
      expect([(await credit()).available, shop.moved()]).toEqual([200_000n, []]);
    });

    it("gives it free with the money that goes back by itself where nobody comes back for the work", async () => {
      const { shop, clock, credit, ask } = await begin();
      shop.facilitator.faults.settle.push("drop-after");
      await ask();
      for (let round = 0; round < 4; round++) {
        clock.advance(1800);
        await shop.handle.reconcile();
      }
      expect([(await credit()).available, shop.runs(), shop.moved()]).toEqual([
        ...[200_000n, 0],
        [
          ["in", 300_000n],
          ["out", 300_000n],
        ],
      ]);
    });

    it("PAY-27 answers no 402 where the credit is gone and the money has moved: it goes back whole", async () => {
      const { shop, clock, credits, payment, credit, ask } = await begin();
      shop.facilitator.faults.settle.push("drop-after");
      await ask();
      // As when the hold ran out and another call took the credit.
      const { id } = await credit();
      const order = `payment:evm:eip155:8453:${alice.address.toLowerCase()}:${payment.payload.authorization.nonce}`;
      await credits.capture(id, order, 0n);
      expect(await credits.hold(id, "another", { amount: 200_000n, until: clock().getTime() + 3_600_000 })).toBe(true);
      const answer = await ask();
      expect([answer.status, (await bodyOf(answer)).detail]).toEqual([
        502,
        expect.stringContaining("is being refunded"),
      ]);
      expect([shop.runs(), shop.moved()]).toEqual([
        0,
        [
          ["in", 300_000n],
          ["out", 300_000n],
        ],
      ]);
    });
  });

  it("whose instance died after the settlement is done by the next, or paid back if nobody comes", async () => {
    const settle = async (comesBack: boolean) => {
      const [store, facilitator, clock] = [createMemoryStore(), fakeFacilitator(), fakeClock()];
      const [dying, next] = [open({ store, facilitator, clock }), open({ store, facilitator, clock })];
      const payment = await dying.payFor(DEAR);
      let started = () => {};
      const running = new Promise<void>((resolve) => {
        started = resolve;
      });
      dying.behaviours.push(() => {
        started();
        return new Promise(() => {});
      });
      void dying.pay(DEAR, payment);
      await running;
      clock.advance(300);
      if (comesBack) expect((await next.pay(DEAR, payment)).status).toBe(200);
      clock.advance(1800);
      for (let i = 0; i < 3; i++) await next.handle.reconcile();
      return next.moved();
    };
    expect(await settle(true)).toEqual([["in", 500_000n]]);
    expect(await settle(false)).toEqual([
      ["in", 500_000n],
      ["out", 500_000n],
    ]);
  });
});
