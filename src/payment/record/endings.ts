/** The record of a call that ended otherwise than by its settlement: its holder is gone, it was free, or no work follows. */
import { usdOf } from "../x402/usd.js";
import type { Failure, Refund, UsedCredit } from "./facts.js";
import { nextLook } from "./next-look.js";
import type { Answered, AwaitingWork, PaymentRecord, RunningPayment, Unanswered } from "./record.js";

/** The record of a holder that is gone. What was sent of its stream is due; any other is returned unchanged. */
export function brokenOff(record: PaymentRecord, now: number): PaymentRecord {
  if (record.state !== "running" || !record.progress) return record;
  const { progress, ...rest } = record;
  const { amount, outcome, credit } = progress;
  if (rest.byCredit) return answeredFreely(rest, now, { outcome, credit });
  return { ...rest, state: "settling", outcome, payment: { ...rest.payment, amount }, ...(credit ? { credit } : {}) };
}

/** A call for which nothing is settled: it is free, or credit pays it. Its payment may still appear on chain. */
export function answeredFreely(
  { prepaid: _, progress: __, ...claim }: RunningPayment,
  now: number,
  { outcome, credit }: { outcome: string; credit: UsedCredit | undefined },
): Answered {
  const { byCredit, validBefore } = claim;
  const watched = byCredit ? { lookAt: nextLook({ validBefore, settledAt: now }, now) } : {};
  const ended = { state: "settled", stage: "answered-free", settledAt: now, outcome, attempts: 1 } as const;
  return { ...claim, ...ended, ...watched, ...(credit ? { credit } : {}) };
}

/** A payment whose work will not be done: the money is owed, and credit beside it was not used. */
export function owedBack({ credit, ...record }: AwaitingWork, failure?: Failure): Unanswered {
  const refund: Refund = { amount: usdOf(record.payment.requirements).toString(), state: "owed", attempts: 0 };
  return {
    ...record,
    stage: "unanswered",
    refund,
    ...(failure ? { failure } : {}),
    ...(credit ? { credit: { ...credit, used: "0" } } : {}),
  };
}
