/**
 * Permit2's signed transfers, as both schemes use them: the payer permits one proxy of the protocol to take an amount, for
 * our account alone. Permit2: https://github.com/Uniswap/permit2
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { lazy, once } from "../../../lib/lazy.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import { PaymentRefused } from "../../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../../x402/wire.js";
import type { CheckedPayment } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { lacksAllowance, lacksFunds } from "./chain/chain.js";
import { PERMIT2 } from "./chain/permit2-contracts.js";
import { address, isSignedBy, sameAddress, signature, uint256 } from "./chain/signature.js";
import type { EvmChain } from "./transfer.js";

/** Loaded by the first payment with an allowance. */
const allowances = lazy(() => import("./chain/allowance.js"));

const permitPayload = once(() =>
  z.object({
    signature: signature(),
    permit2Authorization: z.object({
      from: address(),
      permitted: z.object({ token: address(), amount: uint256() }),
      spender: address(),
      nonce: uint256(),
      deadline: uint256(),
      witness: z.object({ to: address(), facilitator: address().optional(), validAfter: uint256() }),
    }),
  }),
);
export type PermitPayload = z.infer<ReturnType<typeof permitPayload>>;
export type Permit = PermitPayload["permit2Authorization"];

/** A type alias, because interfaces are not assignable to records. */
type Field = { name: string; type: string };

const transferTypes = (witness: readonly Field[]) => ({
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
  Witness: witness,
});

const TO = { name: "to", type: "address" };
const VALID_AFTER = { name: "validAfter", type: "uint256" };
// Constants: hashes of types are cached by identity.
const EXACT_TYPES = /* @__PURE__ */ transferTypes([TO, VALID_AFTER]);
const UPTO_TYPES = /* @__PURE__ */ transferTypes([TO, { name: "facilitator", type: "address" }, VALID_AFTER]);

/** The typed data that a payer signs. Under `upto` the witness also names the facilitator. */
export const permitData = (permit: Permit, chainId: number) => ({
  domain: { name: "Permit2", chainId, verifyingContract: PERMIT2 } as const,
  types: permit.witness.facilitator === undefined ? EXACT_TYPES : UPTO_TYPES,
  primaryType: "PermitWitnessTransferFrom" as const,
  message: messageOf(permit),
});

const parsed = new WeakMap<object, PermitPayload>();

/** Cached, since a payment is identified first and checked later. Undefined if it is invalid. */
function readPayload(payload: PaymentPayload["payload"]): PermitPayload | undefined {
  const known = parsed.get(payload);
  if (known) return known;
  const { data } = permitPayload().safeParse(payload);
  if (data) parsed.set(payload, data);
  return data;
}

/** Id and amount of a payment by Permit2; undefined for another payload. */
export function readPermit(network: string, payload: PaymentPayload["payload"]) {
  const sent = readPayload(payload);
  if (!sent) return undefined;
  const { from, nonce, permitted } = sent.permit2Authorization;
  // Permit2 takes a nonce once, whatever the token and the scheme.
  return { id: ["permit2", network, from, nonce].join(":").toLowerCase(), amount: permitted.amount };
}

/** Conditions of a scheme beside token, amount, payee and signature. */
export interface PermitRules {
  proxy: string;
  /** Throws PaymentRefused. */
  assertWitness(witness: Permit["witness"], requirements: PaymentRequirements): void;
}

/** Checks a payment by Permit2. Throws PaymentRefused. */
export async function checkPermit(
  payment: PaymentPayload,
  requirements: PaymentRequirements,
  { proxy, assertWitness, chainId, rpc }: PermitRules & EvmChain,
): Promise<CheckedPayment> {
  const sent = readPayload(payment.payload);
  const read = readPermit(requirements.network, payment.payload);
  if (!sent || !read)
    throw new PaymentRefused("PAYMENT_MALFORMED", "The payment must be a Permit2 authorization with its signature.");
  const { permit2Authorization: permit, signature: hex } = sent;
  assertFits(permit, requirements, proxy);
  assertWitness(permit.witness, requirements);
  const wanted = { ...permit.permitted, from: permit.from, chainId };
  const extensions = payment.allowances && (await (await allowances()).readAllowances(payment.allowances, wanted));
  return {
    id: read.id,
    payer: permit.from,
    proven: await isSignedBy(permit.from, { data: permitData(permit, chainId), hex }, rpc),
    signatureHash: createHash("sha256").update(hex.toLowerCase()).digest("hex"),
    validAfter: Number(permit.witness.validAfter),
    validBefore: Number(permit.deadline),
    // Only the signed fields are passed on, because a facilitator might misread anything else.
    payload: sent,
    ...(extensions ? { extensions } : {}),
  };
}

function assertFits({ permitted, spender, witness }: Permit, requirements: PaymentRequirements, proxy: string): void {
  const { asset, amount, payTo, scheme } = requirements;
  if (!sameAddress(permitted.token, asset)) throw permitMismatch("is for another token");
  // guard: permit2: the signed amount is the price | gone | evm/upto
  if (permitted.amount !== amount)
    throw permitMismatch(
      `is for ${scheme === "upto" ? "up to " : ""}${permitted.amount} atomic units, not the ${amount} asked`,
    );
  // guard: permit2: only the protocol's proxy spends | gone | evm/upto
  if (!sameAddress(spender, proxy)) throw permitMismatch(`is for another spender than the ${scheme} proxy`);
  // guard: permit2: the signed payee is the treasury | gone | evm/upto
  if (!sameAddress(witness.to, payTo)) throw permitMismatch("is made out to another address");
}

/** Whether the payer has too little, or has not allowed Permit2 to take it; a sponsored allowance comes with the settlement. */
export async function cannotPay(rpc: Rpc, payment: PaymentToSettle): Promise<boolean> {
  if (await lacksFunds(rpc, payment)) return true;
  return payment.extensions === undefined && lacksAllowance(rpc, payment, PERMIT2);
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
      ...(witness.facilitator === undefined ? {} : { facilitator: lower(witness.facilitator) }),
      validAfter: BigInt(witness.validAfter),
    },
  };
}

export const permitMismatch = (why: string) => new PaymentRefused("PAYMENT_MISMATCH", `The signed permit ${why}.`);
