/** Asks the facilitator whether a payment is good, once for a purchase that nobody holds yet. */

import type { Rails } from "../networks/rails.js";
import type { ByCredit } from "../record/facts.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { type FacilitatorClient, saysPoor } from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";
import { lackOf } from "./lacking.js";
import { type Purchase, purchaseObjection, untimelyAt } from "./purchase.js";
import type { UnpaidReplies } from "./unpaid-replies.js";
import type { WalletCredit } from "./wallet-credit.js";

export interface Verified {
  /** The facilitator that verified it, where the host has several. */
  via: { via?: string };
  /** The wallet's credit that can pay instead. */
  byCredit: ByCredit | undefined;
}

export interface Verification {
  /** Rejects with PaymentRefused if the payment cannot pay for the purchase. */
  verifyNew(purchase: Purchase): Promise<Verified>;
  /** Rejects with PaymentRefused if the payment no longer proves its payer. */
  assertStillGood(purchase: Purchase): Promise<void>;
}

interface Options {
  facilitator: FacilitatorClient;
  rails: Rails;
  unpaidReplies: UnpaidReplies;
  walletCredit: WalletCredit;
  own: OwnAccounts;
  now: () => number;
}

export function createVerification({
  facilitator,
  rails,
  unpaidReplies,
  walletCredit,
  own,
  now,
}: Options): Verification {
  /**
   * A payment that gives access to another payment's purchase proves its payer, so it must still be valid. A payment
   * settled long ago and no longer recorded here is public on chain, and anybody could copy it. An empty account does
   * not matter.
   */
  async function assertStillGood({ validAfter, validBefore, payment }: Purchase): Promise<void> {
    const isOver = untimelyAt(now() / 1000, { validAfter, validBefore });
    if (isOver) throw isOver;
    const verdict = await facilitator.verify(payment);
    if (verdict.kind === "invalid" && !saysPoor(verdict.reason))
      throw new PaymentRefused("PAYMENT_REFUSED", `The facilitator refused the payment: ${verdict.reason}`);
  }

  async function refusedFor({ payment }: Purchase, reason: string): Promise<PaymentRefused> {
    const lack = await lackOf(rails, payment, reason);
    return new PaymentRefused("PAYMENT_REFUSED", lack ?? `The facilitator refused the payment: ${reason}`);
  }

  async function verifyNew(purchase: Purchase): Promise<Verified> {
    // The purchase began at another host of this store, under that host's terms.
    // guard: no work is begun for a payment to another host | gone | neighbours
    if (!own.has(purchase.payment.requirements))
      throw new PaymentRefused("PAYMENT_MISMATCH", "The payment is made out to another service.");
    // guard: no work is begun for who keeps too much that is unclear | gone | unpaid-replies
    unpaidReplies.assertRoom(purchase.payment);
    await purchase.attempt.check();
    const untimely = purchaseObjection(purchase, now());
    // guard: the payment is still valid long enough | gone | PAYMENT
    if (untimely) throw untimely;
    const [verdict, byCredit] = await Promise.all([facilitator.verify(purchase.payment), walletCredit.find(purchase)]);
    // guard: the facilitator is asked before anything is claimed | "invalid" -> undefined | PAYMENT
    if (verdict.kind === "invalid") throw await refusedFor(purchase, verdict.reason);
    // guard: policy: asked before a payment takes a lease | gone | handler/policy
    await purchase.admit?.();
    return { via: verdict.by === undefined ? {} : { via: verdict.by }, byCredit };
  }

  return { verifyNew, assertStillGood };
}
