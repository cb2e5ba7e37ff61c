/**
 * What becomes of the part of a settled maximum that was not used: it goes back on chain, as an ordinary payment in
 * the other direction, or becomes credit. It is owed from the same write on that says "settled", so no crash loses it;
 * its nonce is derived from the payment, so the chain itself refuses a second return.
 */
import type { Logger } from "../context.js";
import type { Credits } from "./credit.js";
import type { FacilitatorClient } from "./facilitator.js";
import type { Micros } from "./money.js";
import type { Rails } from "./offers.js";
import type { PaymentRecord, Records, Remainder } from "./record.js";

const RETRY_MS = 60_000;
/** Failed returns after which the money becomes credit, once no signed return can be put on chain any more. */
const MAX_ATTEMPTS = 5;

export interface RemaindersOptions {
  records: Records;
  credits: Credits;
  facilitator: FacilitatorClient;
  rails: Rails;
  /** Below this an on-chain return costs more than it is worth. */
  minReturn: Micros;
  now: () => number;
  logger: Logger;
}

export interface Remainders {
  /** Ends what a settled payment leaves to be done: its credit is captured, its remainder returned. */
  complete(key: string, version: number, record: PaymentRecord): Promise<PaymentRecord>;
}

export function createRemainders(options: RemaindersOptions): Remainders {
  const { records, credits, facilitator, rails, minReturn, now, logger } = options;

  async function giveBack(key: string, { payment, remainder }: PaymentRecord & { remainder: Remainder }) {
    const amount = BigInt(remainder.amount);
    const { payer, terms } = payment;
    const rail = rails.get(terms.network);
    const canReturn = rail?.payBack && amount >= minReturn && remainder.attempts < MAX_ATTEMPTS;
    if (!canReturn || !rail?.payBack) {
      const token = await credits.issue(key, payer, amount);
      return { ...remainder, state: "credited" as const, token };
    }
    const back = await rail.payBack({ order: key, to: payer, amount, now: Math.floor(now() / 1000) });
    const end = await facilitator.settle(back);
    if (end.kind === "settled") return { ...remainder, state: "returned" as const, transaction: end.transaction };
    const found = await rail.find(back);
    if (found.kind === "paid") return { ...remainder, state: "returned" as const, transaction: found.transaction };
    logger.warn({ key, reason: end.reason }, "payment: the remainder could not be returned yet");
    return { ...remainder, attempts: remainder.attempts + 1 };
  }

  return {
    async complete(key, version, record) {
      const { credit, remainder } = record;
      if (credit && !credit.captured) await credits.capture(credit.id, key, BigInt(credit.used));
      const done: PaymentRecord = { ...record, ...(credit ? { credit: { ...credit, captured: true } } : {}) };
      if (remainder?.state === "owed") done.remainder = await giveBack(key, { ...record, remainder });
      const open = done.remainder?.state === "owed";
      // Whoever wrote in between does the same work; the chain and the credit's hold see to it that it counts once.
      await records.write(key, version, done, open ? now() + RETRY_MS : undefined);
      return done;
    },
  };
}

/** Whether a settled record still leaves something to be done. */
export const isOpen = ({ credit, remainder }: PaymentRecord): boolean =>
  remainder?.state === "owed" || (credit !== undefined && !credit.captured);
