import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { bodyOf } from "../support/body.js";
import { receiptOf } from "../support/shop.js";
import { addressOf, associatedAccountOf, refundWallet, SOLANA, treasury } from "../support/solana.js";
import { type SolanaChain, startSolanaChain } from "../support/solana-chain.js";
import { createSolanaBuyer, startSolanaFacilitator } from "../support/solana-lab.js";
import { quoteOf, toHeader } from "../support/wallets.js";

let chain: SolanaChain;
let facilitator: Awaited<ReturnType<typeof startSolanaFacilitator>>;
let buyer: Awaited<ReturnType<typeof createSolanaBuyer>>;
let shop: Handler;
let runs = 0;
/** Ahead of the real time, so that what is due later is due now. */
let aheadMs = 0;
const clock = () => new Date(Date.now() + aheadMs);
const warnings: string[] = [];
/** What the buyer sent last. */
let sent: Request | undefined;

const about = {
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ run: z.number() })),
  example: { n: 1 },
};
const work = defineCapability({
  ...about,
  id: "test.work",
  summary: "Counts its runs.",
  price: "0.001",
  run: async () => ({ item: { run: ++runs } }),
});

/** Uses less than half of what it may cost. */
const model = defineCapability({
  ...about,
  id: "test.model",
  summary: "Is billed by usage.",
  price: "0.02",
  billing: "upto",
  run(_, { meter }) {
    meter.add("0.0075");
    return { item: { run: ++runs } };
  },
});

function openShop(): Handler {
  return createHandler({
    capabilities: [work, model],
    payment: {
      treasury: { [SOLANA]: addressOf(treasury) },
      facilitator: { url: facilitator.url },
      rpc: { [SOLANA]: chain.rpcUrl },
      refunds: { [SOLANA]: refundWallet },
    },
    clock,
    logger: { debug() {}, info() {}, error() {}, warn: (_, message) => void warnings.push(message) },
  });
}

const url = "http://shop.test/api/test/work?n=1";
const offers = async () => quoteOf(await shop(new Request(url))).accepts.map(({ network }) => network);

beforeAll(async () => {
  chain = await startSolanaChain();
  facilitator = await startSolanaFacilitator(chain);
  buyer = await createSolanaBuyer(chain, (input, init) => {
    sent = new Request(input, init);
    return shop(sent.clone());
  });
});
afterAll(async () => {
  await facilitator.stop();
  await chain.stop();
});
beforeEach(async () => {
  runs = 0;
  aheadMs = 0;
  warnings.length = 0;
  chain.mint(buyer.address, 5000n);
  chain.mint(addressOf(treasury), 0n);
  chain.mint(addressOf(refundWallet), 50_000n);
  await shop?.close();
  shop = openShop();
  await expect.poll(offers).toEqual([SOLANA]);
});
afterAll(() => shop.close());

const balances = () => [chain.balanceOf(buyer.address), chain.balanceOf(addressOf(treasury))];

describe("a stock buyer on Solana", () => {
  it("pays through the official facilitator, and the money moves", async () => {
    const response = await buyer.fetch(url);
    expect(response.status).toBe(200);
    expect(receiptOf(response)).toMatchObject({ success: true, network: SOLANA, payer: buyer.address });
    expect(receiptOf(response).transaction).toBe(chain.landed[0]?.signature);
    expect(balances()).toEqual([4000n, 1000n]);
    expect(warnings.join()).not.toContain("token account");
  });

  it("that sends its payment again gets the same answer, and pays once", async () => {
    const first = await (await buyer.fetch(url)).text();
    if (!sent) throw new Error("nothing was sent");
    const again = await shop(sent);
    expect([again.status, await again.text(), again.headers.get("x-svc-replay")]).toEqual([200, first, "1"]);
    expect(balances()).toEqual([4000n, 1000n]);
    expect(runs).toBe(1);
  });

  it("ATK-3 shares nothing with a stranger who takes its transaction from the chain", async () => {
    const first = await (await buyer.fetch(url)).text();
    const bytes = Buffer.from(chain.landed[0]?.bytes ?? []);
    // The facilitator's signature is the first of the two; buyers leave its place empty.
    const transaction = Buffer.from(bytes).fill(0, 1, 65).toString("base64");
    const [accepted] = quoteOf(await shop(new Request(url))).accepts;
    const network = { scheme: "exact", network: "solana" };
    for (const payment of [
      { x402Version: 2, accepted, payload: { transaction } },
      { x402Version: 1, ...network, payload: { transaction } },
    ]) {
      const answer = await shop(new Request(url, { headers: { "payment-signature": toHeader(payment) } }));
      expect([answer.status, (await bodyOf(answer)).extensions.code]).toEqual([402, "PAYMENT_ALREADY_USED"]);
    }
    const again = await shop((sent as Request).clone());
    expect([again.status, await again.text(), runs]).toEqual([200, first, 1]);
    expect(balances()).toEqual([4000n, 1000n]);
  });

  it("pays in version 1, with the same transaction inside", async () => {
    const quote = await bodyOf(await shop(new Request(`${url}&x402Version=1`)));
    const [accepted] = quote.accepts;
    expect(accepted?.network).toBe("solana");
    const { payload } = await buyer.scheme.createPaymentPayload(1, {
      ...accepted,
      amount: String(accepted?.maxAmountRequired),
      network: SOLANA,
    } as never);
    const payment = toHeader({ x402Version: 1, scheme: "exact", network: "solana", payload });
    const response = await shop(new Request(url, { headers: { "x-payment": payment } }));
    expect(response.status).toBe(200);
    expect(response.headers.get("x-payment-response")).not.toBeNull();
    expect(balances()).toEqual([4000n, 1000n]);
  });

  it("PAY-24 is served when the facilitator's answer is lost: its payment is found on chain", async () => {
    facilitator.lose();
    const response = await buyer.fetch(url);
    expect(response.status).toBe(200);
    expect(receiptOf(response).transaction).toBe(chain.landed[0]?.signature);
    expect([balances(), runs]).toEqual([[4000n, 1000n], 1]);
  });

  it("PAY-32 without enough money gets nothing done", async () => {
    chain.mint(buyer.address, 999n);
    expect((await buyer.fetch(url)).status).toBe(402);
    expect([balances(), runs]).toEqual([[999n, 0n], 0]);
  });

  it("is refused once its transaction is too old, and nothing is done", async () => {
    const [terms] = quoteOf(await shop(new Request(url))).accepts;
    const { payload } = await buyer.scheme.createPaymentPayload(2, terms as never);
    chain.skip(151);
    const payment = toHeader({ x402Version: 2, accepted: terms, payload });
    const response = await shop(new Request(url, { headers: { "payment-signature": payment } }));
    expect([response.status, (await bodyOf(response)).extensions.code]).toEqual([402, "PAYMENT_REFUSED"]);
    expect([balances(), runs]).toEqual([[5000n, 0n], 0]);
  });
});

