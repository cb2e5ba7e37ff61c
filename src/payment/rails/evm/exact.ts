/** The EVM rail: `exact` by EIP-3009, a signed authorization that the facilitator submits. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import { fromMicros } from "../../../lib/money.js";
import { AUTHORIZATION_TYPES, type AuthorizationMessage, type EvmSigner } from "../../options/evm-signer.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { PaymentRefused } from "../../x402/refusal.js";
import { usdOf } from "../../x402/usd.js";
import type { PaymentPayload, PaymentRequirements } from "../../x402/wire.js";
import type { CheckedPayment, Rail, RefundOrder } from "../rail.js";
import type { Rate } from "../rates.js";
import type { Rpc } from "../rpc.js";
import { lacksFunds, readBalance } from "./chain.js";
import { checkEvmAsset } from "./check-asset.js";
import { findAuthorization } from "./lookup.js";
import { address, assertAddress, isSignedBy, sameAddress, signature, uint256 } from "./signature.js";

/** Lifetime of a signed refund; a later one is signed anew, with the same nonce. */
const REFUND_LIFE_SECONDS = 120;
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
function readPayload({ payload }: PaymentPayload): AuthorizationPayload | undefined {
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

export interface EvmRailOptions {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** The token's address and its EIP-712 domain. */
  asset: { address: string; name: string; version: string };
  payTo: string;
  /** Node; without one no payment can be looked up. */
  rpc?: Rpc | undefined;
  /** The wallet that returns unused money: a small float, never the treasury's key. */
  refunds?: EvmSigner | undefined;
  /** Of a token that is not a dollar. */
  rate?: Rate | undefined;
  /** Default 6. */
  decimals?: number | undefined;
}

/**
 * The rail of one EVM network: quotes, checks, looks up and refunds payments of the scheme `exact`.
 *
 * @example
 * ```ts
 * const asset = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", name: "USD Coin", version: "2" };
 * const rail = evmRail({ network: "eip155:8453", asset, payTo: "0x…" });
 * ```
 */
export function evmRail(options: EvmRailOptions): Rail {
  const { network, asset, payTo, rpc, refunds, rate, decimals = 6 } = options;
  assertAddress(payTo, `payment.treasury["${network}"]`);
  const chainId = Number(network.slice("eip155:".length));
  const requirements = (units: bigint, maxTimeoutSeconds: number, to: string): PaymentRequirements => ({
    scheme: "exact",
    network,
    amount: units.toString(),
    asset: asset.address,
    payTo: to,
    maxTimeoutSeconds,
    extra: { name: asset.name, version: asset.version },
  });
  return {
    requirements(price, maxTimeoutSeconds) {
      if (!rate) return requirements(price, maxTimeoutSeconds, payTo);
      const units = rate.units(price);
      if (units === undefined) return undefined;
      const offer = requirements(units, maxTimeoutSeconds, payTo);
      return { ...offer, extra: { ...offer.extra, usd: fromMicros(price) } };
    },
    ...(rate ? { ratedAsset: asset.address, requirementsTaken: takenAt(rate) } : {}),
    async identify(payment) {
      const sent = readPayload(payment);
      return sent && idOf(network, sent.authorization);
    },
    check: (payment, offered) => checkAuthorization(payment, offered, { chainId, rpc }),
    ...(rpc
      ? {
          checkAsset: () => checkEvmAsset(rpc, chainId, { ...asset, decimals }),
          owned: (owner) => readBalance(rpc, { owner, token: asset.address }),
        }
      : {}),
    lookup: async (payment) => (rpc ? findAuthorization(rpc, payment) : { kind: "unknown" }),
    lacksFunds: async (payment) => rpc !== undefined && lacksFunds(rpc, payment),
    ...(refunds
      ? {
          ...(rpc ? { refunds: balanceOf(rpc, refunds.address, { token: asset.address, rate }) } : {}),
          refund: (back) => signRefund(refunds, back, requirements(back.amount, REFUND_LIFE_SECONDS, back.to), chainId),
        }
      : {}),
  };
}

const balanceOf = (rpc: Rpc, wallet: string, { token, rate }: { token: string; rate: Rate | undefined }) => ({
  wallet,
  async balance() {
    const units = await readBalance(rpc, { owner: wallet, token });
    return rate ? rate.worth(units) : units;
  },
});

/** The offer that a payment accepted, if it was made at a rate of the last hour. */
const takenAt =
  (rate: Rate): NonNullable<Rail["requirementsTaken"]> =>
  async (payment, offered) => {
    const value = readPayload(payment)?.authorization.value;
    const isTaken = value !== undefined && (await rate.isPrice(BigInt(value), usdOf(offered)));
    return isTaken ? { ...offered, amount: value } : offered;
  };

interface Chain {
  chainId: number;
  /** Node that tells contracts from plain accounts. */
  rpc?: Rpc | undefined;
}

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
  { chainId, rpc }: Chain,
): Promise<CheckedPayment> {
  const sent = readPayload(payment);
  if (!sent)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The payment must be an EIP-3009 authorization with its signature.");
  const { authorization, signature } = sent;
  if (!sameAddress(authorization.to, requirements.payTo)) throw mismatch("is made out to another address");
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
