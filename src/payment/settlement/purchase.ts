/** A checked payment for one request, and when it may be taken for that. */
import type { Micros } from "../../lib/money.js";
import type { Taken } from "../../stores/owner.js";
import type { Attempt } from "../failures/failures.js";
import type { BoughtProduct } from "../record/facts.js";
import type { PaymentRecord, RunningPayment } from "../record/record.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";

/** Time for a settlement, in addition to the work. */
export const SETTLE_BUDGET_MS = 30_000;
/** Facilitators demand this much more validity of an authorization. */
const CLOCK_SLACK_SECONDS = 6;

/** A checked payment for one request. */
export interface Purchase {
  /** The payment's id; see CheckedPayment. */
  id: string;
  /** Hash of the payer's idempotency key; a payment signed anew under the same key is not needed. */
  idempotencyKeyHash?: string;
  requestId: string;
  endpoint: string;
  fingerprint: string;
  signatureHash: string;
  /** Hash of a secret that came with the payment and that only its payer knows. */
  secretHash?: string;
  /**
   * True if no record existed at the last lookup. If one exists by now, no lease is given and the lookup is repeated.
   */
  isNew: boolean;
  /** True if it arrived before its settlement was known: until then only the payer has seen the signed message. */
  early: boolean;
  proven: boolean;
  validAfter?: number;
  validBefore?: number;
  payment: PaymentToSettle;
  /** Time limit of the work. */
  workMs: number;
  /** Time before the settlement, if that is not the work itself. */
  prepareMs?: number;
  /** Whether its order was quoted as a maximum, of which the usage is charged. */
  byUsage: boolean;
  /** True if it is settled before the work: after a failure the whole amount is returned. */
  prepaid?: boolean;
  /** The account for which it buys a balance. */
  account?: string | undefined;
  product?: BoughtProduct | undefined;
  /** The part that earlier credit pays, in atomic units. */
  covered?: string;
  /** The price of the call, where the wallet's credit may pay it instead of the payment, in micro-dollars. */
  price?: Micros;
  /** Failures that the payer may still cause. */
  attempt: Pick<Attempt, "check" | "begin">;
  /** Rejects if the host does not sell to this payer; asked once the payment is verified. */
  admit?(): Promise<void> | undefined;
  /** Aborted when the buyer leaves, so that no copy keeps waiting. */
  signal?: AbortSignal | undefined;
}

/** The record of a purchase whose work begins now. */
export function claimOf(purchase: Purchase, lease: Taken): RunningPayment {
  const { id, requestId, endpoint, fingerprint, signatureHash, secretHash, validBefore, covered, byUsage } = purchase;
  return {
    state: "running",
    id,
    requestId,
    endpoint,
    fingerprint,
    signatureHash,
    ...(secretHash === undefined ? {} : { secretHash }),
    ...lease,
    ...(validBefore === undefined ? {} : { validBefore }),
    payment: purchase.payment,
    byUsage,
    ...(purchase.prepaid ? { prepaid: true } : {}),
    ...(covered === undefined ? {} : { covered }),
    ...(purchase.account === undefined ? {} : { account: purchase.account }),
    ...(purchase.product === undefined ? {} : { product: purchase.product }),
    attempts: 0,
  };
}

export function assertSamePurchase(key: string, record: PaymentRecord, purchase: Purchase): void {
  // The refusal for a stranger reveals neither the purchase nor its request.
  if (!isPayersOwn(key, record, purchase))
    throw new PaymentRefused(
      "PAYMENT_ALREADY_USED",
      "This payment was already used. Its result is delivered again only if the payment comes with the same extra.retryKey, or Idempotency-Key, as before.",
    );
  // guard: a payment buys one request | gone | PAYMENT
  if (record.fingerprint !== purchase.fingerprint)
    throw new PaymentRefused(
      "PAYMENT_ALREADY_USED",
      "This payment, or its idempotency key, was already used for another request.",
    );
}

/** Whether the payer returns, and not someone who read the payment on the chain. */
function isPayersOwn(key: string, record: PaymentRecord, purchase: Purchase): boolean {
  // If a contract verifies the signature, another signature may be anybody's.
  // guard: a stored reply needs the payer's signature | gone | PAYMENT
  if (!purchase.proven && record.signatureHash !== purchase.signatureHash) return false;
  // Signed anew: the caller must know the key of the purchase.
  if (record.id !== purchase.id)
    return purchase.idempotencyKeyHash !== undefined && key.startsWith(purchase.idempotencyKeyHash);
  if (record.secretHash !== undefined) return record.secretHash === purchase.secretHash;
  return purchase.early || record.state !== "settled";
}

export function untimelyAt(
  seconds: number,
  {
    validAfter = 0,
    validBefore = Number.POSITIVE_INFINITY,
  }: { validAfter?: number | undefined; validBefore?: number | undefined },
): PaymentRefused | undefined {
  if (validAfter > seconds)
    return new PaymentRefused("PAYMENT_NOT_YET_VALID", "The payment is not valid yet: validAfter is in the future.");
  if (validBefore < seconds + CLOCK_SLACK_SECONDS)
    return new PaymentRefused("PAYMENT_EXPIRED", "The payment has expired: validBefore is past.");
  return undefined;
}

/** The authorization must outlive the work and its settlement, or the work would be unpaid. */
export function purchaseObjection(purchase: Purchase, now: number): PaymentRefused | undefined {
  const { validBefore = Number.POSITIVE_INFINITY, prepaid, prepareMs = 0 } = purchase;
  const seconds = now / 1000;
  const workMs = prepaid ? prepareMs : purchase.workMs;
  const untimely = untimelyAt(seconds, purchase);
  if (untimely) return untimely;
  if (validBefore < seconds + (workMs + SETTLE_BUDGET_MS) / 1000)
    return new PaymentRefused(
      "PAYMENT_EXPIRED",
      "The payment expires too soon for this call to be done and settled. Sign one that is valid for maxTimeoutSeconds.",
    );
  return undefined;
}
