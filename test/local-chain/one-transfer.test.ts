/** One transfer on chain pays for one payment, whatever else its payer puts into the same transaction. */
import { encodeFunctionData, parseAbi } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type Chain, startChain } from "../../examples/local-chain/chain.js";
import { startFacilitator } from "../../examples/local-chain/facilitator.js";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { bodyOf } from "../support/body.js";
import { quoteOf, type SignedPayment, sign, TREASURY, toHeader } from "../support/wallets.js";

const MULTICALL3 = "0xcA11bde05977b3631167028862bE2a173976CA11";
const TOKEN = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)",
]);
const MULTICALL = parseAbi([
  "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])",
]);

let chain: Chain;
let facilitator: Awaited<ReturnType<typeof startFacilitator>>;
let handle: Handler;
let finish: () => void;
let working: Promise<void>;
let runs = 0;

const work = defineCapability({
  id: "test.work",
  summary: "Waits until it is told to finish.",
  price: "0.01",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({})),
  example: { n: 1 },
  async run() {
    runs++;
    await working;
    return { item: {} };
  },
});

beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator({ chain });
  working = new Promise((resolve) => {
    finish = resolve;
  });
  handle = createHandler({
    capabilities: [work],
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator: { url: facilitator.url },
      rpc: { [chain.network]: chain.rpcUrl },
    },
  });
});
afterAll(async () => {
  await handle?.close();
  await facilitator?.stop();
  await chain?.stop();
});

const call = ({ authorization, signature }: SignedPayment["payload"]) =>
  encodeFunctionData({
    abi: TOKEN,
    functionName: "transferWithAuthorization",
    args: [
      authorization.from as `0x${string}`,
      authorization.to as `0x${string}`,
      BigInt(authorization.value),
      BigInt(authorization.validAfter),
      BigInt(authorization.validBefore),
      authorization.nonce as `0x${string}`,
      signature as `0x${string}`,
    ],
  });

it("delivers once where a payer uses up the nonces of many payments beside one real transfer", async () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  await chain.mint(wallet.address, 1_000_000n);
  const now = Math.floor(Date.now() / 1000);
  const url = "http://shop.test/api/test/work?n=1";
  const [requirements] = quoteOf(await handle(new Request(url))).accepts;
  if (!requirements) throw new Error("nothing offered");
  const payments = await Promise.all(Array.from({ length: 6 }, () => sign(requirements, { wallet, now })));
  const answers = payments.map((payment) =>
    handle(new Request(url, { headers: { "payment-signature": toHeader(payment) } })),
  );
  while (runs < payments.length) await new Promise((resolve) => setTimeout(resolve, 20));

  const [paid, ...rest] = payments;
  const voids = await Promise.all(
    rest.map(({ payload: { authorization } }) =>
      sign(requirements, { wallet, now, authorization: { ...authorization, to: wallet.address, value: "0" } }),
    ),
  );
  const calls = [...voids.slice(0, 3), paid, ...voids.slice(3)].map((payment) => ({
    target: chain.usdc.address as `0x${string}`,
    callData: call((payment as SignedPayment).payload),
  }));
  const [account] = await chain.client.getAddresses();
  if (!account) throw new Error("nobody sends it");
  const hash = await chain.client.writeContract({
    ...{ account, chain: chain.chain, address: MULTICALL3, abi: MULTICALL },
    functionName: "tryAggregate",
    args: [true, calls],
  });
  expect((await chain.client.waitForTransactionReceipt({ hash })).status).toBe("success");
  finish();

  const ended = await Promise.all(answers);
  expect(ended.map(({ status }) => status)).toEqual([200, 402, 402, 402, 402, 402]);
  expect((await bodyOf(ended[0] as Response)).meta).toMatchObject({ payment: { transaction: hash } });
  expect(await chain.balanceOf(TREASURY)).toBe(10_000n);
  expect((await handle.ledger()).total).toMatchObject({ calls: 1, settledUsd: "0.01" });
});
