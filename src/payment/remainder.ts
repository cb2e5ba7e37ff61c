/**
 * What becomes of the part of a settled maximum that was not used: it goes back on chain, as an ordinary payment in
 * the other direction, or becomes credit. It is owed from the same write on that says "settled", so no crash loses it;
 * its nonce is derived from the payment, so the chain itself refuses a second return.
 */
import type { Logger } from "../context.js";
import type { Emit } from "../events.js";
import type { Credits } from "./credit.js";
import { type FacilitatorClient, saysAlreadySettled } from "./facilitator.js";
import { endpointOf, entriesOf, isUnbooked, type Ledger } from "./ledger.js";
import { fromMicros, type Micros } from "./money.js";
import type { Rails } from "./rails.js";
import type { PaymentRecord, Records, Remainder } from "./record.js";

const RETRY_MS = 60_000;
/** After the last try: longer than a signed return can still be put on chain, so that it never comes on top of credit. */
const LAST_WAIT_MS = 180_000;
/** Failed returns after which the money becomes credit, once no signed return can be put on chain any more. */
const MAX_ATTEMPTS = 5;

export interface RemaindersOptions {
  records: Records;
  credits: Credits;
  facilitator: FacilitatorClient;
  rails: Rails;
  ledger: Ledger;
  emit: Emit;
  /** Below this an on-chain return costs more than it is worth. */
  minReturn: Micros;
  now: () => number;
  logger: Logger;
}

export interface Remainders {
  /** Ends what a settled payment leaves to be done: its credit is captured, its remainder returned, both booked. */
  complete(key: string, version: number, record: PaymentRecord): Promise<PaymentRecord>;
}

export function createRemainders(options: RemaindersOptions): Remainders {
  const { records, credits, facilitator, rails, ledger, emit, minReturn, now, logger } = options;

  async function giveBack({ id, payment }: PaymentRecord, remainder: Remainder): Promise<Remainder> {
    const amount = BigInt(remainder.amount);
    const { payer, terms } = payment;
    const rail = rails.get(terms.network);
    if (!rail?.payBack || amount < minReturn) return toCredit(id, payer, remainder);
    const back = await rail.payBack({ order: id, to: payer, amount, now: Math.floor(now() / 1000) });
    if (remainder.attempts >= MAX_ATTEMPTS) {
      const late = await rail.find(back);
      if (late.kind === "paid") return { ...remainder, state: "returned", transaction: late.transaction };
      return toCredit(id, payer, remainder);
    }
    const end = await facilitator.settle(back);
    if (end.kind === "settled") return { ...remainder, state: "returned", transaction: end.transaction };
    const found = await rail.find(back);
    if (found.kind === "paid") return { ...remainder, state: "returned", transaction: found.transaction };
    // Nobody else signs for this wallet: what is used is our own return, whose answer was lost.
    if (
      (found.kind === "unknown" || found.kind === "unreadable") &&
      end.kind === "refused" &&
      saysAlreadySettled(end.reason)
    )
      return { ...remainder, state: "returned" };
    logger.warn({ payment: id, reason: end.reason }, "payment: the remainder could not be returned yet");
    return { ...remainder, attempts: remainder.attempts + 1 };
  }

  async function toCredit(id: string, payer: string, remainder: Remainder): Promise<Remainder> {
    return { ...remainder, state: "credited", token: await credits.issue(id, payer, BigInt(remainder.amount)) };
  }

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
      if (remainder?.state === "owed") done.remainder = await giveBack(record, remainder);
      done.booked = await book(done);
      // Whoever wrote in between does the same work; the chain and the credit's hold see to it that it counts once.
      const written = await records.write(key, version, done, isOpen(done) ? now() + waitMs(done) : undefined);
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
