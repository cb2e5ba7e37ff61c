/**
 * Handles the unused part of a settled maximum: it is returned on chain by an ordinary payment, or becomes credit. The
 * debt is recorded in the same write as the settlement, so no crash loses it.
 */

import { fromMicros } from "../../lib/money.js";
import { entriesOf, isUnbooked, type Ledger } from "../ledger/ledger.js";
import type { TellLoss } from "../ledger/loss.js";
import type { Refund } from "../record/facts.js";
import { heldFor, type SettledPayment } from "../record/record.js";
import type { Records } from "../record/records.js";
import { createRefundAttempt, pauseBefore, RETRY_MS, type RefundAttemptOptions } from "./attempt.js";
import { createTellOverdue, type OverdueOptions, type Owed } from "./overdue.js";

export interface RefundsOptions extends RefundAttemptOptions, OverdueOptions {
  records: Records;
  ledger: Ledger;
  tellLoss: TellLoss;
}

export interface Refunds {
  /** Completes a settled payment: captures its credit, returns its refund, and books both. */
  complete(key: string, version: number, record: SettledPayment): Promise<SettledPayment>;
}

export function createRefunds(options: RefundsOptions): Refunds {
  const { records, credits, ledger, emit, tellLoss, now, logger } = options;
  const tellOverdue = createTellOverdue(options);
  const attemptRefund = createRefundAttempt(options);

  /** A paid answer does not wait for the ledger; a failed entry is written later. */
  async function book(record: SettledPayment): Promise<boolean> {
    try {
      await ledger.book(entriesOf(record, now()));
      return true;
    } catch (error) {
      logger.error({ payment: record.id, error }, "payment: the ledger entry is left to the background");
      return false;
    }
  }

  function reportRefund({ requestId, endpoint, payment, refund, settledAt = now() }: SettledPayment): void {
    if (refund?.state !== "returned") return;
    const usd = fromMicros(BigInt(refund.amount));
    const { payer, requirements } = payment;
    const { network } = requirements;
    const facts = { kind: "refund", id: endpoint, requestId, payer, network } as const;
    const durationMs = now() - settledAt;
    const { transaction } = refund;
    emit({ ...facts, outcome: "refunded", refundedUsd: usd, ...(transaction ? { transaction } : {}), durationMs });
  }

  const owedBy = ({ id, requestId, endpoint, payment, refund, settledAt = now() }: SettledPayment): Owed => ({
    ...{ payment: id, endpoint, requestId, payer: payment.payer, name: "overdue" },
    ...{ network: payment.requirements.network, refund, since: settledAt, settledAt },
  });

  /** The loss may already be reported by the second look. */
  async function tellGone(record: SettledPayment): Promise<void> {
    const { id, payment } = record;
    const facts = { payment: id, network: payment.requirements.network, payer: payment.payer };
    logger.error(facts, "payment: a settlement never reached the chain, so its refund was cancelled");
    await tellLoss(record);
  }

  async function withCreditCaptured(key: string, record: SettledPayment): Promise<SettledPayment> {
    const { credit } = record;
    if (!credit || credit.captured) return record;
    const taken = await credits.capture(credit.id, heldFor(key, record), BigInt(credit.used));
    // Its hold lasts a day, and nobody completed the call for as long.
    if (!taken) logger.error({ payment: record.id }, "payment: the credit of a call was used by another one meanwhile");
    return changed(record, { credit: { ...credit, captured: true } });
  }

  return {
    async complete(key, version, record) {
      let done = await withCreditCaptured(key, record);
      let at = version;
      async function keep(refund: Refund): Promise<boolean> {
        const kept = await records.write(key, at, changed(done, { refund }), now() + RETRY_MS);
        at = kept ?? at;
        return kept !== undefined;
      }
      const { refund } = record;
      if (refund?.state === "owed") done = changed(done, { refund: await attemptRefund(record, refund, keep) });
      // guard: what is owed for long is told | = undefined | RETURNS
      const told = await tellOverdue(owedBy(done));
      if (told) done = changed(done, { refund: told.refund });
      done = changed(done, { booked: await book(done) });
      // guard: a settlement that is found lost by its refund is told | gone | handler/reorganised
      if (done.refund?.state === "void" && refund?.state === "owed") await tellGone(done);
      // A concurrent writer does the same work. It counts once because of the refund's nonce or its stored signature,
      // and because of the credit's hold.
      const written = await records.write(key, at, done, isRefundOpen(done) ? nextOf(done, now()) : done.lookAt);
      if (written === undefined) return done;
      told?.report();
      if (done.refund?.state !== refund?.state) reportRefund(done);
      return done;
    },
  };
}

/** The record with changes made since. */
const changed = <State extends SettledPayment>(
  record: State,
  changes: Partial<Pick<State, "refund" | "credit" | "booked">>,
): State => ({ ...record, ...changes });

/** If a refund waits for its settlement, the check leaves time to settle again. */
function nextOf(record: SettledPayment, now: number): number {
  const { lookAt = 0 } = record;
  const next = now + waitMs(record, now);
  return lookAt > now ? Math.min(next, lookAt) : next;
}

const waitMs = ({ refund, settledAt = 0 }: SettledPayment, now: number): number =>
  pauseBefore(refund?.attempts ?? 0, now - settledAt);

/** Whether a settled record is incomplete. */
export const isRefundOpen = (record: SettledPayment): boolean =>
  record.refund?.state === "owed" || record.credit?.captured === false || isUnbooked(record);

/** Whether its settlement must be checked again before it can be completed. */
// guard: a settlement is looked for again although its refund waits for it |
//   - record.lookAt <= now || | handler/reorganised
export const isToBeSeen = (record: SettledPayment, now: number): boolean =>
  record.lookAt !== undefined && (record.lookAt <= now || !isRefundOpen(record));
