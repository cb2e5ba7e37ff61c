import { afterEach, describe, expect, it } from "vitest";
import type { Logger } from "../../src/lib/logger.js";
import { billedByUsage } from "../support/billed-by-usage.js";
import { bodyOf } from "../support/body.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { failing, NETWORK, openShop, type Shop, type ShopOptions } from "../support/shop.js";
import {
  addressOf,
  refundWallet,
  SOLANA,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  unitLimit,
  unitPrice,
} from "../support/solana.js";
import { fakeSolanaFacilitator } from "../support/solana-facilitator.js";
import { alice, mallory, quoteOf, TREASURY } from "../support/wallets.js";

const MODEL = "/test/model?n=1";
const DEAR = "/test/dear?n=1";
const NODE = "https://mainnet.base.org";
const HOUR_SECONDS = 3600;

const open: Shop[] = [];
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.handle.close();
});

/** A shop that pays back from a wallet of its own, told by its node what is on chain. */
function openEvm(rpc: Record<string, string> | false = { [NETWORK]: NODE }, options: ShopOptions = {}) {
  const said: string[] = [];
  const say = (_: object, message: string) => void said.push(message);
  const logger: Logger = { debug() {}, info() {}, warn: say, error: say };
  const capabilities = [billedByUsage(({ meter }) => void meter.add("0.0075"))];
  const payment = {
    treasury: { [NETWORK]: TREASURY },
    facilitator: { url: FACILITATOR_URL },
    refunds: { [NETWORK]: mallory },
    ...(rpc === undefined ? {} : { rpc }),
  };
  const shop = openShop({ capabilities, logger, payment, ...options });
  open.push(shop);
  const { clock, facilitator, handle } = shop;
  return {
    ...shop,
    said,
    out: () => facilitator.settled.filter(({ from }) => from !== alice.address).map(({ value }) => value),
    async pass(seconds: number) {
      clock.advance(seconds);
      await handle.reconcile();
    },
    async buy() {
      const quote = quoteOf(await shop.get(MODEL));
      const payment = await shop.payFor(MODEL, { authorization: { value: quote.accepts[0]?.amount ?? "" } });
      const sent = { ...payment, accepted: { ...quote.accepts[0] } };
      const usage = async () => (await bodyOf(await shop.pay(MODEL, sent))).meta.usage;
      return { usage, first: await usage(), sent };
    },
  };
}

describe("PAY-40 a false yes of the facilitator", () => {
  it("pays nothing out of the refund wallet: the chain does not show what is said to be settled", async () => {
    const shop = openEvm();
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("lie-yes");
    const { usage, first } = await shop.buy();
    expect(first).toMatchObject({ owedUsd: "0.0125" });
    for (let i = 0; i < 30; i++) await shop.pass(181);
    await shop.pass(HOUR_SECONDS);
    expect(await usage()).toMatchObject({ owedUsd: "0.0125" });
    expect([shop.out(), shop.facilitator.asked("settle")]).toEqual([[], 1]);
  });

  it("about a call that was settled first and failed pays nothing back either", async () => {
    const shop = openShop({
      payment: {
        ...{ treasury: { [NETWORK]: TREASURY }, facilitator: { url: FACILITATOR_URL }, rpc: { [NETWORK]: NODE } },
        ...{ settleFirst: ["test.dear"], refunds: { [NETWORK]: mallory } },
      },
    });
    open.push(shop);
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("lie-yes");
    shop.behaviours.push(failing());
    expect((await shop.pay(DEAR, await shop.payFor(DEAR))).status).toBe(502);
    for (let i = 0; i < 20; i++) {
      shop.clock.advance(181);
      await shop.handle.reconcile();
    }
    expect(shop.facilitator.settled).toEqual([]);
  });

  it("that comes true later pays back then, once", async () => {
    const shop = openEvm();
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("lie-yes");
    const { usage } = await shop.buy();
    const [call] = shop.facilitator.calls.filter(({ path }) => path === "settle");
    await shop.facilitator.fetch(`${FACILITATOR_URL}/settle`, { method: "POST", body: JSON.stringify(call?.body) });
    for (let i = 0; i < 3; i++) await shop.pass(61);
    expect(await usage()).toMatchObject({ returnedUsd: "0.0125" });
    expect(shop.out()).toEqual([12_500n]);
  });

  it("cannot be told from a true one while the host's node is silent: the refund waits for it, and is no credit", async () => {
    const shop = openEvm();
    const { usage, first } = await shop.buy();
    expect(first).toMatchObject({ owedUsd: "0.0125" });
    for (let i = 0; i < 8; i++) await shop.pass(181);
    expect(await usage()).toMatchObject({ owedUsd: "0.0125" });
    shop.facilitator.showChain();
    await shop.pass(181);
    expect(await usage()).toMatchObject({ returnedUsd: "0.0125" });
    expect(shop.out()).toEqual([12_500n]);
  });

  it("is believed where no node is named, which the host is warned of when it starts", async () => {
    const shop = openEvm(false);
    expect(shop.said.join()).toContain(`payment.refunds["${NETWORK}"]: payment.rpc["${NETWORK}"] names no node`);
    shop.facilitator.faults.settle.push("lie-yes");
    expect((await shop.buy()).first).toMatchObject({ returnedUsd: "0.0125" });
    expect(openEvm().said.join()).not.toContain("names no node");
  });

  it("is not believed where the public node denies it", async () => {
    const shop = openEvm(undefined);
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("lie-yes");
    expect((await shop.buy()).first).toMatchObject({ owedUsd: "0.0125" });
    expect(shop.out()).toEqual([]);
  });

  it("pays nothing out of the refund wallet on Solana", async () => {
    const solana = fakeSolanaFacilitator();
    const shop = openShop({
      capabilities: [billedByUsage(({ meter }) => void meter.add("0.0075"))],
      fetch: solana.fetch,
      payment: {
        treasury: { [SOLANA]: addressOf(treasury) },
        facilitator: { url: FACILITATOR_URL },
        refunds: { [SOLANA]: refundWallet },
        rpc: { [SOLANA]: "https://api.mainnet-beta.solana.com" },
      },
    });
    open.push(shop);
    solana.setClock(() => Math.floor(shop.clock().getTime() / 1000));
    await expect.poll(async () => quoteOf(await shop.get(MODEL)).accepts.length).toBe(1);
    const { accepts } = quoteOf(await shop.get(MODEL));
    const pay = async (amount: bigint, units: number) => {
      const instructions = [unitLimit(units), unitPrice(), transfer({ amount })];
      const payload = { transaction: toBase64(transactionOf({ instructions })) };
      return shop.pay(MODEL, { x402Version: 2, accepted: { ...accepts[0] }, payload });
    };
    solana.faults.push("lie-yes");
    expect((await bodyOf(await pay(20_000n, 20_000))).meta.usage).toMatchObject({ owedUsd: "0.0125" });
    for (let i = 0; i < 20; i++) {
      shop.clock.advance(181);
      solana.skip(450);
      await shop.handle.reconcile();
    }
    expect(solana.landed).toEqual([]);
    expect((await bodyOf(await pay(20_000n, 20_001))).meta.usage).toMatchObject({ returnedUsd: "0.0125" });
  });
});

