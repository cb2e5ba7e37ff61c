/** Tokens that are not dollars, such as EURC: priced by the host's rate, settled and given back in the token. */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { silent } from "../../src/lib/logger.js";
import type { PaymentOptions } from "../../src/payment/options/options.js";
import { unitsAt } from "../../src/payment/rails/rates.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { fakeClock } from "../support/clock.js";
import { fakeFacilitator } from "../support/facilitator.js";
import { openShop, type ShopOptions } from "../support/shop.js";
import { alice, mallory, quoteOf, TREASURY } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const MODEL = "/test/model?n=1";
const NETWORK = "eip155:8453";
const EURC = "0x60a3E35Cc302bFA44Cb288Bc5a4F316Fdb1adb42";
const FAR = "4102444800";
const facilitator = { url: "https://facilitator.test" };
interface RatedOptions extends Omit<ShopOptions, "payment"> {
  payment?: Partial<PaymentOptions>;
  decimals?: number;
}
type Ask = () => string | Promise<string>;

function open(rate: Ask, { payment = {}, decimals, ...options }: RatedOptions = {}) {
  const token = { address: EURC, name: "EURC", version: "2", rate, ...(decimals === undefined ? {} : { decimals }) };
  const errors: string[] = [];
  const logger = { ...silent, error: (_: object, message: string) => void errors.push(message) };
  const shop = openShop({
    trial: false,
    logger,
    payment: { treasury: { [NETWORK]: TREASURY }, facilitator, assets: { [NETWORK]: token }, ...payment },
    ...options,
  });
  const amount = async () => quoteOf(await shop.get(WORK)).accepts.find(({ network }) => network === NETWORK)?.amount;
  return { ...shop, errors, amount };
}

/** Minutes go by for every process; each then asks for its rate again. */
let ahead = 0;
const real = performance.now.bind(performance);
function pass(shop: { clock: { advance(seconds: number): void } }, minutes: number) {
  shop.clock.advance(minutes * 60);
  ahead += minutes * 60_000;
  vi.spyOn(performance, "now").mockImplementation(() => real() + ahead);
}
afterEach(() => void vi.restoreAllMocks());

/** The first call after some time may still quote the former rate, since no call waits for the next one. */
async function settled(shop: { get(path: string): Promise<Response> }) {
  await shop.get(WORK);
  await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("a token that is priced by a rate", () => {
  it.each([
    [6, "924"],
    [18, "923190546528804"],
    [2, "1"],
  ])(
    "of %i decimals costs the price divided by the rate, rounded up, and is booked in dollars",
    async (decimals, amount) => {
      const shop = open(() => "1.0832", { decimals });
      const [offer] = quoteOf(await shop.get(WORK)).accepts;
      expect(offer).toMatchObject({ asset: EURC, amount, extra: { name: "EURC", version: "2", usd: "0.001" } });
      const answer = await shop.pay(WORK, await shop.payFor(WORK));
      expect(answer.status).toBe(200);
      expect((await bodyOf(answer)).meta).toMatchObject({ costUsd: "0.001", payment: { asset: EURC, amount } });
      expect(shop.facilitator.settled).toMatchObject([{ from: alice.address, value: BigInt(amount) }]);
      const { total } = await shop.handle.ledger({ by: [] });
      expect(total).toMatchObject({ settledUsd: "0.001", earnedUsd: "0.001", owedUsd: "0" });
    },
  );

  it("is never sold below its price, and at most a unit above", () => {
    const rate = fc.tuple(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 0, max: 12 }));
    fc.assert(
      fc.property(
        rate,
        fc.bigInt(0n, 10n ** 12n),
        fc.integer({ min: 0, max: 24 }),
        ([digits, scale], price, decimals) => {
          const padded = digits.toString().padStart(scale + 1, "0");
          const cut = padded.length - scale;
          const text = scale === 0 ? padded : `${padded.slice(0, cut)}.${padded.slice(cut)}`;
          const units = unitsAt(text, price, decimals);
          // In 10^-(6 + decimals + scale) dollars.
          const paid = units * digits * 10n ** 6n;
          const due = price * 10n ** BigInt(decimals + scale);
          expect(paid).toBeGreaterThanOrEqual(due);
          expect(paid - digits * 10n ** 6n).toBeLessThan(due === 0n ? 1n : due);
        },
      ),
    );
  });

  it("is paid at a former rate while the quote is fresh, on every instance, and at no other", async () => {
    const [store, clock, chain] = [createMemoryStore(), fakeClock(), fakeFacilitator()];
    let rate = "1.08";
    const shared = { store, clock, facilitator: chain };
    const [one, other] = [open(() => rate, shared), open(() => rate, shared)];
    await other.amount();
    const sign = () => one.payFor(WORK, { authorization: { validBefore: FAR } });
    const [before, late, gone] = [await sign(), await sign(), await sign()];
    rate = "2";
    pass(one, 2);
    await settled(one);
    await settled(other);
    expect([await one.amount(), await other.amount()]).toEqual(["500", "500"]);
    expect((await other.pay(WORK, before)).status).toBe(200);
    const cheap = await one.payFor(WORK, { authorization: { value: "499" } });
    expect((await one.pay(WORK, cheap)).status).toBe(402);
    expect((await one.pay(WORK, late)).status).toBe(200);
    // Another hour, in which every payment is valid, and a last answer of the rate's source a minute before its end.
    for (const minutes of [9, 9, 9, 9, 9, 9, 9, 4]) {
      pass(one, minutes);
      await settled(one);
    }
    rate = "";
    pass(one, 3);
    await settled(one);
    expect(await one.amount()).toBe("500");
    expect((await one.pay(WORK, gone)).status).toBe(402);
    expect((await one.handle.ledger({ by: [] })).total.earnedUsd).toBe("0.002");
  });

  it("is quoted by an instance that has not asked yet when another one takes the payment", async () => {
    const [store, clock, chain] = [createMemoryStore(), fakeClock(), fakeFacilitator()];
    const shared = { store, clock, facilitator: chain };
    const [one, other] = [open(() => "1.08", shared), open(() => "1.09", shared)];
    await one.amount();
    await other.amount();
    expect((await one.pay(WORK, await other.payFor(WORK))).status).toBe(200);
  });

  it("beside a price that changed is paid at both", async () => {
    let rate = "1";
    const shop = open(() => rate);
    const payment = await shop.payFor(WORK, { authorization: { validBefore: FAR } });
    rate = "0.5";
    pass(shop, 2);
    await shop.handle.setPrice("test.work", "0.002");
    await settled(shop);
    expect(await shop.amount()).toBe("4000");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });
});