describe("PAY-40 the unused part of a payment on Solana", () => {
  const modelUrl = "http://shop.test/api/test/model?n=1";
  const usageOf = async (response: Response) => (await bodyOf(response)).meta.usage;
  const everything = () => [...balances(), chain.balanceOf(addressOf(refundWallet))];
  beforeEach(() => chain.mint(buyer.address, 30_000n));
  /** The background's next turn, when the chain has gone on by this many blocks. */
  async function retry(blocks: number): Promise<void> {
    chain.skip(blocks);
    aheadMs += 181_000;
    await shop.reconcile();
  }
  async function repeat(): Promise<Response> {
    if (!sent) throw new Error("nothing was sent");
    return shop(sent.clone());
  }

  it("goes back to the buyer on chain, at the facilitator's expense", async () => {
    const response = await buyer.fetch(modelUrl);
    expect(await usageOf(response)).toMatchObject({ settledUsd: "0.02", returnedUsd: "0.0125", usedUsd: "0.0075" });
    // The buyer has paid 7500, the treasury has 20000, and the wallet of returns has 12500 less.
    expect(everything()).toEqual([22_500n, 20_000n, 37_500n]);
    expect(chain.landed[0]).toMatchObject({ err: null, memo: expect.stringMatching(/^\[64\] [0-9a-f]{64}$/) });
    expect((await shop.ledger()).total).toMatchObject({ settledUsd: "0.02", returnedUsd: "0.0125", owedUsd: "0" });
  });

  it("goes back once when the answer to its settlement is lost", async () => {
    facilitator.lose(2);
    expect(await usageOf(await buyer.fetch(modelUrl))).toMatchObject({ returnedUsd: "0.0125" });
    for (let i = 0; i < 4; i++) await retry(200);
    expect(everything()).toEqual([22_500n, 20_000n, 37_500n]);
  });

  it("goes back once when it could not at first, by a transaction of its own", async () => {
    chain.mint(addressOf(refundWallet), 0n);
    expect(await usageOf(await buyer.fetch(modelUrl))).toMatchObject({ owedUsd: "0.0125" });
    expect(everything()).toEqual([10_000n, 20_000n, 0n]);
    chain.mint(addressOf(refundWallet), 50_000n);
    for (let i = 0; i < 4; i++) await retry(200);
    expect(everything()).toEqual([22_500n, 20_000n, 37_500n]);
    expect(await usageOf(await repeat())).toMatchObject({ returnedUsd: "0.0125" });
  });

  it("becomes credit when it cannot, and is not returned as well", async () => {
    chain.mint(addressOf(refundWallet), 0n);
    await buyer.fetch(modelUrl);
    for (let i = 0; i < 5; i++) await retry(200);
    chain.mint(addressOf(refundWallet), 50_000n);
    await retry(200);
    expect(await usageOf(await repeat())).toMatchObject({ creditedUsd: "0.0125" });
    expect(everything()).toEqual([10_000n, 20_000n, 50_000n]);
  });
});

describe("a treasury on Solana", () => {
  it("that has no token account is warned of, by name", async () => {
    const owner = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ8";
    const handle = createHandler({
      capabilities: [work],
      payment: {
        treasury: { [SOLANA]: owner },
        facilitator: { url: facilitator.url },
        rpc: { [SOLANA]: chain.rpcUrl },
      },
      logger: { debug() {}, info() {}, error() {}, warn: (_, message) => void warnings.push(message) },
    });
    await expect.poll(() => warnings.join()).toContain(`Create ${associatedAccountOf(owner)}`);
    await handle.close();
  });
});
