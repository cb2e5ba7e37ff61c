/** Who reads a settlement on the chain and sends its payment again gets nothing, whatever client they write it as. */
import { randomUUID } from "node:crypto";
import { toClientEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { ExactEvmSchemeV1 } from "@x402/evm/exact/v1/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { type Abi, concat, decodeFunctionData, type Hex, numberToHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { defineCapability } from "../../src/capability/define.js";
import { one } from "../../src/capability/output.js";
import { createHandler, type Handler } from "../../src/handler/handler.js";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { bodyOf } from "../support/body.js";
import { type Permit2Chain, startPermit2Chain } from "../support/permit2-chain.js";
import { receiptOf } from "../support/shop.js";
import { PROXY_ABI } from "../support/upto-proxy-abi.js";
import { TREASURY, toHeader } from "../support/wallets.js";

let runs = 0;
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
/** Uses less than it may cost: what is left becomes credit, or is not settled at all. */
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
const WORK = "http://shop.test/api/test/work?n=1";
const MODEL = "http://shop.test/api/test/model?n=1";

let lab: Permit2Chain;
/** Two instances on one store. */
let shops: Handler[];

beforeAll(async () => {
  lab = await startPermit2Chain();
  const { chain, facilitator } = lab;
  const store = createMemoryStore();
  shops = [0, 1].map(() =>
    createHandler({
      capabilities: [work, model],
      store,
      payment: {
        treasury: { [chain.network]: TREASURY },
        facilitator,
        schemes: ["exact", "upto"],
        rpc: { [chain.network]: chain.rpcUrl },
      },
    }),
  );
  // The facilitator is asked what it supports.
  await new Promise((resolve) => setTimeout(resolve, 50));
});
afterAll(async () => {
  for (const handle of shops ?? []) await handle.close();
  await lab?.stop();
});

const shop = (n: number) => shops[n] as Handler;

interface Purchase {
  /** As the buyer sent it: sent again, it is the very same bytes. */
  sent: Request;
  response: Response;
  text: string;
}

/** A stock buyer with money buys once. */
async function buy(url: string, client: "exact" | "upto" | "version 1"): Promise<Purchase> {
  const account = privateKeyToAccount(generatePrivateKey());
  await lab.chain.mint(account.address, 100_000n);
  const signer = toClientEvmSigner(account, lab.chain.client as never);
  const buyer = new x402Client();
  if (client === "exact") buyer.register("eip155:*", new ExactEvmScheme(signer));
  else if (client === "upto") buyer.register("eip155:*", new UptoEvmScheme(signer));
  else buyer.registerV1("base", new ExactEvmSchemeV1(signer));
  let sent = new Request(url);
  const fetch = wrapFetchWithPayment(async (input, init) => {
    sent = new Request(input, init);
    const answer = await shop(0)(sent.clone());
    // A client of version 1 alone has a server that sends no other terms.
    if (client === "version 1") answer.headers.delete("payment-required");
    return answer;
  }, buyer);
  const headers: Record<string, string> =
    client === "version 1" ? { "x-402-version": "1", "idempotency-key": randomUUID() } : {};
  const response = await fetch(url, { headers });
  expect(response.status).toBe(200);
  return { sent, response, text: await response.clone().text() };
}

/** What the settlement's calldata holds of the payment: all that was signed. */
async function seenOnChain(hash: Hex): Promise<Record<string, unknown>> {
  const { input } = await lab.chain.client.getTransaction({ hash });
  const { usdc } = lab.chain;
  try {
    const { args = [] } = decodeFunctionData({ abi: usdc.abi as Abi, data: input });
    const [from, to, value, validAfter, validBefore, nonce, ...signature] = args as [...string[]];
    const hex =
      signature.length === 1
        ? signature[0]
        : concat([signature[1], signature[2], numberToHex(Number(signature[0]))] as Hex[]);
    return {
      signature: hex,
      authorization: {
        ...{ from, to, nonce },
        ...{ value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) },
      },
    };
  } catch {
    const { args = [] } = decodeFunctionData({ abi: PROXY_ABI as Abi, data: input });
    const [permit, , from, witness, signature] = args.slice(-5) as [
      { permitted: { token: string; amount: bigint }; nonce: bigint; deadline: bigint },
      bigint,
      string,
      { to: string; facilitator: string; validAfter: bigint },
      string,
    ];
    const { permitted, nonce, deadline } = permit;
    return {
      signature,
      permit2Authorization: {
        from,
        spender: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
        permitted: { ...permitted, amount: String(permitted.amount) },
        ...{ nonce: String(nonce), deadline: String(deadline) },
        witness: { ...witness, validAfter: String(witness.validAfter) },
      },
    };
  }
}

/** The official client of each kind, which puts into its own format what somebody else has signed. */
async function sendStolen(url: string, payload: Record<string, unknown>, handle: Handler): Promise<Response[]> {
  const scheme = "permit2Authorization" in payload ? "upto" : "exact";
  const thief = { scheme, createPaymentPayload: async () => ({ x402Version: 2, payload }) };
  const current = wrapFetchWithPayment(
    async (input, init) => handle(new Request(input, init)),
    new x402Client().register("eip155:*", thief as never).setSpendControls(false),
  );
  const version1 = { x402Version: 1, scheme, network: "base", payload };
  return [
    await current(url),
    await handle(new Request(url, { headers: { "x-payment": toHeader(version1) } })),
    await handle(new Request(url, { headers: { "payment-signature": toHeader(version1) } })),
  ];
}

it.each([
  ["exact", WORK],
  ["exact", MODEL],
  ["upto", MODEL],
  ["version 1", WORK],
  ["version 1", MODEL],
] as const)(
  "ATK-3 a stranger with the calldata of an %s payment for %s gets nothing; its buyer gets it all again",
  async (client, url) => {
    const { sent, response, text } = await buy(url, client);
    const before = runs;
    const credit = response.headers.get("x-svc-credit");
    expect(credit !== null).toBe(url === MODEL && client !== "upto");
    const payload = await seenOnChain(receiptOf(response).transaction as Hex);
    // It is the whole payment: nothing that was signed is missing.
    const header = sent.headers.get("payment-signature") ?? sent.headers.get("x-payment") ?? "";
    const signed = JSON.parse(Buffer.from(header, "base64").toString()).payload;
    expect(JSON.stringify(payload).toLowerCase()).toContain(signed.signature.toLowerCase());

    const received = await lab.chain.balanceOf(TREASURY);
    for (const handle of shops) {
      for (const target of client === "upto" ? [MODEL] : [WORK, MODEL])
        for (const answer of await sendStolen(target, payload, handle)) {
          const body = await bodyOf(answer.clone());
          expect([answer.status, body.extensions?.code ?? body.error]).toEqual([402, "PAYMENT_ALREADY_USED"]);
          expect([answer.headers.get("x-svc-credit"), answer.headers.get("payment-response")]).toEqual([null, null]);
        }
      const again = await handle(sent.clone());
      expect([again.status, await again.text(), again.headers.get("x-svc-credit")]).toEqual([200, text, credit]);
    }
    expect([runs, await lab.chain.balanceOf(TREASURY)]).toEqual([before, received]);
  },
);