describe("a rate that", () => {
  const otherNetwork = { treasury: { [NETWORK]: TREASURY, "eip155:137": TREASURY } };
  it.each<[string, Ask]>([
    ["throws", () => Promise.reject(new Error("no rates today"))],
    [
      "throws at once",
      () => {
        throw new Error("no rates today");
      },
    ],
    ["is nothing", () => undefined as never],
    ["is a number", () => 1.08 as never],
    ["is zero", () => "0.00"],
    ["is below zero", () => "-1"],
    ["is no decimal", () => "1e-3"],
  ])("%s leaves that offer out, and the host is told once", async (_, rate) => {
    const shop = open(rate, { payment: otherNetwork });
    for (let i = 0; i < 3; i++) {
      const { accepts } = quoteOf(await shop.get(WORK));
      expect(accepts.map(({ network }) => network)).toEqual(["eip155:137"]);
    }
    expect(shop.errors).toEqual([`payment.assets["${NETWORK}"].rate: no fresh rate, so nothing is offered there`]);
  });

  it("is not refreshed for ten minutes prices nothing, until it is there again", async () => {
    let rate: Ask = () => "1.08";
    const shop = open(() => rate(), { payment: otherNetwork });
    expect(await shop.amount()).toBe("926");
    const payment = await shop.payFor(WORK, { authorization: { validBefore: FAR } });
    rate = () => Promise.reject(new Error("away"));
    pass(shop, 5);
    await settled(shop);
    expect([await shop.amount(), shop.errors]).toEqual(["926", []]);
    pass(shop, 6);
    await settled(shop);
    expect([await shop.amount(), shop.errors.length]).toEqual([undefined, 1]);
    // Who has signed already is asked to wait, not to sign again.
    const waits = await shop.pay(WORK, payment);
    expect([waits.status, (await bodyOf(waits)).code]).toEqual([502, "FACILITATOR_UNAVAILABLE"]);
    rate = () => "1.08";
    pass(shop, 2);
    await settled(shop);
    expect(await shop.amount()).toBe("926");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
  });
});

