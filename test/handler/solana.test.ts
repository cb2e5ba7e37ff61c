import { privateKeyToAccount } from "viem/accounts";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import type { HandlerOptions } from "../../src/host/options.js";
import type { PaymentOptions } from "../../src/payment/options/options.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { FACILITATOR_URL } from "../support/facilitator.js";
import { openShop, receiptOf, type Shop } from "../support/shop.js";
import {
  addressOf,
  buyer,
  feePayer,
  otherFeePayer,
  refundWallet,
  SOLANA,
  stranger,
  type TransferOptions,
  toBase64,
  transactionOf,
  transfer,
  treasury,
  unitLimit,
  unitPrice,
} from "../support/solana.js";
import { fakeSolanaFacilitator } from "../support/solana-facilitator.js";
import { quoteOf, TREASURY, withoutRetryKey } from "../support/wallets.js";

const WORK = "/test/work?n=1";
const codeOf = async (response: Response) => {
  const body = await bodyOf(response);
  return body.code ?? body.extensions?.code;
};
/** Lets what was started in the background come to its end. */
const settleDown = () => new Promise((resolve) => setTimeout(resolve, 20));

const open: Shop[] = [];
afterEach(async () => {
  for (const shop of open.splice(0)) await shop.handle.close();
});

interface Options extends Partial<Omit<HandlerOptions, "payment" | "clock">> {
  solana?: ReturnType<typeof fakeSolanaFacilitator>;
  payment?: Partial<PaymentOptions>;
}

async function openSolanaShop({ solana = fakeSolanaFacilitator(), payment, ...options }: Options = {}) {
  const shop = openShop({
    fetch: solana.fetch,
    payment: { treasury: { [SOLANA]: addressOf(treasury) }, facilitator: { url: FACILITATOR_URL }, ...payment },
    ...options,
  });
  open.push(shop);
  await settleDown();
  return { ...shop, solana };
}

async function paymentFor(shop: Pick<Shop, "get">, change: TransferOptions = {}, path = WORK, price = unitPrice()) {
  const { accepts } = quoteOf(await shop.get(path));
  const accepted = accepts.find(({ network }) => network === SOLANA);
  const transaction = toBase64(transactionOf({ instructions: [unitLimit(), price, transfer(change)] }));
  return { x402Version: 2, accepted: { ...accepted }, payload: { transaction } };
}

