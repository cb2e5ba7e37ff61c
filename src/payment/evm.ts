/** The EVM rail: `exact` by EIP-3009, a signed authorization that the facilitator puts on chain. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { lazy } from "../lazy.js";
import { findAuthorization } from "./evm-lookup.js";
import type { PaymentToSettle } from "./facilitator.js";
import type { Micros } from "./money.js";
import type { CheckedPayment, Rail, Return } from "./rail.js";
import { PaymentRefused } from "./refusal.js";
import type { Rpc } from "./rpc.js";
import type { OfferedPayment, Terms } from "./wire.js";

const viem = lazy(() => import("viem/utils"));

/** How long a signed return can be put on chain; after that it is signed anew, with the same nonce. */
const RETURN_LIFE_SECONDS = 120;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
// BigInt() reads "", " 1" and "0x10" as numbers; money is digits and nothing else.
const uint256 = z.string().regex(/^(?:0|[1-9]\d{0,77})$/);
const authorizationPayload = z.object({
  signature: z.string().regex(/^0x(?:[0-9a-fA-F]{2}){1,4096}$/),
  authorization: z.object({
    from: z.string().regex(ADDRESS),
    to: z.string().regex(ADDRESS),
    value: uint256,
    validAfter: uint256,
    validBefore: uint256,
    nonce: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  }),
});
type Authorization = z.infer<typeof authorizationPayload>["authorization"];

const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

export interface EvmRailOptions {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** The token's address and its EIP-712 domain. */
  asset: { address: string; name: string; version: string };
  payTo: string;
  /** Without it no payment can be looked up. */
  rpc?: Rpc | undefined;
  /** The wallet that unused money goes back from: a small float, never the treasury's key. */
  refunds?: EvmSigner | undefined;
}

/** A wallet that signs typed data, as viem's accounts do. */
export interface EvmSigner {
  address: string;
  signTypedData(data: {
    domain: { name: string; version: string; chainId: number; verifyingContract: `0x${string}` };
    types: typeof AUTHORIZATION_TYPES;
    primaryType: "TransferWithAuthorization";
    message: AuthorizationMessage;
  }): Promise<string>;
}

export function evmRail({ network, asset, payTo, rpc, refunds }: EvmRailOptions): Rail {
  if (!ADDRESS.test(payTo))
    throw new TypeError(`payment.treasury["${network}"] must be an address: 0x and 40 hex digits.`);
  const chainId = Number(network.slice("eip155:".length));
  const terms = (amount: Micros, maxTimeoutSeconds: number, to: string): Terms => ({
    scheme: "exact",
    network,
    amount: amount.toString(),
    asset: asset.address,
    payTo: to,
    maxTimeoutSeconds,
    extra: { name: asset.name, version: asset.version },
  });
  return {
    terms: (amount, maxTimeoutSeconds) => terms(amount, maxTimeoutSeconds, payTo),
    check: (payment, offered) => checkAuthorization(payment, offered, chainId),
    find: async (payment) => (rpc ? findAuthorization(rpc, payment) : { kind: "unknown" }),
    ...(refunds
      ? { payBack: (back) => signReturn(refunds, back, terms(back.amount, RETURN_LIFE_SECONDS, back.to), chainId) }
      : {}),
  };
}

/** The authorization that pays back: its nonce follows from the order, so the chain takes it once. */
async function signReturn(signer: EvmSigner, back: Return, terms: Terms, chainId: number): Promise<PaymentToSettle> {
  const authorization: Authorization = {
    from: signer.address,
    to: back.to,
    value: terms.amount,
    validAfter: "0",
    validBefore: String(back.now + RETURN_LIFE_SECONDS),
    nonce: `0x${createHash("sha256").update(`return ${back.order}`).digest("hex")}`,
  };
  const signature = await signer.signTypedData({
    domain: domainOf(terms, chainId),
    types: AUTHORIZATION_TYPES,
    primaryType: "TransferWithAuthorization",
    message: messageOf(authorization),
  });
  return { payload: { signature, authorization }, terms, payer: signer.address };
}

async function checkAuthorization(payment: OfferedPayment, terms: Terms, chainId: number): Promise<CheckedPayment> {
  const parsed = authorizationPayload.safeParse(payment.payload);
  if (!parsed.success)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The payment is no EIP-3009 authorization with its signature.");
  const { authorization, signature } = parsed.data;
  if (!sameAddress(authorization.to, terms.payTo)) throw mismatch("is made out to another address");
  if (authorization.value !== terms.amount)
    throw mismatch(`is for ${authorization.value} atomic units, not the ${terms.amount} asked`);

  const proven = await isSignedByPayer(authorization, signature as `0x${string}`, terms, chainId);
  return {
    id: ["evm", terms.network, terms.asset, authorization.from, authorization.nonce].join(":").toLowerCase(),
    payer: authorization.from,
    proven,
    signatureHash: createHash("sha256").update(signature.toLowerCase()).digest("hex"),
    validAfter: Number(authorization.validAfter),
    validBefore: Number(authorization.validBefore),
  };
}

/**
 * True when the payer's own key signed; false when the signature is of a kind that only a contract can judge
 * (EIP-1271 and ERC-6492 signatures are longer than 65 bytes), which is then the facilitator's business.
 */
async function isSignedByPayer(
  authorization: Authorization,
  signature: `0x${string}`,
  terms: Terms,
  chainId: number,
): Promise<boolean> {
  const bytes = (signature.length - 2) / 2;
  if (bytes > 65) return false;
  const { recoverTypedDataAddress } = await viem();
  try {
    const signer = await recoverTypedDataAddress({
      domain: domainOf(terms, chainId),
      types: AUTHORIZATION_TYPES,
      primaryType: "TransferWithAuthorization",
      message: messageOf(authorization),
      signature,
    });
    if (sameAddress(signer, authorization.from)) return true;
  } catch {
    // Not a point on the curve, or a broken recovery byte: no signature at all.
  }
  throw new PaymentRefused("PAYMENT_SIGNATURE_INVALID", "The signature is not the payer's over these terms.");
}

function domainOf(terms: Terms, chainId: number) {
  const { name, version } = terms.extra;
  return { name: String(name), version: String(version), chainId, verifyingContract: terms.asset as `0x${string}` };
}

interface AuthorizationMessage {
  from: `0x${string}`;
  to: `0x${string}`;
  value: bigint;
  validAfter: bigint;
  validBefore: bigint;
  nonce: `0x${string}`;
}

/** Addresses in lower case: a checksum in mixed case that is off would be refused for its case alone. */
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

export function sameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The signed authorization ${why}.`);
