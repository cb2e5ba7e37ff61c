import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability, one } from "../../src/capability.js";
import { createHandler, type Handler } from "../../src/handler.js";
import { bodyOf } from "../support/body.js";
import { receiptOf } from "../support/shop.js";
import { addressOf, associatedAccountOf, SOLANA, treasury } from "../support/solana.js";
import { type SolanaChain, startSolanaChain } from "../support/solana-chain.js";
import { createSolanaBuyer, startSolanaFacilitator } from "../support/solana-lab.js";
import { quoteOf, toHeader } from "../support/wallets.js";

let chain: SolanaChain;
let facilitator: Awaited<ReturnType<typeof startSolanaFacilitator>>;
let buyer: Awaited<ReturnType<typeof createSolanaBuyer>>;
let shop: Handler;
let runs = 0;
const warnings: string[] = [];
/** What the buyer sent last. */
let sent: Request | undefined;

const work = defineCapability({
  id: "test.work",
  summary: "Counts its runs.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ run: z.number() })),
  example: { n: 1 },
  run: async () => ({ item: { run: ++runs } }),
});

function openShop(): Handler {
  return createHandler({
    capabilities: [work],
    payment: {
      treasury: { [SOLANA]: addressOf(treasury) },
      facilitator: { url: facilitator.url },
      rpc: { [SOLANA]: chain.rpcUrl },
    },
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
  warnings.length = 0;
  chain.mint(buyer.address, 5000n);
  chain.mint(addressOf(treasury), 0n);
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
