/** Reports a settlement that is lost from the chain for good, once, in the ledger and by an event. */

import { fromMicros } from "../../lib/money.js";
import type { Emit } from "../events/events.js";
import type { SettledPayment } from "../record/record.js";
import { type Ledger, lossOf } from "./ledger.js";

export interface LossOptions {
  ledger: Ledger;
  emit: Emit;
  now: () => number;
  /** Takes what a payment bought for an account back, as far as it is not spent. Absent without accounts. */
  takeBack?: ((record: SettledPayment) => Promise<unknown>) | undefined;
}

/** Reports a loss when it is discovered; a repetition does nothing. */
export type TellLoss = (record: SettledPayment) => Promise<void>;

export const createTellLoss =
  ({ ledger, emit, now, takeBack }: LossOptions): TellLoss =>
  async (record) => {
    // Before the loss is told, so that a crash in between repeats both.
    await takeBack?.(record);
    const loss = lossOf(record, now());
    // guard: a lost settlement is told once | ([loss]) -> ([loss]).then(() => true) | handler/reorganised
    if (!loss || !(await ledger.book([loss]))) return;
    const { requestId, endpoint, payment, receipt, settledAt = now() } = record;
    emit({
      kind: "loss",
      outcome: "lost",
      id: endpoint,
      requestId,
      lostUsd: fromMicros(loss.lost),
      payer: payment.payer,
      network: payment.requirements.network,
      ...(receipt?.transaction ? { transaction: receipt.transaction } : {}),
      durationMs: now() - settledAt,
    });
  };
