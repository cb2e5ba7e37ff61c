/** What a facilitator's no is worth after its yes, and what a payer can make the chain show (ATK-1, ATK-2). */
import { toClientEvmSigner } from "@x402/evm";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi, parseEther } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { PERMIT2 } from "../../src/payment/rails/evm/chain/permit2-contracts.js";
import { bodyOf } from "../support/body.js";
import { type Permit2Chain, startPermit2Chain } from "../support/permit2-chain.js";
import { quoteOf, sign, TREASURY, toHeader } from "../support/wallets.js";

const MODEL = "http://shop.test/api/test/model?n=1";
const TOKEN = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
]);
const NONCES = parseAbi(["function invalidateUnorderedNonces(uint256 word, uint256 mask)"]);

let lab: Permit2Chain;
let handle: Handler;
let finish: () => void;
let working: Promise<void>;
let runs = 0;
/** The facilitator's next answer to a settlement, in the place of its own. */
let says: object | undefined;

const model = defineCapability({
  id: "test.model",
  summary: "Waits until it is told to finish, and uses less than it may cost.",
  price: "0.02",
  billing: "upto",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({})),
  example: { n: 1 },
  async run(_, { meter }) {
    runs++;
    meter.add("0.0075");
    await working;
    return { item: {} };
  },
});

beforeAll(async () => {
  lab = await startPermit2Chain();
});
afterAll(() => lab?.stop());
beforeEach(async () => {
  const { chain, facilitator } = lab;
  runs = 0;
  says = undefined;
  working = new Promise((resolve) => {
    finish = resolve;
  });
  handle = createHandler({
    capabilities: [model],
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator: {
        ...facilitator,
        settle: async (...args) => says ?? facilitator.settle(...args),
      },
      schemes: ["exact", "upto"],
      rpc: { [chain.network]: chain.rpcUrl },
    },
  });
  // The facilitator is asked what it supports.
  await new Promise((resolve) => setTimeout(resolve, 50));
});
afterEach(() => handle?.close());

const pay = (payment: unknown) => handle(new Request(MODEL, { headers: { "payment-signature": toHeader(payment) } }));
const offer = async (scheme: string) => {
  const found = quoteOf(await handle(new Request(MODEL))).accepts.find((terms) => terms.scheme === scheme);
  if (!found) throw new Error(`no ${scheme} is offered`);
  return found;
};
const started = (count: number) => expect.poll(() => runs).toBe(count);

async function newWallet(): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey());
  await lab.chain.client.setBalance({ address: account.address, value: parseEther("1") });
  await lab.chain.mint(account.address, 100_000n);
  return account;
}

/** The payer sends a transaction of its own. */
async function send(account: PrivateKeyAccount, to: Hex, data: Hex): Promise<void> {
  const { client, chain } = lab.chain;
  const hash = await client.sendTransaction({ account, chain, to, data });
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe("success");
}

const transfer = (amount: bigint): Hex =>
  encodeFunctionData({ abi: TOKEN, functionName: "transfer", args: [TREASURY, amount] });

it("ATK-1 no Permit2 payment is paid by one transfer whose calldata names the nonces that its payer used up", async () => {
  const { usdc, client } = lab.chain;
  const payer = await newWallet();
  const approval = encodeFunctionData({ abi: TOKEN, functionName: "approve", args: [PERMIT2, 2n ** 255n] });
  await send(payer, usdc.address, approval);
  const terms = await offer("upto");
  const buyer = new UptoEvmScheme(toClientEvmSigner(payer, client as never));
  const payments = await Promise.all(
    Array.from({ length: 4 }, async () => ({
      ...(await buyer.createPaymentPayload(2, terms as never)),
      accepted: terms,
    })),
  );
  const answers = payments.map(pay);
  await started(4);

  const nonces = payments.map(({ payload }) =>
    BigInt((payload as { permit2Authorization: { nonce: string } }).permit2Authorization.nonce),
  );
  const received = await lab.chain.balanceOf(TREASURY);
  // Of the very amount that each of them is about to be settled for.
  await send(
    payer,
    usdc.address,
    concat([transfer(7500n), ...nonces.map((nonce) => numberToHex(nonce, { size: 32 }))]),
  );
  for (const nonce of nonces)
    await send(
      payer,
      PERMIT2,
      encodeFunctionData({
        abi: NONCES,
        functionName: "invalidateUnorderedNonces",
        args: [nonce >> 8n, 1n << (nonce & 255n)],
      }),
    );
  finish();

  for (const answer of await Promise.all(answers)) {
    expect([402, 502]).toContain(answer.status);
    expect(await answer.text()).not.toContain('"data"');
  }
  expect(await lab.chain.balanceOf(TREASURY)).toBe(received + 7500n);
  expect((await handle.ledger()).rows).toEqual([]);
});

describe("ATK-2 a facilitator that says that nothing was sent", () => {
  const poor = { success: false, errorReason: "insufficient_funds", transaction: "" };

  async function buy(whileWorking: (payer: PrivateKeyAccount) => Promise<void> = async () => {}) {
    const payer = await newWallet();
    const payment = await sign(await offer("exact"), { wallet: payer, now: Math.floor(Date.now() / 1000) });
    const answer = pay(payment);
    await started(1);
    await whileWorking(payer);
    finish();
    return { payer, payment, response: await answer };
  }

  it("is believed where the payer's account is empty by now", async () => {
    const { response } = await buy((payer) => send(payer, lab.chain.usdc.address, transfer(90_000n)));
    expect([response.status, (await bodyOf(response)).extensions.code]).toEqual([402, "SETTLEMENT_REFUSED"]);
  });

  it("is not believed where the chain shows that the payer can pay: the payment is pending, and pays", async () => {
    says = poor;
    const { payer, payment, response } = await buy();
    expect([response.status, (await bodyOf(response)).code]).toEqual([502, "SETTLEMENT_PENDING"]);
    says = undefined;
    expect((await pay(payment)).status).toBe(200);
    expect([await lab.chain.balanceOf(payer.address), runs]).toEqual([80_000n, 1]);
  });

  it("is not believed where its transaction is on the way and lands late", async () => {
    says = poor;
    const { payer, payment, response } = await buy();
    expect(response.status).toBe(502);
    await lab.facilitator.settle(payment, payment.accepted);
    expect((await pay(payment)).status).toBe(200);
    expect([await lab.chain.balanceOf(payer.address), runs]).toEqual([80_000n, 1]);
  });
});
