/**
 * What becomes of the part of a settled maximum that was not used: it goes back on chain, as an ordinary payment in
 * the other direction, or becomes credit. It is owed from the same write on that says "settled", so no crash loses it.
 */
import type { Emit } from "../../events.js";
import { fromMicros } from "../../lib/money.js";
import { endpointOf, entriesOf, isUnbooked, type Ledger } from "../ledger/ledger.js";
import type { PaymentRecord, Records, Refund } from "../record.js";
import { createRefundAttempt, MAX_ATTEMPTS, type RefundAttemptOptions } from "./attempt.js";

const RETRY_MS = 60_000;
/** After the last try: longer than a signed refund can still be put on chain, so that it never comes on top of credit. */
const LAST_WAIT_MS = 180_000;

export interface RefundsOptions extends RefundAttemptOptions {
  records: Records;
  ledger: Ledger;
  emit: Emit;
}

export interface Refunds {
  /** Ends what a settled payment leaves to be done: its credit is captured, its refund returned, both booked. */
  complete(key: string, version: number, record: PaymentRecord): Promise<PaymentRecord>;
}

export function createRefunds(options: RefundsOptions): Refunds {
  const { records, credits, ledger, emit, now, logger } = options;
  const attemptRefund = createRefundAttempt(options);

  /** An answer that was paid for does not wait for the books: what could not be written is written later. */
  async function book(record: PaymentRecord): Promise<boolean> {
    try {
      await ledger.book(entriesOf(record, now()));
      return true;
    } catch (error) {
      logger.error({ payment: record.id, error }, "payment: the ledger entry is left to the background");
      return false;
    }
  }

  function reportRefund({ requestId, fingerprint, payment, refund, settledAt = now() }: PaymentRecord): void {
    if (refund?.state !== "returned") return;
    emit({
      id: endpointOf(fingerprint),
      requestId,
      outcome: "refunded",
      caller: "paid",
      status: 200,
      refundedUsd: fromMicros(BigInt(refund.amount)),
      payer: payment.payer,
      network: payment.requirements.network,
      ...(refund.transaction ? { transaction: refund.transaction } : {}),
      durationMs: now() - settledAt,
    });
  }

  return {
    async complete(key, version, record) {
      const { credit, refund } = record;
      if (credit && !credit.captured) await credits.capture(credit.id, key, BigInt(credit.used));
      const done: PaymentRecord = { ...record, ...(credit ? { credit: { ...credit, captured: true } } : {}) };
      let at = version;
      async function keep(next: Refund): Promise<boolean> {
        const kept = await records.write(key, at, { ...done, refund: next }, now() + RETRY_MS);
        at = kept ?? at;
        return kept !== undefined;
      }
      if (refund?.state === "owed") done.refund = await attemptRefund(record, refund, keep);
      done.booked = await book(done);
      // Whoever wrote in between does the same work; the refund's nonce, or that it was kept before it was sent, and the
      // credit's hold see to it that it counts once.
      const written = await records.write(key, at, done, isOpen(done) ? now() + waitMs(done) : undefined);
      if (written !== undefined && refund?.state === "owed") reportRefund(done);
      return done;
    },
  };
}

const waitMs = ({ refund }: PaymentRecord) => (refund && refund.attempts >= MAX_ATTEMPTS ? LAST_WAIT_MS : RETRY_MS);

/** Whether a settled record still leaves something to be done. */
export const isOpen = (record: PaymentRecord): boolean =>
  record.refund?.state === "owed" || record.credit?.captured === false || isUnbooked(record);
