/** Operations of the holder of a payment: settle a result, or release the payment. */

import { fromMicros, type Micros } from "../../lib/money.js";
import type { LeaseOwner } from "../../stores/owner.js";
import { answeredFreely, owedBack } from "../record/endings.js";
import type { BoughtProduct, Failure, Refund } from "../record/facts.js";
import { pending } from "../record/pending.js";
import {
  type Answered,
  type AwaitingOnCredit,
  type AwaitingWork,
  isAwaitingWork,
  isByUsage,
  isOnCredit,
  type OnCredit,
  type PaymentRecord,
  type Prepaying,
  type RunningPayment,
  type SavedReply,
  type SettledPayment,
} from "../record/record.js";
import type { Records } from "../record/records.js";
import type { Refunds } from "../refund/refunds.js";
import type { SettleResponse } from "../x402/refusal.js";
import { usdOf } from "../x402/usd.js";
import type { PaymentRequirements } from "../x402/wire.js";
import type { Exposure } from "./exposure.js";
import type { LetGo } from "./let-go.js";
import { PREPAID_PATIENCE_MS, type Settler } from "./settlement.js";

/** The result and its payment; without a receipt if nothing was charged. */
export interface Delivery {
  outcome: string;
  receipt?: SettleResponse;
  refund?: Refund;
  /** The order for which credit was given. */
  order?: string;
  /** Instead of a result: why a call that was paid in advance has none. */
  failure?: Failure;
}

/** Payment of a finished run. */
export interface Dues {
  /** Part of the authorized amount to charge, in atomic units. Zero settles nothing. */
  charge: Micros;
  /** Earlier credit that pays the rest of the price. */
  credit?: CreditPart;
}

/** Amount that a held credit pays, in atomic units. */
export interface CreditPart {
  id: string;
  used: Micros;
}

/** The right to do the work for a payment, held by one caller at a time. */
export interface PaymentLease {
  /** The key of the payment's record. */
  readonly key: string;
  /** Id of the payment that the purchase began with, and the account for which that buys a balance. */
  readonly id: string;
  readonly account: string | undefined;
  readonly product: BoughtProduct | undefined;
  /** Whether the payment is already settled: an earlier holder settled it and broke off before it answered. */
  readonly paid: boolean;
  /** Requirements of the payment that it is for, which an earlier attempt may have begun at another price. */
  readonly requirements: PaymentRequirements;
  /** Whether it was quoted as a maximum; undefined in records of older releases. */
  readonly byUsage: boolean | undefined;
  /** The amount of the wallet's credit that pays instead of the payment; undefined if the payment does. */
  readonly onCredit: Micros | undefined;
  /**
   * Settles the whole amount before the work, once. Rejects with SETTLEMENT_PENDING or PaymentRefused. Credit held with
   * it is released once it is known that no money moved. Resolves to the receipt.
   */
  prepay(credit?: CreditPart): Promise<SettleResponse | undefined>;
  /**
   * Saves how far a stream came, which is settled if nothing follows until `until` (epoch milliseconds). Rejects with
   * SETTLEMENT_PENDING.
   */
  advance(outcome: string, dues: Dues, until: number): Promise<void>;
  /** Stores the result, settles, and stores the settlement. Rejects with SETTLEMENT_PENDING or PaymentRefused. */
  settle(outcome: string, dues: Dues): Promise<Delivery>;
  /**
   * Ends a failed call, or without a failure one whose work did not begin: the payment can be used again, or is
   * returned in full if it was settled.
   */
  release(failure?: Failure): Promise<Delivery | undefined>;
  /** Ends the lease of a settled payment whose work may be done: the next attempt or the background finds out. */
  leave(): Promise<void>;
}

export interface PaymentLeasesOptions {
  records: Records;
  settler: Settler;
  refunds: Refunds;
  exposure: Exposure;
  letGo: LetGo;
  owner: LeaseOwner;
  now: () => number;
}

type Leased = RunningPayment | AwaitingWork | AwaitingOnCredit;

export interface PaymentLeases {
  /**
   * Opens the lease of a record that its holder just wrote at `version`. `left` is the wallet's credit beside the part
   * that is held for it.
   */
  open(key: string, version: number, record: Leased, left?: Micros): PaymentLease;
}

