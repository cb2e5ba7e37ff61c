/**
 * The `upto` scheme on EVM networks: the payer permits Permit2 to take up to a maximum, only for our account and only
 * through one facilitator, and the used amount is settled. Permit2: https://github.com/Uniswap/permit2
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../../x402/wire.js";
import type { CheckedPayment, Rail } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { lacksFunds } from "./chain.js";
import { address, isSignedBy, sameAddress, signature, uint256 } from "./signature.js";
import { findPermit, PERMIT2, UPTO_PROXY } from "./upto-lookup.js";

const permitPayload = once(() =>
  z.object({
    signature: signature(),
    permit2Authorization: z.object({
      from: address(),
      permitted: z.object({ token: address(), amount: uint256() }),
      spender: address(),
      nonce: uint256(),
      deadline: uint256(),
      witness: z.object({ to: address(), facilitator: address(), validAfter: uint256() }),
    }),
  }),
);
type Permit = z.infer<ReturnType<typeof permitPayload>>["permit2Authorization"];

/** EIP-2612: a wallet that never used Permit2 allows it to take the maximum, and the facilitator pays the gas. */
const allowancePermit = once(() =>
  z.object({
    from: address(),
    asset: address(),
    spender: address(),
    amount: uint256(),
    nonce: uint256(),
    deadline: uint256(),
    signature: signature(),
    version: z.string().max(16),
  }),
);

const PERMIT_TYPES = {
  PermitWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "Witness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
  Witness: [
    { name: "to", type: "address" },
    { name: "facilitator", type: "address" },
    { name: "validAfter", type: "uint256" },
  ],
} as const;

export interface UptoRailOptions {
  /** CAIP-2, such as `eip155:8453`. */
  network: string;
  /** The token's address and its EIP-712 domain. */
  asset: { address: string; name: string; version: string };
  payTo: string;
  /** The facilitator's account that an offer names; undefined while none is listed. */
  facilitator: () => string | undefined;
  /** Whether offers that name this account are still accepted. */
  acceptsFacilitator: (address: string) => boolean;
  /** Node; without one no payment can be looked up. */
  rpc?: Rpc | undefined;
}

/**
 * The rail of one EVM network for the scheme `upto`, which settles the used part of a maximum.
 *
 * @example
 * ```ts
 * const asset = { address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", name: "USD Coin", version: "2" };
 * const facilitator = () => supported.account("upto", "eip155:8453");
 * const acceptsFacilitator = (address: string) => supported.accepts("upto", "eip155:8453", address);
 * const rail = uptoRail({ network: "eip155:8453", asset, payTo: "0x…", facilitator, acceptsFacilitator });
 * ```
 */
export function uptoRail({ network, asset, payTo, facilitator, acceptsFacilitator, rpc }: UptoRailOptions): Rail {
  const chainId = Number(network.slice("eip155:".length));
  return {
    requirements(amount, maxTimeoutSeconds) {
      const facilitatorAddress = facilitator();
      if (facilitatorAddress === undefined) return undefined;
      const { name, version } = asset;
      const extra = { name, version, assetTransferMethod: "permit2", facilitatorAddress };
      const requirements = {
        network,
        amount: amount.toString(),
        asset: asset.address,
        payTo,
        maxTimeoutSeconds,
        extra,
      };
      return { scheme: "upto", ...requirements };
    },
    async requirementsTaken({ accepted }, requirements) {
      const extra = z.object({ facilitatorAddress: z.string() }).safeParse(accepted?.extra);
      if (!extra.success || !acceptsFacilitator(extra.data.facilitatorAddress)) return requirements;
      return { ...requirements, extra: { ...requirements.extra, ...extra.data } };
    },
    async identify({ payload }) {
      const { data } = permitPayload().safeParse(payload);
      return data && idOf(network, data.permit2Authorization);
    },
    check: (payment, requirements) => checkPermit(payment, requirements, { chainId, rpc }),
    lookup: async (payment) => (rpc ? findPermit(rpc, payment) : { kind: "unknown" }),
    lacksFunds: async (payment) => rpc !== undefined && lacksFunds(rpc, payment),
  };
}

async function checkPermit(
  payment: PaymentPayload,
  requirements: PaymentRequirements,
  { chainId, rpc }: { chainId: number; rpc?: Rpc | undefined },
): Promise<CheckedPayment> {
  const parsed = permitPayload().safeParse(payment.payload);
  if (!parsed.success)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The payment must be a Permit2 authorization with its signature.");
  const { permit2Authorization: permit, signature } = parsed.data;
  assertFits(permit, requirements);
  const data = {
    domain: { name: "Permit2", chainId, verifyingContract: PERMIT2 },
    types: PERMIT_TYPES,
    primaryType: "PermitWitnessTransferFrom",
    message: messageOf(permit),
  } as const;
  const extensions = readAllowance(payment.allowance, permit);
  return {
    id: idOf(requirements.network, permit),
    payer: permit.from,
    proven: await isSignedBy(permit.from, { data, hex: signature }, rpc),
    signatureHash: createHash("sha256").update(signature.toLowerCase()).digest("hex"),
    validAfter: Number(permit.witness.validAfter),
    validBefore: Number(permit.deadline),
    payload: parsed.data,
    ...(extensions ? { extensions } : {}),
  };
}

const idOf = (network: string, { from, nonce }: Permit) => ["permit2", network, from, nonce].join(":").toLowerCase();

function assertFits({ permitted, spender, witness }: Permit, requirements: PaymentRequirements): void {
  if (!sameAddress(permitted.token, requirements.asset)) throw mismatch("is for another token");
  if (permitted.amount !== requirements.amount)
    throw mismatch(`is for up to ${permitted.amount} atomic units, not the ${requirements.amount} asked`);
  if (!sameAddress(spender, UPTO_PROXY)) throw mismatch("is for another spender than the upto proxy");
  if (!sameAddress(witness.to, requirements.payTo)) throw mismatch("is made out to another address");
  if (!sameAddress(witness.facilitator, String(requirements.extra.facilitatorAddress)))
    throw mismatch("names another facilitator than the one offered");
}

/** Allowance fields that facilitators need; anything else in the caller's extension is dropped. */
function readAllowance(sent: Record<string, unknown> | undefined, permit: Permit): CheckedPayment["extensions"] {
  // A caller that needs no allowance returns the extension unsigned.
  if (sent?.signature === undefined) return undefined;
  const parsed = allowancePermit().safeParse(sent);
  if (!parsed.success)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The eip2612GasSponsoring extension holds no signed permit.");
  const { from, asset, spender, amount } = parsed.data;
  const fits =
    sameAddress(from, permit.from) &&
    sameAddress(asset, permit.permitted.token) &&
    sameAddress(spender, PERMIT2) &&
    amount === permit.permitted.amount;
  if (!fits) throw mismatch("does not go with the permit in eip2612GasSponsoring");
  return { eip2612GasSponsoring: { info: parsed.data } };
}

/** Addresses in lower case, because a wrong checksum in mixed case would be refused. */
function messageOf({ permitted, spender, nonce, deadline, witness }: Permit) {
  const lower = (text: string) => text.toLowerCase() as `0x${string}`;
  return {
    permitted: { token: lower(permitted.token), amount: BigInt(permitted.amount) },
    spender: lower(spender),
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
    witness: {
      to: lower(witness.to),
      facilitator: lower(witness.facilitator),
      validAfter: BigInt(witness.validAfter),
    },
  };
}

const mismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The signed permit ${why}.`);
