/**
 * Gives the unused part of a settled maximum back to its payer, exactly once whatever is lost on the way: on chain, or
 * as credit once no refund can be put on chain any more. On EVM networks a refund's nonce is derived from the payment,
 * so the chain refuses a second one. On Solana the signed refund itself is kept before it is sent: until it is known
 * that it cannot be put on chain any more, none but this very one is sent.
 */
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import { accountId } from "../rails/accounts.js";
import { NotRefundable, type Rail } from "../rails/rail.js";
import { type Rails, railFor } from "../rails/rails.js";
import type { PaymentRecord, Refund } from "../record.js";
import { type FacilitatorClient, type PaymentToSettle, saysAlreadySettled } from "../x402/facilitator.js";
import type { Credits } from "./credit.js";

/** Failed returns after which the money becomes credit. */
export const MAX_ATTEMPTS = 5;
/** A node that shows the wrong chain is found out by then: its host is told each day of what is owed. */
const GONE_AFTER_MS = 3 * DAY_MS;

export interface RefundAttemptOptions {
  credits: Credits;
  facilitator: FacilitatorClient;
  rails: Rails;
  /** Below this an on-chain refund costs more than it is worth. */
  minReturn: Micros;
  now: () => number;
  logger: Logger;
}

interface Withheld {
  rail: Rail;
  sign: () => Promise<PaymentToSettle>;
  /** Whether the settlement will never be there. */
  isGone: boolean;
}

/** Records how far a refund got; false when somebody else has done so, whose it is then. */
export type Keep = (refund: Refund) => Promise<boolean>;

/** Tries once to give an owed refund back. Resolves with how that ended; what failed is still owed. */
export type RefundAttempt = (record: PaymentRecord, refund: Refund, keep: Keep) => Promise<Refund>;

