/**
 * Gives the unused part of a settled maximum back to its payer, exactly once whatever is lost on the way: on chain, or
 * as credit once no return can be put on chain any more. On EVM networks a return's nonce is derived from the payment,
 * so the chain refuses a second one. On Solana the signed return itself is kept before it is sent: until it is known
 * that it cannot be put on chain any more, none but this very one is sent.
 */
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import type { Rails } from "../rails/index.js";
import { Unreturnable } from "../rails/rail.js";
import type { PaymentRecord, Remainder } from "../record.js";
import { type FacilitatorClient, type PaymentToSettle, saysAlreadySettled } from "../x402/facilitator.js";
import type { Credits } from "./credit.js";

/** Failed returns after which the money becomes credit. */
export const MAX_ATTEMPTS = 5;

export interface GiveBackOptions {
  credits: Credits;
  facilitator: FacilitatorClient;
  rails: Rails;
  /** Below this an on-chain return costs more than it is worth. */
  minReturn: Micros;
  now: () => number;
  logger: Logger;
}

/** Records how far a return got; false when somebody else has done so, whose it is then. */
export type Keep = (remainder: Remainder) => Promise<boolean>;

/** Tries once to give an owed remainder back. Resolves with how that ended; what failed is still owed. */
export type GiveBack = (record: PaymentRecord, remainder: Remainder, keep: Keep) => Promise<Remainder>;

export function createGiveBack({ credits, facilitator, rails, minReturn, now, logger }: GiveBackOptions): GiveBack {
  async function toCredit({ id, payment }: PaymentRecord, { signed, ...remainder }: Remainder): Promise<Remainder> {
    const token = await credits.issue(id, payment.payer, BigInt(remainder.amount));
    return { ...remainder, state: "credited", token };
  }

  function returned({ signed, ...remainder }: Remainder, transaction?: string): Remainder {
    return { ...remainder, state: "returned", ...(transaction === undefined ? {} : { transaction }) };
  }

  function failed({ id }: PaymentRecord, remainder: Remainder, reason: string): Remainder {
    logger.warn({ payment: id, reason }, "payment: the remainder could not be returned yet");
    return { ...remainder, attempts: remainder.attempts + 1 };
  }

  async function send(record: PaymentRecord, remainder: Remainder, back: PaymentToSettle): Promise<Remainder> {
    const end = await facilitator.settle(back);
    if (end.kind === "settled") return returned(remainder, end.transaction);
    const found = await rails.get(back.terms.network)?.find(back);
    if (found?.kind === "paid") return returned(remainder, found.transaction);
    // Nobody else signs for this wallet: what is used is our own return, whose answer was lost. Where it is no nonce
    // that is used, facilitators say so of whatever they were sent before, paid or not.
    const isUnseen = found?.kind === "unknown" || found?.kind === "unreadable";
    if (isUnseen && !remainder.signed && end.kind === "refused" && saysAlreadySettled(end.reason))
      return returned(remainder);
    return failed(record, remainder, end.reason);
  }

  /** Kept before it is done: the payer's way may open again, and a return must not come on top of the credit. */
  async function giveUp(record: PaymentRecord, remainder: Remainder, keep: Keep): Promise<Remainder> {
    const last = { ...remainder, attempts: MAX_ATTEMPTS };
    return (await keep(last)) ? toCredit(record, last) : remainder;
  }

  return async function giveBack(record, owed, keep) {
    const { id, payment } = record;
    const rail = rails.get(payment.terms.network);
    if (owed.signed) {
      const seen = await rail?.find(owed.signed);
      if (seen?.kind === "paid") return returned(owed, seen.transaction);
      // The very same one: sent twice, it still counts once.
      if (seen?.kind !== "cancelled") return send(record, owed, owed.signed);
    }
    const amount = BigInt(owed.amount);
    const isLast = owed.attempts >= MAX_ATTEMPTS;
    if (!rail?.payBack || amount < minReturn || (isLast && rail.returnsRepeat)) return toCredit(record, owed);
    let back: PaymentToSettle;
    try {
      back = await rail.payBack({ order: id, to: payment.payer, amount, now: Math.floor(now() / 1000) });
    } catch (error) {
      if (error instanceof Unreturnable) return giveUp(record, owed, keep);
      return failed(record, owed, `it could not be signed: ${error instanceof Error ? error.message : error}`);
    }
    if (isLast) {
      const late = await rail.find(back);
      return late.kind === "paid" ? returned(owed, late.transaction) : toCredit(record, owed);
    }
    if (!rail.returnsRepeat) return send(record, owed, back);
    const kept = { ...owed, signed: back };
    return (await keep(kept)) ? send(record, kept, back) : owed;
  };
}