export function createPaymentLeases({
  records,
  settler,
  refunds,
  exposure,
  letGo,
  owner,
  now,
}: PaymentLeasesOptions): PaymentLeases {
  function open(key: string, claimed: number, first: Leased, left = 0n): PaymentLease {
    let record: PaymentRecord = first;
    let version: number | undefined = claimed;

    /**
     * Writes the record. After a pause beyond its lease the holder fails, because another caller holds the payment and
     * answers.
     */
    async function save(next: PaymentRecord, dueAt?: number): Promise<number> {
      // guard: a holder that was overtaken writes nothing |
      //   version, -> (await records.read(key))?.version ?? 0, | PAYMENT
      version = version === undefined ? undefined : await records.write(key, version, next, dueAt);
      if (version === undefined) throw takenOver();
      record = next;
      return version;
    }

    async function settlePrepaid(paid: AwaitingWork, outcome: string, dues: Dues): Promise<Delivery> {
      const done: Answered = { ...paid, ...duesOf(paid, dues), stage: "answered", outcome, leaseUntil: 0 };
      return deliveryOf(await refunds.complete(key, await save(done, paid.leaseUntil), done));
    }

    async function settleNow(
      { progress: _, ...claim }: RunningPayment,
      outcome: string,
      dues: Dues,
    ): Promise<Delivery> {
      if (dues.charge === 0n) return answerFreely(claim, outcome, dues);
      const saved: SavedReply = { ...claim, ...duesOf(claim, dues), state: "settling", outcome, attempts: 1 };
      return deliveryOf(await settler.finish(key, await save(saved, saved.leaseUntil), saved));
    }

    /** Nothing is charged, or credit pays all of it: the facilitator is not asked. */
    async function answerFreely(claim: RunningPayment, outcome: string, dues: Dues): Promise<Delivery> {
      const { payment, credit } = duesOf(claim, dues);
      return keepFree(answeredFreely({ ...claim, payment }, now(), { outcome, credit }));
    }

    async function answerOnCredit(claim: OnCredit, outcome: string, { credit }: Dues): Promise<Delivery> {
      const used = { outcome, credit: creditUsed(claim, credit?.used ?? 0n) };
      return keepFree(answeredFreely(begun(claim), now(), used));
    }

    async function keepFree(done: Answered): Promise<Delivery> {
      const at = await save(done, done.leaseUntil);
      await exposure.free(done.payment);
      return deliveryOf(await refunds.complete(key, at, done));
    }

    /** The amount that a call uses of the wallet's credit, and the rest. */
    function creditUsed({ byCredit, credit }: OnCredit, used: Micros) {
      const { id, amount } = byCredit;
      const beside = credit?.left === undefined ? left : BigInt(credit.left) + BigInt(credit.used) - BigInt(amount);
      return { ...holdOf({ id, used }), left: (beside + BigInt(amount) - used).toString() };
    }

    /** Holds on to the credit until the work is known to be done, as money that is settled before it. */
    async function prepayOnCredit(claim: OnCredit): Promise<void> {
      const { progress: _, ...rest } = begun(claim);
      const { byCredit } = claim;
      const credit = creditUsed(claim, BigInt(byCredit.amount));
      const waiting = { state: "settled", stage: "awaiting-work-on-credit", settledAt: now(), prepaid: true } as const;
      const saved: AwaitingOnCredit = { ...rest, ...waiting, byCredit, credit };
      await save(saved, saved.leaseUntil + PREPAID_PATIENCE_MS);
    }

    /** The credit is free again; a holder whose lease was taken over leaves it to the other one. */
    async function releaseCredit(claim: OnCredit): Promise<void> {
      if (version !== undefined) await letGo(key, { record: claim, version });
    }

    /** The work that ends the lease, whatever becomes of it. */
    const ending = <T>(work: Promise<T>): Promise<T> => work.finally(() => owner.end(first));

    return {
      key,
      id: first.id,
      account: first.account,
      product: first.product,
      get paid() {
        return record.state === "settled";
      },
      requirements: first.payment.requirements,
      byUsage: isByUsage(first),
      get onCredit() {
        return isOnCredit(record) ? BigInt(record.byCredit.amount) : undefined;
      },
      async leave() {
        await ending(save({ ...record, leaseUntil: 0 }, now() + PREPAID_PATIENCE_MS));
      },
      prepay: (credit) =>
        prepayNow(credit).catch((error: unknown) => {
          owner.end(first);
          throw error;
        }),
      async advance(outcome, dues, until) {
        if (record.state !== "running") throw takenOver();
        const { payment, credit } = isOnCredit(record)
          ? { payment: { amount: "0" }, credit: creditUsed(record, dues.credit?.used ?? 0n) }
          : duesOf(record, dues);
        const progress = { amount: payment.amount ?? "0", outcome, ...(credit ? { credit } : {}) };
        // guard: the progress of a stream is due before its authorization expires | without Math.min | stream-crash
        const leaseUntil = Math.min(record.leaseUntil, until);
        await save({ ...record, leaseUntil, progress }, leaseUntil);
      },
      settle: (outcome, dues) => ending(settle(outcome, dues)),
      release: (failure) => ending(release(failure)),
    };

    async function prepayNow(credit: CreditPart | undefined): Promise<SettleResponse | undefined> {
      if (record.state === "settled") return record.receipt;
      if (record.state !== "running") throw takenOver();
      if (isOnCredit(record)) return void (await prepayOnCredit(record));
      const held = credit ? { credit: holdOf(credit) } : {};
      const saved: Prepaying = { ...record, ...held, state: "settling", prepaid: true, attempts: 1 };
      await settler.finish(key, await save(saved, saved.leaseUntil), saved);
      const found = await records.read(key);
      if (!found) throw pending("The payment was settled, but that could not be recorded yet.");
      ({ record, version } = found);
      return record.receipt;
    }

    async function settle(outcome: string, dues: Dues): Promise<Delivery> {
      if (isOnCredit(record)) return answerOnCredit(record, outcome, dues);
      if (isAwaitingWork(record)) return settlePrepaid(record, outcome, dues);
      if (record.state === "running") return settleNow(record, outcome, dues);
      throw takenOver();
    }

    async function release(failure: Failure | undefined): Promise<Delivery | undefined> {
      if (isOnCredit(record)) return void (await releaseCredit(record));
      if (isAwaitingWork(record)) return settleNothing(record, failure);
      if (record.state !== "running") throw takenOver();
      // guard: a failed run frees the payment | gone | PAYMENT
      if (version !== undefined && (await records.remove(key, version))) await exposure.free(record.payment);
      return undefined;
    }

    /** A prepaid call failed: everything is owed back. */
    async function settleNothing(paid: AwaitingWork, failure: Failure = BROKE_OFF): Promise<Delivery> {
      const failed = owedBack({ ...paid, leaseUntil: 0 }, failure);
      return deliveryOf(await refunds.complete(key, await save(failed, now()), failed));
    }
  }
  return { open };
}

