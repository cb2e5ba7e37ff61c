/**
 * What becomes of the part of a settled maximum that was not used: it goes back on chain, as an ordinary payment in
 * the other direction, or becomes credit. It is owed from the same write on that says "settled", so no crash loses it.
 */
import type { Emit } from "../../host/events.js";
import { fromMicros } from "../../lib/money.js";
import { endpointOf, entriesOf, isUnbooked, type Ledger } from "../ledger/ledger.js";
import type { PaymentRecord, Records, Remainder } from "../record.js";
import { createGiveBack, type GiveBackOptions, MAX_ATTEMPTS } from "./give-back.js";

const RETRY_MS = 60_000;
/** After the last try: longer than a signed return can still be put on chain, so that it never comes on top of credit. */
const LAST_WAIT_MS = 180_000;

export interface RemaindersOptions extends GiveBackOptions {
  records: Records;
  ledger: Ledger;
  emit: Emit;
}

export interface Remainders {
  /** Ends what a settled payment leaves to be done: its credit is captured, its remainder returned, both booked. */
  complete(key: string, version: number, record: PaymentRecord): Promise<PaymentRecord>;
}

export function createRemainders(options: RemaindersOptions): Remainders {
  const { records, credits, ledger, emit, now, logger } = options;
  const giveBack = createGiveBack(options);

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

  function reportReturn({ requestId, fingerprint, payment, remainder, settledAt = now() }: PaymentRecord): void {
    if (remainder?.state !== "returned") return;
    emit({
      id: endpointOf(fingerprint),
      requestId,
      outcome: "refunded",
      caller: "paid",
      status: 200,
      refundedUsd: fromMicros(BigInt(remainder.amount)),
      payer: payment.payer,
      network: payment.terms.network,
      ...(remainder.transaction ? { transaction: remainder.transaction } : {}),
      durationMs: now() - settledAt,
    });
  }

  return {
    async complete(key, version, record) {
      const { credit, remainder } = record;
      if (credit && !credit.captured) await credits.capture(credit.id, key, BigInt(credit.used));
      const done: PaymentRecord = { ...record, ...(credit ? { credit: { ...credit, captured: true } } : {}) };
      let at = version;
      async function keep(next: Remainder): Promise<boolean> {
        const kept = await records.write(key, at, { ...done, remainder: next }, now() + RETRY_MS);
        at = kept ?? at;
        return kept !== undefined;
      }
      if (remainder?.state === "owed") done.remainder = await giveBack(record, remainder, keep);
      done.booked = await book(done);
      // Whoever wrote in between does the same work; the return's nonce, or that it was kept before it was sent, and the
      // credit's hold see to it that it counts once.
      const written = await records.write(key, at, done, isOpen(done) ? now() + waitMs(done) : undefined);
      if (written !== undefined && remainder?.state === "owed") reportReturn(done);
      return done;
    },
  };
}

const waitMs = ({ remainder }: PaymentRecord) =>
  remainder && remainder.attempts >= MAX_ATTEMPTS ? LAST_WAIT_MS : RETRY_MS;

/** Whether a settled record still leaves something to be done. */
export const isOpen = (record: PaymentRecord): boolean =>
  record.remainder?.state === "owed" || record.credit?.captured === false || isUnbooked(record);