export function createRefundAttempt({
  credits,
  facilitator,
  rails,
  minReturn,
  now,
  logger,
}: RefundAttemptOptions): RefundAttempt {
  async function toCredit({ id, payment }: PaymentRecord, { signed, reason, ...refund }: Refund): Promise<Refund> {
    const { network, payTo } = payment.requirements;
    await credits.issue(id, payment.payer, BigInt(refund.amount), accountId(network, payTo));
    return { ...refund, state: "credited" };
  }

  function returned({ signed, reason, ...refund }: Refund, transaction?: string): Refund {
    return { ...refund, state: "returned", ...(transaction === undefined ? {} : { transaction }) };
  }

  function failed({ id }: PaymentRecord, refund: Refund, reason: string): Refund {
    logger.warn({ payment: id, reason }, "payment: the refund is not possible yet");
    return { ...refund, reason, attempts: refund.attempts + 1 };
  }

  /**
   * Whether the chain shows the settlement that a refund is of: a facilitator may say yes to what it never settled, and
   * that must not empty the wallet. Where no node can be asked there is its word alone.
   */
  async function settlementOf({
    payment,
    receipt,
    settledAt = now(),
  }: PaymentRecord): Promise<"there" | "unseen" | "gone"> {
    const seen = await railFor(rails, payment.requirements)?.lookup(payment, receipt?.transaction || undefined);
    if (seen === undefined || seen.kind === "paid" || seen.kind === "unknown") return "there";
    return seen.kind === "cancelled" && now() - settledAt >= GONE_AFTER_MS ? "gone" : "unseen";
  }

  /** Nothing was tried, so nothing has failed, and it does not become credit for that. */
  function unseen({ id }: PaymentRecord, refund: Refund): Refund {
    const reason = "the chain does not show the settlement that it is of";
    logger.warn({ payment: id, reason }, "payment: the refund waits");
    return { ...refund, reason };
  }

  /**
   * Nothing goes back of what the chain does not show, but for an earlier try that it has. Where it cannot be known whether
   * there is one, the refund waits.
   */
  async function withhold(record: PaymentRecord, refund: Refund, { rail, sign, isGone }: Withheld): Promise<Refund> {
    const tried = rail.refundsRepeat ? undefined : await sign().catch(() => undefined);
    const seen = tried && (await rail.lookup(tried));
    if (seen?.kind === "paid") return returned(refund, seen.transaction);
    const isUntried = rail.refundsRepeat || seen?.kind === "absent" || seen?.kind === "cancelled";
    if (!isGone || !isUntried) return unseen(record, refund);
    return { amount: refund.amount, attempts: refund.attempts, state: "void" };
  }

  async function send(record: PaymentRecord, refund: Refund, back: PaymentToSettle): Promise<Refund> {
    const end = await facilitator.settle(back);
    if (end.kind === "settled") return returned(refund, end.transaction);
    const found = await rails.get(back.requirements.network)?.lookup(back);
    if (found?.kind === "paid") return returned(refund, found.transaction);
    // Nobody else signs for this wallet: what is used is our own refund, whose answer was lost. Where it is no nonce
    // that is used, facilitators say so of whatever they were sent before, paid or not.
    const isUnseen = found?.kind === "unknown" || found?.kind === "unreadable";
    if (isUnseen && !refund.signed && end.kind === "refused" && saysAlreadySettled(end.reason)) return returned(refund);
    return failed(record, refund, end.reason);
  }

  /**
   * The last word on a refund whose nonce cannot count twice: credit, unless an earlier try is on chain. While no node can
   * tell, the same one is sent again; whoever has seen its nonce used says so, and only a plain refusal ends in credit.
   */
  async function endUnsigned(record: PaymentRecord, refund: Refund, back: PaymentToSettle): Promise<Refund> {
    const late = await rails.get(back.requirements.network)?.lookup(back);
    if (late?.kind === "paid") return returned(refund, late.transaction);
    if (late?.kind === "absent" || late?.kind === "cancelled") return toCredit(record, refund);
    const end = await facilitator.settle(back);
    if (end.kind === "settled") return returned(refund, end.transaction);
    if (end.kind !== "refused") return failed(record, refund, end.reason);
    return saysAlreadySettled(end.reason) ? returned(refund) : toCredit(record, refund);
  }

  /** Kept before it is done: the payer's way may open again, and a refund must not come on top of the credit. */
  async function giveUp(record: PaymentRecord, refund: Refund, keep: Keep): Promise<Refund> {
    const last = { ...refund, attempts: MAX_ATTEMPTS };
    return (await keep(last)) ? toCredit(record, last) : refund;
  }

  return async function attemptRefund(record, owed, keep) {
    const { id, payment } = record;
    const rail = rails.get(payment.requirements.network);
    if (owed.signed) {
      const seen = await rail?.lookup(owed.signed);
      if (seen?.kind === "paid") return returned(owed, seen.transaction);
      if (seen?.kind !== "cancelled") {
        // Too late for the chain to take it: sending it again would change nothing.
        if (seen?.isOver) return failed(record, owed, "whether it is on chain cannot be read");
        // The very same one: sent twice, it still counts once.
        return (await settlementOf(record)) === "there" ? send(record, owed, owed.signed) : unseen(record, owed);
      }
    }
    const amount = BigInt(owed.amount);
    const isLast = owed.attempts >= MAX_ATTEMPTS;
    if (!rail?.refund || amount < minReturn || (isLast && rail.refundsRepeat)) return toCredit(record, owed);
    const settlement = await settlementOf(record);
    const { refund } = rail;
    const sign = () => refund({ order: id, to: payment.payer, amount, now: Math.floor(now() / 1000) });
    if (settlement !== "there") return withhold(record, owed, { rail, sign, isGone: settlement === "gone" });
    let back: PaymentToSettle;
    try {
      back = await sign();
    } catch (error) {
      if (error instanceof NotRefundable) return giveUp(record, owed, keep);
      return failed(record, owed, `it could not be signed: ${error instanceof Error ? error.message : error}`);
    }
    if (isLast) return endUnsigned(record, owed, back);
    if (!rail.refundsRepeat) return send(record, owed, back);
    const kept = { ...owed, signed: back };
    return (await keep(kept)) ? send(record, kept, back) : owed;
  };
}