/** The background returned the money before anybody came back for the work. */
const BROKE_OFF: Failure = { code: "UPSTREAM_ERROR", message: "The call broke off before it was done." };

const takenOver = () => pending("This payment was taken over by another attempt.");

/** Amounts to charge of a payment. If the whole authorized amount was settled, the rest is owed back. */
function duesOf({ payment, prepaid }: RunningPayment | AwaitingWork, { charge, credit }: Dues) {
  const rest = usdOf(payment.requirements) - charge;
  if (charge < 0n || rest < 0n) throw new Error("a call is charged at most what was authorized");
  const held = credit ? { credit: holdOf(credit) } : {};
  if (payment.requirements.scheme === "upto" && !prepaid)
    return { payment: { ...payment, amount: charge.toString() }, ...held };
  // guard: what is owed is written with what is settled | rest > -> rest < | USAGE
  return rest > 0n ? { payment, refund: owed(rest), ...held } : { payment, ...held };
}

const owed = (amount: Micros): Refund => ({ amount: amount.toString(), state: "owed", attempts: 0 });

const holdOf = ({ id, used }: CreditPart) => ({ id, used: used.toString(), captured: false });

export function deliveryOf(record: SettledPayment): Delivery {
  const { id: order, outcome, failure, receipt = creditReceipt(record), refund } = record;
  const ended = outcome === undefined ? { outcome: "", failure: failure ?? BROKE_OFF } : { outcome };
  return { ...ended, ...(receipt ? { receipt } : {}), ...(refund ? { refund, order } : {}) };
}

/** The claim of a call on credit, whether its credit was taken before the work or not. */
const begun = (claim: OnCredit): RunningPayment => {
  if (claim.state === "running") return claim;
  const { stage: _, credit: __, settledAt: ___, booked: ____, prepaid: _____, ...claimed } = claim;
  const { landed: ______, lookAt: _______, ...rest } = claimed;
  return { ...rest, state: "running" };
};

/** The receipt of a call that the wallet's credit paid: no transaction moved anything. */
function creditReceipt({ payment: { payer, requirements }, credit }: SettledPayment): SettleResponse | undefined {
  if (credit?.left === undefined) return undefined;
  const told = { usedUsd: fromMicros(BigInt(credit.used)), leftUsd: fromMicros(BigInt(credit.left)) };
  const { network } = requirements;
  return { success: true, transaction: "", network, payer, amount: "0", extensions: { credit: told } };
}