describe("a refund in a token that is priced by a rate", () => {
  const capabilities = [billedByUsage(({ meter }) => void meter.add("0.0075"))];
  const buy = async (options: RatedOptions) => {
    const shop = open(() => "1.08", { capabilities, ...options });
    const [offer] = quoteOf(await shop.get(MODEL)).accepts;
    const answer = await shop.pay(MODEL, await shop.payFor(MODEL));
    const { usage } = (await bodyOf(answer)).meta;
    return {
      shop,
      offer,
      answer,
      usage,
      out: () => shop.facilitator.settled.filter(({ from }) => from !== alice.address),
    };
  };

  it("is that part of what was paid, in the token, and is booked in dollars", async () => {
    const { shop, offer, usage, out } = await buy({ payment: { refunds: { [NETWORK]: mallory } } });
    expect(offer?.amount).toBe("18519");
    expect(usage).toMatchObject({ settledUsd: "0.02", returnedUsd: "0.0125" });
    // 0.0125 of 0.02 dollars of 18519 units.
    expect(out().map(({ value }) => value)).toEqual([11574n]);
    expect((await shop.handle.ledger({ by: [] })).total).toMatchObject({ settledUsd: "0.02", returnedUsd: "0.0125" });
  });

  it("without a wallet becomes credit in dollars", async () => {
    const { usage, out } = await buy({});
    expect([usage, out()]).toMatchObject([{ settledUsd: "0.02", creditedUsd: "0.0125" }, []]);
  });

  it("of a whole sale is the amount that was paid, although the rate is another one", async () => {
    let rate = "1.08";
    const shop = open(() => rate, { payment: { refunds: { [NETWORK]: mallory } } });
    const answer = await shop.pay("/test/dear?n=1", await shop.payFor("/test/dear?n=1"));
    const { requestId } = (await bodyOf(answer)).meta;
    rate = "2";
    pass(shop, 2);
    await settled(shop);
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "returned", usd: "0.5" });
    expect(shop.facilitator.settled.map(({ value }) => value)).toEqual([462_963n, 462_963n]);
  });

  it("of a token that the host no longer takes is credit, not another token's amount", async () => {
    const [store, clock, chain] = [createMemoryStore(), fakeClock(), fakeFacilitator()];
    const shared = { store, clock, facilitator: chain };
    const shop = open(() => "1.08", shared);
    const answer = await shop.pay("/test/dear?n=1", await shop.payFor("/test/dear?n=1"));
    const { requestId } = (await bodyOf(answer)).meta;
    const payment = { treasury: { [NETWORK]: TREASURY }, facilitator, refunds: { [NETWORK]: mallory } };
    const dollars = openShop({ ...shared, payment, logger: silent });
    expect(await dollars.handle.refund({ requestId })).toMatchObject({ state: "credited", usd: "0.5" });
    expect(chain.settled).toHaveLength(1);
  });
});

describe("a refund whose answer was lost, in a token that the host no longer takes", () => {
  it("is found on the chain, and is not credit as well", async () => {
    const [store, clock, chain] = [createMemoryStore(), fakeClock(), fakeFacilitator()];
    const shared = { store, clock, facilitator: chain };
    const shop = open(() => "1.08", { ...shared, payment: { refunds: { [NETWORK]: mallory } } });
    chain.showChain();
    const answer = await shop.pay("/test/dear?n=1", await shop.payFor("/test/dear?n=1"));
    const { requestId } = (await bodyOf(answer)).meta;
    chain.showChain(false);
    chain.faults.settle.push("drop-after");
    expect(await shop.handle.refund({ requestId })).toMatchObject({ state: "owed" });
    chain.showChain();
    const payment = { treasury: { [NETWORK]: TREASURY }, facilitator, refunds: { [NETWORK]: mallory } };
    const dollars = openShop({ ...shared, payment, logger: silent });
    clock.advance(120);
    await dollars.handle.reconcile();
    expect(await dollars.handle.refund({ requestId })).toMatchObject({ state: "returned", usd: "0.5" });
    expect(chain.settled).toHaveLength(2);
  });
});

describe("a token that is priced by a rate is refused at the start", () => {
  const rate = () => "1.08";
  const token = { address: EURC, name: "EURC", version: "2" };
  const start = (payment: object) => () =>
    openShop({ payment: { treasury: { [NETWORK]: TREASURY }, facilitator, ...payment } as never });
  it.each([
    ["with upto", { assets: { [NETWORK]: { ...token, rate } }, schemes: ["exact", "upto"] }, 'not by "upto"'],
    ["with other decimals and no rate", { assets: { [NETWORK]: { ...token, decimals: 18 } } }, ".rate is needed"],
    ["with a rate that is text", { assets: { [NETWORK]: { ...token, rate: "1.08" } } }, "a function that returns"],
  ])("%s", (_, payment, message) => {
    expect(start(payment)).toThrow(message);
  });
});