describe("what is owed for long", () => {
  it("is told by a log line, an event and the ledger, once and then once a day", async () => {
    const shop = openEvm();
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("lie-yes");
    const { sent } = await shop.buy();
    const told = () => shop.events.filter(({ outcome }) => outcome === "overdue");
    const lines = () => shop.said.filter((line) => line.includes("a refund is overdue"));
    for (let i = 0; i < 10; i++) await shop.pass(181);
    expect([told(), lines(), (await shop.handle.ledger()).overdue]).toEqual([[], [], undefined]);

    for (let i = 0; i < 30; i++) await shop.pass(181);
    expect(told()).toEqual([
      expect.objectContaining({ id: "test.model", owedUsd: "0.0125", payer: alice.address, network: NETWORK }),
    ]);
    expect(lines()).toHaveLength(1);
    const { overdue, total } = await shop.handle.ledger();
    expect(total.owedUsd).toBe("0.0125");
    expect(overdue).toEqual([
      expect.objectContaining({
        endpoint: "test.model",
        payer: alice.address,
        owedUsd: "0.0125",
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        reason: expect.stringContaining("does not show the settlement"),
      }),
    ]);

    for (let i = 0; i < 48; i++) await shop.pass(HOUR_SECONDS + 1);
    expect([told().length, lines().length]).toEqual([3, 3]);

    const [call] = shop.facilitator.calls.filter(({ path }) => path === "settle");
    await shop.facilitator.fetch(`${FACILITATOR_URL}/settle`, { method: "POST", body: JSON.stringify(call?.body) });
    await shop.pass(HOUR_SECONDS + 1);
    expect(shop.events.at(-1)).toMatchObject({ outcome: "refunded", refundedUsd: "0.0125" });
    expect((await shop.handle.ledger()).overdue).toBeUndefined();
    expect((await bodyOf(await shop.pay(MODEL, sent))).meta.usage).toMatchObject({ returnedUsd: "0.0125" });
  });

  it("is looked at ever more rarely, at least once an hour", async () => {
    const shop = openEvm();
    let reads = 0;
    shop.facilitator.showChain();
    shop.facilitator.faults.settle.push("lie-yes");
    await shop.buy();
    // Or it would be settled again, in truth.
    shop.facilitator.fund(alice.address, 0n);
    for (let i = 0; i < 24 * 60; i++) {
      shop.clock.advance(60);
      reads += await shop.handle.reconcile();
    }
    expect(reads).toBeLessThan(24 + 100);
    expect(reads).toBeGreaterThan(24);
  });
});
