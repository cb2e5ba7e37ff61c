/** What the holder of a payment may do with it: settle what was made, or let go. */

import type { Micros } from "../../lib/money.js";
import { type Failure, owedBack, type PaymentRecord, type Records, type Refund } from "../record.js";
import type { Refunds } from "../refund/refunds.js";
import type { SettleResponse } from "../x402/refusal.js";
import type { Exposure } from "./exposure.js";
import { PREPAID_PATIENCE_MS, pending, type Settler } from "./settlement.js";

/** What was bought and how it was paid; without a receipt where it cost nothing in the end. */
export interface Delivery {
  outcome: string;
  receipt?: SettleResponse;
  refund?: Refund;
  /** What credit of it was given for. */
  order?: string;
  /** In the place of an outcome: why a call that was paid in advance has none. */
  failure?: Failure;
}

/** How a finished run is paid for. */
export interface Dues {
  /** Of what was authorized, in atomic units. Zero: nothing is settled. */
  charge: Micros;
  /** Earlier credit that pays for the rest of the price. */
  credit?: CreditPart;
}

/** What a held credit pays for, in atomic units. */
export interface CreditPart {
  id: string;
  used: Micros;
}

/** The right to do the work for a payment, held by one caller at a time. */
export interface PaymentLease {
  /** The key of the payment's record. */
  readonly key: string;
  /** Whether the money is there already: somebody settled it, and broke off before the work was done and answered. */
  readonly paid: boolean;
  /**
   * Settles the whole amount before the work, once. Rejects with SETTLEMENT_PENDING or PaymentRefused; credit that is
   * held beside it is free again once it is known that no money moved, whoever finds that out.
   */
  prepay(credit?: CreditPart): Promise<void>;
  /** Saves what was produced, settles, and saves that. Rejects with SETTLEMENT_PENDING or PaymentRefused. */
  settle(outcome: string, dues: Dues): Promise<Delivery>;
  /**
   * The work failed, or was not begun where no failure is given: the payment is free for another try, or, where it was
   * settled before, goes back whole.
   */
  release(failure?: Failure): Promise<Delivery | undefined>;
  /** The money is there, and the work may be done: whoever comes back for it finds out, and the background does later. */
  leave(): Promise<void>;
}

export interface PaymentLeasesOptions {
  records: Records;
  settler: Settler;
  refunds: Refunds;
  exposure: Exposure;
  now: () => number;
}

export interface PaymentLeases {
  /** The lease of a record that its holder just wrote at `version`. */
  open(key: string, version: number, record: PaymentRecord): PaymentLease;
}

export function createPaymentLeases({ records, settler, refunds, exposure, now }: PaymentLeasesOptions): PaymentLeases {
  function open(key: string, claimed: number, first: PaymentRecord): PaymentLease {
    let record = first;
    let version: number | undefined = claimed;

    /** Writes what the holder knows; frozen past the lease, somebody else holds the payment and will answer for it. */
    async function save(next: PaymentRecord, dueAt?: number): Promise<number> {
      version = version === undefined ? undefined : await records.write(key, version, next, dueAt);
      if (version === undefined) throw pending("This payment was taken over by another attempt.");
      record = next;
      return version;
    }

    async function settlePrepaid(outcome: string, { charge, credit }: Dues): Promise<Delivery> {
      const done = withDues({ ...record, outcome, leaseUntil: 0 }, { charge, credit });
      return deliveryOf(await refunds.complete(key, await save(done, record.leaseUntil), done));
    }

    async function settleNow(outcome: string, dues: Dues): Promise<Delivery> {
      const saved = withDues({ ...record, state: "settling", outcome, attempts: 1 }, dues);
      if (dues.charge > 0n) return deliveryOf(await settler.finish(key, await save(saved, saved.leaseUntil), saved));
      const done: PaymentRecord = { ...saved, state: "settled", settledAt: now() };
      const at = await save(done, done.leaseUntil);
      await exposure.free(record.payment);
      return deliveryOf(await refunds.complete(key, at, done));
    }

    return {
      key,
      get paid() {
        return record.state === "settled";
      },
      async leave() {
        await save({ ...record, leaseUntil: 0 }, now() + PREPAID_PATIENCE_MS);
      },
      async prepay(credit) {
        if (record.state === "settled") return;
        const saved = withCredit({ ...record, state: "settling", attempts: 1 }, credit);
        await settler.finish(key, await save(saved, saved.leaseUntil), saved);
        const found = await records.read(key);
        if (!found) throw pending("The payment was settled, but that could not be recorded yet.");
        ({ record, version } = found);
      },
      settle: (outcome, dues) => (record.state === "settled" ? settlePrepaid(outcome, dues) : settleNow(outcome, dues)),
      async release(failure) {
        if (record.state === "settled") return settleNothing(failure);
        if (version !== undefined && (await records.remove(key, version))) await exposure.free(record.payment);
        return undefined;
      },
    };

    /** A prepaid call that failed: everything is owed back. */
    async function settleNothing(failure: Failure = BROKE_OFF): Promise<Delivery> {
      const failed = owedBack({ ...record, leaseUntil: 0, failure });
      return deliveryOf(await refunds.complete(key, await save(failed, now()), failed));
    }
  }
  return { open };
}

/** The background gave the money back before anybody came back for the work. */
const BROKE_OFF: Failure = { code: "UPSTREAM_ERROR", message: "The call broke off before it was done." };

/** The record with what is to be paid of it: what was authorized beyond that is owed back. */
function withDues(record: PaymentRecord, { charge, credit }: Dues): PaymentRecord {
  const { payment } = record;
  const rest = BigInt(payment.requirements.amount) - charge;
  if (charge < 0n || rest < 0n) throw new Error("a call is charged at most what was authorized");
  const dues = { ...record };
  if (payment.requirements.scheme === "upto" && !record.prepaid)
    dues.payment = { ...payment, amount: charge.toString() };
  else if (rest > 0n && (charge > 0n || record.prepaid))
    dues.refund = { amount: rest.toString(), state: "owed", attempts: 0 };
  return withCredit(dues, credit);
}

const withCredit = (record: PaymentRecord, credit: CreditPart | undefined): PaymentRecord =>
  credit ? { ...record, credit: { id: credit.id, used: credit.used.toString(), captured: false } } : record;

export function deliveryOf({ id: order, outcome, failure, receipt, refund }: PaymentRecord): Delivery {
  const ended = outcome === undefined ? { outcome: "", failure: failure ?? BROKE_OFF } : { outcome };
  return { ...ended, ...(receipt ? { receipt } : {}), ...(refund ? { refund, order } : {}) };
}
