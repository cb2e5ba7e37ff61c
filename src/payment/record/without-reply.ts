/** Records whose reply has to go, since the store has no room or the settlement was refused. */
import type { Failure } from "./facts.js";
import type { Answered, PaymentRecord, Prepaying, SavedReply, SettlingPayment, Unanswered } from "./record.js";

const NOT_KEPT: Failure = {
  code: "ANSWER_NOT_KEPT",
  message: "This payment was used, and the answer that it bought is not kept any more. It is not charged again.",
};

/**
 * Removes the answer from a record for which the store has no room. A paid record then says so, and is neither charged
 * nor run again. A refused payment, if it comes back, is settled first and run after that. A record with an unclear
 * settlement stays complete, because its answer is owed.
 */
export function compactOf({ outcome, state }: PaymentRecord, isOver: boolean): ((value: string) => string) | undefined {
  if (outcome === undefined) return undefined;
  if (state === "settled") return withoutAnswer;
  // guard: a reply that is owed does not go | always | full-store
  return isOver ? toBeMadeAnew : undefined;
}

// The store calls this with text written by this process, so it needs no second validation.
function withoutAnswer(value: string): string {
  const { outcome: _, ...record } = JSON.parse(value) as Answered;
  // guard: a payment whose reply had to go is not run again |
  //   "unanswered", failure: NOT_KEPT -> "awaiting-work", prepaid: true | full-store
  const left =
    record.stage === "answered"
      ? ({ ...record, stage: "unanswered", failure: NOT_KEPT } satisfies Unanswered)
      : ({ ...record, stage: "unanswered-free", failure: NOT_KEPT } satisfies Unanswered);
  return JSON.stringify(left);
}

const toBeMadeAnew = (value: string): string => JSON.stringify(withoutReply(JSON.parse(value) as SavedReply));

/** A refused payment without its reply: if it comes back, it is settled first, and its reply is made after that. */
export function withoutReply(record: SettlingPayment): Prepaying & { credit?: undefined } {
  const { outcome: _, refund: __, credit: ___, ...rest } = withoutCount(record);
  const { amount: ____, ...payment } = rest.payment;
  return { ...rest, payment, prepaid: true };
}

/** A reply that no longer counts as unpaid. */
export function withoutCount(record: SettlingPayment): SettlingPayment {
  if (record.outcome === undefined) return record;
  const { kept: _, ...rest } = record;
  return rest;
}
