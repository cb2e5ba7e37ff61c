/** Transfers by EIP-3009: the token takes an authorization signed by its owner, whoever submits it. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import { AUTHORIZATION_TYPES, type AuthorizationMessage, type EvmSigner } from "../../options/evm-signer.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../../x402/wire.js";
import type { CheckedPayment, RefundOrder } from "../rail.js";
import { lacksFunds } from "./chain/chain.js";
import { findAuthorization } from "./chain/lookup.js";
import { address, isSignedBy, sameAddress, signature, uint256 } from "./chain/signature.js";
import { type EvmChain, REFUND_LIFE_SECONDS, type TransferMethod } from "./transfer.js";

const authorizationPayload = once(() =>
  z.object({
    signature: signature(),
    authorization: z.object({
      from: address(),
      to: address(),
      value: uint256(),
      validAfter: uint256(),
      validBefore: uint256(),
      nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
    }),
  }),
);
type AuthorizationPayload = z.infer<ReturnType<typeof authorizationPayload>>;
type Authorization = AuthorizationPayload["authorization"];

const read = new WeakMap<object, AuthorizationPayload>();

/** Cached, since a payment is identified first and checked later. Undefined if it is invalid. */
function readPayload(payload: PaymentPayload["payload"]): AuthorizationPayload | undefined {
  const known = read.get(payload);
  if (known) return known;
  const { data } = authorizationPayload().safeParse(payload);
  if (data) read.set(payload, data);
  return data;
}

/** Addresses in lower case, because a wrong checksum in mixed case would be refused. */
function messageOf({ from, to, value, validAfter, validBefore, nonce }: Authorization): AuthorizationMessage {
  return {
    from: from.toLowerCase() as `0x${string}`,
    to: to.toLowerCase() as `0x${string}`,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce: nonce as `0x${string}`,
  };
}

/** `exact` by EIP-3009, a signed authorization that the facilitator submits to the token. */
export const eip3009: TransferMethod = {
  extra: ({ name, version }) => ({ name: String(name), version: String(version) }),
  read(network, payload) {
    const sent = readPayload(payload);
    return sent && { id: idOf(network, sent.authorization), amount: sent.authorization.value };
  },
  check: checkAuthorization,
  lookup: findAuthorization,
  lacksFunds,
  signRefund,
};

/** The authorization of a refund. Its nonce is derived from the order, so the chain accepts it once. */
async function signRefund(
  signer: EvmSigner,
  back: RefundOrder,
  requirements: PaymentRequirements,
  chainId: number,
): Promise<PaymentToSettle> {
  const authorization: Authorization = {
    from: signer.address,
    to: back.to,
    value: requirements.amount,
    validAfter: "0",
    validBefore: String(back.now + REFUND_LIFE_SECONDS),
    // guard: a return's nonce follows from its payment | order} -> order} ${Math.random()} | USAGE
    nonce: `0x${createHash("sha256").update(`return ${back.order}`).digest("hex")}`,
  };
  const signature = await signer.signTypedData({
    domain: domainOf(requirements, chainId),
    types: AUTHORIZATION_TYPES,
    primaryType: "TransferWithAuthorization",
    message: messageOf(authorization),
  });
  return { payload: { signature, authorization }, requirements, payer: signer.address };
}

async function checkAuthorization(
  payment: PaymentPayload,
  requirements: PaymentRequirements,
  { chainId, rpc }: EvmChain,
): Promise<CheckedPayment> {
  const sent = readPayload(payment.payload);
  if (!sent)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The payment must be an EIP-3009 authorization with its signature.");
  const { authorization, signature } = sent;
  // guard: the signed payee is the treasury | gone | PAYMENT
  if (!sameAddress(authorization.to, requirements.payTo)) throw mismatch("is made out to another address");
  // guard: the signed amount is the price | gone | PAYMENT
  if (authorization.value !== requirements.amount)
    throw mismatch(`is for ${authorization.value} atomic units, not the ${requirements.amount} asked`);

  const data = {
    domain: domainOf(requirements, chainId),
    types: AUTHORIZATION_TYPES,
    primaryType: "TransferWithAuthorization",
    message: messageOf(authorization),
  } as const;
  const proven = await isSignedBy(authorization.from, { data, hex: signature }, rpc);
  return {
    id: idOf(requirements.network, authorization),
    payer: authorization.from,
    proven,
    // Only the signed fields are passed on, because a facilitator might misread anything else.
    payload: sent,
    signatureHash: createHash("sha256").update(signature.toLowerCase()).digest("hex"),
    validAfter: Number(authorization.validAfter),
    validBefore: Number(authorization.validBefore),
  };
}

/** Without the token's address, so that a payment is recognised after the host changed its token. */
const idOf = (network: string, { from, nonce }: Authorization) => ["evm", network, from, nonce].join(":").toLowerCase();

function domainOf(requirements: PaymentRequirements, chainId: number) {
  const { name, version } = requirements.extra;
  return {
    name: String(name),
    version: String(version),
    chainId,
    verifyingContract: requirements.asset as `0x${string}`,
  };
}

const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The signed authorization ${why}.`);
