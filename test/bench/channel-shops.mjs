/** The same endpoint, paid by voucher of a payment channel, at our handler and at the official server's. */
import { createHash } from "node:crypto";
import { BatchSettlementEvmScheme as TheirScheme } from "@x402/evm/batch-settlement/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { decodeFunctionData, encodeFunctionResult, getAddress, parseAbi } from "viem/utils";
import { CALL, NETWORK, openOurs, PATH, TREASURY } from "./shops.mjs";

const LIFE_SECONDS = 3600;
/** A thousand dollars in every channel. */
const BALANCE = 1_000_000_000n;
const authorizer = privateKeyToAccount(generatePrivateKey());

const abi = parseAbi([
  "struct Call { address target; bytes callData; }",
  "struct Result { bool success; bytes returnData; }",
  "function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[] results)",
]);
const word = (value) => value.toString(16).padStart(64, "0");

/** A node whose channels are all full and untouched: balance and claimed, no withdrawal, no refund. */
function node(body) {
  const { args } = decodeFunctionData({ abi, data: JSON.parse(body).params[0].data });
  const answers = [`0x${word(BALANCE)}${word(0n)}`, `0x${word(0n)}${word(0n)}`, `0x${word(0n)}`];
  const result = args[1].map((_, i) => ({ success: true, returnData: answers[i % 3] }));
  return Response.json({
    jsonrpc: "2.0",
    id: 1,
    result: encodeFunctionResult({ abi, functionName: "tryAggregate", result }),
  });
}

const stateFor = (payload) => ({
  channelId: payload.voucher.channelId,
  balance: BALANCE.toString(),
  totalClaimed: "0",
  withdrawRequestedAt: 0,
  refundNonce: "0",
});
const kinds = [{ x402Version: 2, scheme: "batch-settlement", network: NETWORK }];
/** It says yes, unread. */
const yes = {
  verify: async ({ payload }) => ({ isValid: true, payer: payload.channelConfig.payer, extra: stateFor(payload) }),
  settle: async ({ payload }) => ({
    success: true,
    transaction: "",
    network: NETWORK,
    payer: payload.channelConfig.payer,
  }),
};

/** @param {import("coinslot").Store} [store] default: in memory */
export function openChannels(store) {
  return openOurs({
    payment: {
      treasury: { [NETWORK]: TREASURY },
      facilitator: { supported: async () => ({ kinds }), ...yes },
      schemes: ["exact", "batch-settlement"],
      channels: { signer: authorizer, allowMemoryStore: true },
      rpc: { [NETWORK]: "http://node.test" },
      maxTimeoutSeconds: LIFE_SECONDS,
    },
    fetch: async (_, { body }) => node(body),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    ...(store ? { store } : {}),
  });
}

/** @param {object} storage one of the official kinds: in memory, in files or in Redis */
export function openTheirChannels(storage) {
  const getSupported = async () => ({ kinds, extensions: [], signers: {} });
  const scheme = new TheirScheme(TREASURY, { storage, receiverAuthorizerSigner: authorizer, withdrawDelay: 86_400 });
  const server = new x402ResourceServer({ ...yes, getSupported }).register(NETWORK, scheme);
  const accepts = {
    scheme: "batch-settlement",
    price: "$0.001",
    network: NETWORK,
    payTo: TREASURY,
    maxTimeoutSeconds: LIFE_SECONDS,
  };
  const app = new Hono().use(paymentMiddleware({ [`GET ${PATH}`]: { accepts, description: "Convert." } }, server));
  app.get(PATH, (c) => c.json({ data: { ok: true, items: [{ result: Number(c.req.query("value")) / 0.45359237 }] } }));
  return app.fetch;
}

/** Vouchers of one new channel, each for one call more than the last, as header values. */
async function signVouchers(offer, count) {
  const { signVoucher, computeChannelId } = await import("@x402/evm/batch-settlement/client");
  const wallet = privateKeyToAccount(generatePrivateKey());
  const channelConfig = {
    payer: wallet.address,
    payerAuthorizer: wallet.address,
    receiver: offer.payTo,
    receiverAuthorizer: getAddress(offer.extra.receiverAuthorizer),
    token: offer.asset,
    withdrawDelay: offer.extra.withdrawDelay,
    salt: `0x${createHash("sha256").update(wallet.address).digest("hex")}`,
  };
  const id = computeChannelId(channelConfig, NETWORK);
  const headers = [];
  for (let call = 1n; call <= BigInt(count); call++) {
    const ceiling = (call * BigInt(offer.amount)).toString();
    const voucher = await signVoucher(wallet, id, ceiling, NETWORK);
    const payment = { x402Version: 2, accepted: offer, payload: { type: "voucher", channelConfig, voucher } };
    headers.push(Buffer.from(JSON.stringify(payment)).toString("base64"));
  }
  return headers;
}

const channelOffer = (response) =>
  JSON.parse(Buffer.from(response.headers.get("payment-required"), "base64").toString()).accepts.find(
    ({ scheme }) => scheme === "batch-settlement",
  );

/** Sends one payment after the other. */
export function buyer(name, handle, payments) {
  let next = 0;
  return {
    name,
    async run() {
      const headers = { "payment-signature": payments[next++] };
      const response = await handle(new Request(CALL, { headers }));
      if (response.status !== 200) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
      if (response.headers.has("x-svc-replay")) throw new Error(`${name} sold a payment's answer twice.`);
    },
  };
}

/** A buyer with so many vouchers of a channel that is open. */
export async function channelBuyer(name, handle, count) {
  await handle(new Request(CALL));
  const offer = channelOffer(await handle(new Request(CALL)));
  return buyer(name, handle, await signVouchers(offer, count));
}