describe("the quote", () => {
  it("lists Solana once a fee payer is known, and never waits for it", async () => {
    const solana = fakeSolanaFacilitator();
    const release = solana.holdSupported();
    const shop = await openSolanaShop({
      solana,
      payment: { treasury: { "eip155:8453": TREASURY, [SOLANA]: addressOf(treasury) } },
    });
    const networks = async () => quoteOf(await shop.get(WORK)).accepts.map(({ network }) => network);
    expect(await networks()).toEqual(["eip155:8453"]);
    release();
    await settleDown();
    expect(await networks()).toEqual(["eip155:8453", SOLANA]);
    const { accepts } = await bodyOf(await shop.get(WORK));
    expect(accepts[1]).toMatchObject({
      amount: accepts[0]?.amount,
      payTo: addressOf(treasury),
      extra: { feePayer: addressOf(feePayer) },
    });
  });

  it("asks nobody where the host names the fee payer", async () => {
    const solana = fakeSolanaFacilitator();
    solana.unlist();
    const shop = await openSolanaShop({ solana, payment: { feePayers: { [SOLANA]: addressOf(stranger) } } });
    expect(quoteOf(await shop.get(WORK)).accepts[0]?.extra).toMatchObject({ feePayer: addressOf(stranger) });
  });

  it("leaves Solana out for work that a signed transaction does not outlive", async () => {
    const slow = (id: string, timeoutMs: number) =>
      defineCapability({
        id,
        summary: "Takes its time.",
        price: "0.001",
        timeoutMs,
        source: { provider: "test", url: "", license: "MIT" },
        input: () => z.strictObject({}),
        output: one(z.object({})),
        example: {},
        run: async () => ({ item: {} }),
      });
    const shop = await openSolanaShop({
      capabilities: [slow("test.slow", 30_001), slow("test.quick", 30_000)],
      payment: { treasury: { "eip155:8453": TREASURY, [SOLANA]: addressOf(treasury) } },
    });
    expect(quoteOf(await shop.get("/test/quick")).accepts).toHaveLength(2);
    expect(quoteOf(await shop.get("/test/slow")).accepts).toHaveLength(2);
    const slowPath = "/test/slow";
    const only = await openSolanaShop({ capabilities: [slow("test.slow", 30_001)] });
    const response = await only.pay(slowPath, await paymentFor(only, {}, slowPath));
    expect(response.status).toBe(200);
    expect(only.solana.calls.map(({ path }) => path)).toEqual(["verify", "settle"]);
  });

  it("comes with a warning to the host when nobody can pay, as the treasury has no token account", async () => {
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (_: object, said: string) => void warnings.push(said) };
    await openSolanaShop({ logger });
    expect(warnings).toContainEqual(expect.stringContaining(`${addressOf(treasury)} has no token account`));
    await openSolanaShop({ logger, payment: { refunds: { [SOLANA]: stranger } } });
    expect(warnings).toContainEqual(
      expect.stringContaining(`payment.refunds: ${addressOf(stranger)} has no token account`),
    );
  });

  it("comes with a warning to the host when nothing can be sold there, and is never an empty list", async () => {
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (_: object, said: string) => void warnings.push(said) };
    const solana = fakeSolanaFacilitator();
    solana.unlist();
    const treasuries = { "eip155:8453": TREASURY, [SOLANA]: addressOf(treasury) };
    const two = await openSolanaShop({ solana, logger, payment: { treasury: treasuries } });
    expect(warnings.join()).toContain(`settles no payments on ${SOLANA}, so nothing is offered there`);
    expect(quoteOf(await two.get(WORK)).accepts).toHaveLength(1);
    const only = await openSolanaShop({ solana, logger });
    expect(warnings.join()).toContain(`settles no payments on ${SOLANA}, so nothing can be sold at all`);
    const answer = await only.get(WORK);
    expect([answer.status, await codeOf(answer)]).toEqual([502, "FACILITATOR_UNAVAILABLE"]);
  });

  it("has its own network name for version 1", async () => {
    const shop = await openSolanaShop();
    const { accepts } = await bodyOf(await shop.get(`${WORK}&x402Version=1`));
    expect(accepts).toEqual([
      expect.objectContaining({
        network: "solana",
        maxAmountRequired: "1000",
        extra: { feePayer: addressOf(feePayer) },
      }),
    ]);
  });

  it.each<[string, Partial<PaymentOptions>, RegExp]>([
    ["a treasury that is no address", { treasury: { [SOLANA]: TREASURY } }, /payment\.treasury\["solana:/],
    ["a fee payer that is no address", { feePayers: { [SOLANA]: "me" } }, /payment\.feePayers\["solana:/],
    [
      "an unknown cluster",
      { treasury: { [`solana:${"1".repeat(32)}`]: addressOf(treasury) } },
      /payment\.assets\["solana:/,
    ],
    [
      "a wallet to pay back from",
      { refunds: { [SOLANA]: privateKeyToAccount(`0x${"22".repeat(32)}`) } },
      /payment\.refunds\["solana:/,
    ],
    [
      "a wallet to pay back from whose keys are two wallets'",
      { refunds: { [SOLANA]: { publicKey: stranger.publicKey, secretKey: refundWallet.secretKey } } },
      /payment\.refunds\["solana:/,
    ],
    [
      "a wallet to pay back from without a node to look at",
      { refunds: { [SOLANA]: refundWallet }, rpc: false },
      /payment\.refunds\["solana:.*needs payment\.rpc/,
    ],
    [
      "a wallet of Solana to pay back from elsewhere",
      { treasury: { "eip155:8453": TREASURY }, refunds: { "eip155:8453": refundWallet } },
      /payment\.refunds\["eip155:8453"\]/,
    ],
    ["no cluster", { treasury: { "solana-beta": addressOf(treasury) } }, /not a CAIP-2 network/],
  ])("is refused at the start for %s", async (_, payment, why) => {
    await expect(openSolanaShop({ payment })).rejects.toThrow(why);
  });
});

describe("a payment", () => {
  it("PAY-2 buys one run, with a receipt, and the facilitator gets our terms", async () => {
    const shop = await openSolanaShop();
    const response = await shop.pay(WORK, await paymentFor(shop));
    expect(response.status).toBe(200);
    expect(receiptOf(response)).toMatchObject({ success: true, network: SOLANA, payer: addressOf(buyer) });
    expect(receiptOf(response).transaction).toBe(shop.solana.landed[0]?.signature);
    expect(shop.events.at(-1)).toMatchObject({ outcome: "paid", payer: addressOf(buyer), network: SOLANA });
    expect(shop.solana.calls.map(({ path }) => path)).toEqual(["verify", "settle"]);
    const { accepted } = withoutRetryKey(await paymentFor(shop));
    expect(shop.solana.calls[1]?.body.paymentRequirements).toEqual(accepted);
  });

  it("PAY-3 PAY-6 PAY-19 is one payment in every spelling and version", async () => {
    const shop = await openSolanaShop();
    const payment = await paymentFor(shop);
    const { transaction } = payment.payload;
    const first = await shop.pay(WORK, payment);
    const text = await first.text();
    const version1 = (payload: object) => ({ x402Version: 1, scheme: "exact", network: "solana", payload });
    const again: [unknown, string?][] = [
      [payment],
      [{ ...payment, payload: { transaction: transaction.replace(/=+$/, "") } }],
      [{ ...payment, payload: { transaction: Buffer.from(transaction, "base64").toString("base64url") } }],
      [payment, "x-payment"],
    ];
    for (const [sent, header] of again) {
      const response = await shop.pay(WORK, sent, header);
      expect([response.status, await response.text()]).toEqual([200, text]);
      expect(response.headers.get("x-svc-replay")).toBe("1");
    }
    // As anybody could write it who saw the settlement.
    expect((await shop.pay(WORK, version1({ transaction }), "x-payment")).status).toBe(402);
    expect([shop.runs(), shop.solana.asked("settle"), shop.solana.landed.length]).toEqual([1, 1, 1]);
  });

  it("PAY-19 of version 1 is answered in its own header too", async () => {
    const shop = await openSolanaShop();
    const { payload } = await paymentFor(shop);
    const unpadded = Buffer.from(payload.transaction, "base64").toString("base64url");
    const sent = { x402Version: 1, scheme: "exact", network: "solana", payload: { transaction: unpadded } };
    const response = await shop.pay(WORK, sent, "x-payment");
    expect(response.status).toBe(200);
    const receipt = JSON.parse(Buffer.from(response.headers.get("x-payment-response") ?? "", "base64").toString());
    expect(receipt).toMatchObject({ success: true, network: "solana", payer: addressOf(buyer) });
    // What the facilitator reads is standard base64, whatever came.
    expect(shop.solana.calls[0]?.body.paymentPayload.payload).toEqual(payload);
  });

  it("PAY-7 used for another request is refused as used", async () => {
    const shop = await openSolanaShop();
    const payment = await paymentFor(shop);
    await shop.pay(WORK, payment);
    for (const path of ["/test/work?n=2", "/test/other?n=1"]) {
      const response = await shop.pay(path, payment);
      expect([response.status, await codeOf(response)]).toEqual([402, "PAYMENT_ALREADY_USED"]);
    }
    expect([shop.runs(), shop.solana.asked("settle")]).toEqual([1, 1]);
  });

  it.each<[string, TransferOptions, object]>([
    ["one unit less is signed", { amount: 999n }, {}],
    ["one unit more is signed", { amount: 1001n }, {}],
    ["another token is signed", { mint: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB" }, {}],
    ["another receiver is signed", { payTo: addressOf(stranger) }, {}],
    ["the copy says another amount", {}, { amount: "999" }],
    ["the copy says another asset", {}, { asset: "epjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v" }],
    ["the copy says another receiver", {}, { payTo: addressOf(stranger) }],
    ["the copy says another fee payer", {}, { extra: { feePayer: addressOf(stranger) } }],
    ["the copy has no extra", {}, { extra: undefined }],
    ["the copy says another network", {}, { network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1" }],
    ["the copy says another scheme", {}, { scheme: "upto" }],
  ])("PAY-9 where %s is refused, and nobody is asked", async (_, signed, copied) => {
    const shop = await openSolanaShop();
    const payment = await paymentFor(shop, signed);
    const response = await shop.pay(WORK, { ...payment, accepted: { ...payment.accepted, ...copied } });
    expect(response.status).toBe(402);
    expect([shop.runs(), shop.solana.calls.length]).toEqual([0, 0]);
  });

  it("PAY-9 may say more in its copy's extra than was offered", async () => {
    const shop = await openSolanaShop();
    const payment = await paymentFor(shop);
    const extra = { ...(payment.accepted.extra ?? {}), recentBlockhash: "11111111111111111111111111111111" };
    expect((await shop.pay(WORK, { ...payment, accepted: { ...payment.accepted, extra } })).status).toBe(200);
  });

  it("PAY-33 sent to two instances, whose facilitator says yes to both, buys one run", async () => {
    const store = createMemoryStore();
    const solana = fakeSolanaFacilitator();
    const shops = [await openSolanaShop({ store, solana }), await openSolanaShop({ store, solana })] as const;
    const payment = await paymentFor(shops[0]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (shops[i % 2] ?? shops[0]).pay(WORK, payment)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get("x-svc-replay") === null)).toHaveLength(1);
    expect([shops[0].runs() + shops[1].runs(), solana.asked("settle")]).toEqual([1, 1]);
  });

  it("may name another of the facilitator's fee payers, as another instance offers it", async () => {
    const shop = await openSolanaShop();
    const extra = { feePayer: addressOf(otherFeePayer) };
    const { accepted } = await paymentFor(shop);
    const transaction = toBase64(transactionOf({ payer: otherFeePayer }));
    const payment = { x402Version: 2, accepted: { ...accepted, extra }, payload: { transaction } };
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect(shop.solana.calls.map(({ body }) => body.paymentRequirements.extra)).toEqual([extra, extra]);

    const stale = { ...payment, payload: { transaction: toBase64(transactionOf()) } };
    expect((await shop.pay(WORK, stale)).status).toBe(402);
  });

  it("is not called invalid before its fee payer is known: its payer would sign another one", async () => {
    const store = createMemoryStore();
    const solana = fakeSolanaFacilitator();
    const before = await openSolanaShop({ store, solana });
    const bought = await paymentFor(before);
    const payment = await paymentFor(before, {}, WORK, unitPrice(2));
    await before.pay(WORK, bought);

    const release = solana.holdSupported();
    const restarted = await openSolanaShop({ store, solana });
    const early = await restarted.pay(WORK, payment);
    expect([early.status, await codeOf(early)]).toEqual([502, "FACILITATOR_UNAVAILABLE"]);
    expect(early.headers.get("retry-after")).not.toBeNull();
    // What was bought before depends on nothing of today.
    expect((await restarted.pay(WORK, bought)).headers.get("x-svc-replay")).toBe("1");
    release();
    await settleDown();
    expect((await restarted.pay(WORK, payment)).status).toBe(200);
    expect(solana.asked("settle")).toBe(2);
  });
});

describe("PAY-24 a settlement whose outcome is unclear", () => {
  it.each(["drop-after", "failed-after"] as const)("%s is found on chain and delivered at once", async (fault) => {
    const shop = await openSolanaShop();
    shop.solana.faults.push(fault);
    const response = await shop.pay(WORK, await paymentFor(shop));
    expect(response.status).toBe(200);
    expect(receiptOf(response).transaction).toBe(shop.solana.landed[0]?.signature);
    expect(shop.runs()).toBe(1);
  });

  it.each(["drop-after", "failed-after"] as const)("%s is pending while the chain cannot be read", async (fault) => {
    const shop = await openSolanaShop();
    shop.solana.hideChain();
    shop.solana.faults.push(fault);
    const payment = await paymentFor(shop);
    const first = await shop.pay(WORK, payment);
    expect([first.status, await codeOf(first)]).toEqual([502, "SETTLEMENT_PENDING"]);
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect([shop.runs(), shop.solana.landed.length]).toEqual([1, 1]);
  });

  it("that failed on chain is refused, and the result withheld", async () => {
    const shop = await openSolanaShop();
    shop.solana.faults.push("fails-on-chain");
    const response = await shop.pay(WORK, await paymentFor(shop));
    expect([response.status, await codeOf(response)]).toEqual([402, "SETTLEMENT_REFUSED"]);
    expect(receiptOf(response)).toMatchObject({ success: false });
  });

  it("that was lost on the way is pending, and settled by the next try", async () => {
    const shop = await openSolanaShop();
    shop.solana.faults.push("drop");
    const payment = await paymentFor(shop);
    expect(await codeOf(await shop.pay(WORK, payment))).toBe("SETTLEMENT_PENDING");
    expect((await shop.pay(WORK, payment)).status).toBe(200);
    expect([shop.runs(), shop.solana.landed.length]).toEqual([1, 1]);
  });
});

describe("Solana beside Base", () => {
  it("is offered to all but buyers of MPP that pay on EVM networks, whose reader fails on other offers", async () => {
    const shop = await openSolanaShop({
      payment: { treasury: { "eip155:8453": TREASURY, [SOLANA]: addressOf(treasury) } },
    });
    const networks = async (accept?: string) =>
      quoteOf(await shop.get(WORK, accept ? { "accept-payment": accept } : {})).accepts.map(({ network }) => network);
    await networks();
    await settleDown();
    expect(await networks()).toEqual(["eip155:8453", SOLANA]);
    for (const accept of ["evm/charge", "tempo/charge;q=0.5, evm/charge", "EVM/charge"])
      expect(await networks(accept)).toEqual(["eip155:8453"]);
    for (const accept of ["solana/charge", "tempo/charge", "x-evm/charge"])
      expect(await networks(accept)).toEqual(["eip155:8453", SOLANA]);
  });
});
