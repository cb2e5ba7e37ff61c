/** Contract wallets whose signature is as long as any account's pay on a real chain, through the official parts. */

import { readFileSync } from "node:fs";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import type { Address } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { type Permit2Chain, startPermit2Chain } from "../support/permit2-chain.js";
import { receiptOf } from "../support/shop.js";
import { TREASURY, toHeader } from "../support/wallets.js";

const URL_OF_WORK = "http://shop.test/api/test/work?n=1";
let lab: Permit2Chain;
let handle: Handler;
let runs = 0;
/** What the facilitator got. */
const seen: Record<string, unknown>[] = [];

const work = defineCapability({
  id: "test.work",
  summary: "Counts its runs.",
  price: "0.001",
  source: { provider: "test", url: "", license: "MIT" },
  input: () => z.strictObject({ n: z.int().describe("Any number") }),
  output: one(z.object({ run: z.number() })),
  example: { n: 1 },
  run: async () => ({ item: { run: ++runs } }),
});

beforeAll(async () => {
  lab = await startPermit2Chain();
  const { chain, facilitator } = lab;
  const note =
    <A extends object[], R>(ask: (...args: A) => R) =>
    (...args: A): R => {
      seen.push((args[0] as { payload: Record<string, unknown> }).payload);
      return ask(...args);
    };
  handle = createHandler({
    capabilities: [work],
    payment: {
      treasury: { [chain.network]: TREASURY },
      facilitator: { ...facilitator, verify: note(facilitator.verify), settle: note(facilitator.settle) },
      rpc: { [chain.network]: chain.rpcUrl },
    },
  });
});
afterAll(async () => {
  await handle?.close();
  await lab?.stop();
});

/** A contract with money that `owner` signs for. */
async function ownedWallet(owner: Address): Promise<Address> {
  const { chain } = lab;
  const source = new URL("../support/contracts/OwnedWallet.artifact.json", import.meta.url);
  const { abi, deployedBytecode } = JSON.parse(readFileSync(source, "utf8"));
  const { address } = privateKeyToAccount(generatePrivateKey());
  await chain.client.setCode({ address, bytecode: deployedBytecode });
  const [account] = await chain.client.getAddresses();
  if (!account) throw new Error("nobody sends it");
  const call = { address, abi, functionName: "initialize", args: [owner], account, chain: chain.chain };
  await chain.client.waitForTransactionReceipt({ hash: await chain.client.writeContract(call) });
  await chain.mint(address, 5000n);
  return address;
}

/** A stock buyer whose account is the contract, and who signs with some key. Says what it sent. */
async function buyAs(address: Address, key = privateKeyToAccount(generatePrivateKey()), beside: object = {}) {
  let payment: { payload: Record<string, unknown> } | undefined;
  const signer = { address, signTypedData: (data: object) => key.signTypedData(data as never) };
  const fetch = wrapFetchWithPayment(
    async (input, init) => {
      const request = new Request(input, init);
      const header = request.headers.get("payment-signature");
      if (header) {
        payment = JSON.parse(Buffer.from(header, "base64").toString());
        Object.assign(payment?.payload ?? {}, beside);
        request.headers.set("payment-signature", toHeader(payment));
      }
      return handle(request);
    },
    new x402Client().register("eip155:*", new ExactEvmScheme(signer as never)),
  );
  const response = await fetch(URL_OF_WORK);
  return { response, payment };
}

it("PAY-15 a contract wallet with a signature of 65 bytes pays, and gets the same again", async () => {
  const owner = privateKeyToAccount(generatePrivateKey());
  const wallet = await ownedWallet(owner.address);
  const { response, payment } = await buyAs(wallet, owner);
  expect(response.status).toBe(200);
  expect(String(payment?.payload.signature)).toHaveLength(2 + 130);
  expect(receiptOf(response)).toMatchObject({ success: true, payer: wallet });
  expect(await lab.chain.balanceOf(wallet)).toBe(4000n);
  const again = await handle(new Request(URL_OF_WORK, { headers: { "payment-signature": toHeader(payment) } }));
  expect([again.status, await again.text()]).toEqual([200, await response.text()]);
  expect(await lab.chain.balanceOf(wallet)).toBe(4000n);
});

it("PAY-15 one that its owner did not sign for gets nothing, and pays nothing", async () => {
  const wallet = await ownedWallet(privateKeyToAccount(generatePrivateKey()).address);
  const before = runs;
  expect((await buyAs(wallet)).response.status).toBe(402);
  expect([runs, await lab.chain.balanceOf(wallet)]).toEqual([before, 5000n]);
});

it("ATK-14 what comes beside the authorization never reaches the facilitator", async () => {
  const owner = privateKeyToAccount(generatePrivateKey());
  const wallet = await ownedWallet(owner.address);
  seen.length = 0;
  const { response, payment } = await buyAs(wallet, owner, { permit2Authorization: { from: wallet }, more: [1] });
  expect(response.status).toBe(200);
  expect(payment?.payload).toHaveProperty("permit2Authorization");
  expect(seen.map((payload) => Object.keys(payload).sort())).toEqual([
    ["authorization", "signature"],
    ["authorization", "signature"],
  ]);
});
