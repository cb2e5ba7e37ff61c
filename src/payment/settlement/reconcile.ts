/** Completes payments in the background that a crash or an unresponsive facilitator left open. */

import type { WalletCall } from "../../capability/wallets.js";
import { CapabilityError } from "../../errors.js";
import type { Logger } from "../../lib/logger.js";
import type { LeaseOwner, Taken } from "../../stores/owner.js";
import { isLedgerKey } from "../ledger/ledger.js";
import { accountId } from "../networks/accounts.js";
import { brokenOff, owedBack } from "../record/endings.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import {
  type AwaitingWork,
  isAwaitingWork,
  isOnCredit,
  type OnCredit,
  type PaymentRecord,
  type SavedReply,
  type SettledPayment,
  type SettlingPayment,
} from "../record/record.js";
import type { Records, VersionedRecord } from "../record/records.js";
import { withoutReply } from "../record/without-reply.js";
import type { CreditCalls } from "../refund/credit-call.js";
import type { CreditReturns } from "../refund/credit-return.js";
import type { HostRefunds } from "../refund/host-refund.js";
import { isRefundOpen, isToBeSeen, type Refunds } from "../refund/refunds.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { RecheckOnChain } from "./chain-recheck.js";
import { createForeignRecords } from "./foreign-records.js";
import type { LookForLanding } from "./landing.js";
import type { LetGo } from "./let-go.js";
import type { Settler } from "./settlement.js";
import type { UnpaidReplies } from "./unpaid-replies.js";

const LEASE_MS = 60_000;
/** Almost all due records are second looks, several a second for a busy host. */
const BATCH = 100;
const AT_A_TIME = 4;
/** How many due records of other hosts are skipped in the search for our own. */
const MOST_DUE = 20_000;

/** The call of a payment, as the receipt of its work names it. */
const callOf = (key: string, { payment }: PaymentRecord): WalletCall => ({
  id: accountId(payment.requirements.network, payment.payer),
  callId: key,
});

/** Whether a call has done its work on its wallet's state. Rejects if this cannot be determined now. */
export type Receipts = (call: WalletCall) => Promise<boolean>;

export interface Reconciler {
  /**
   * Settles due payments once; resolves to their number. For platforms without timers. Starts none after `endsAt`, on
   * the clock of `performance.now()`.
   */
  run(endsAt?: number): Promise<number>;
}

/** The answer for a caller is saved in the record, because nobody waits for one here. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof PaymentRefused || CapabilityError.is(error))) throw error;
}

export interface ReconcilerOptions {
  records: Records;
  settler: Settler;
  refunds: Refunds;
  creditCalls: CreditCalls;
  creditReturns: Pick<CreditReturns, "owns" | "finish">;
  hostRefunds: Pick<HostRefunds, "owns" | "finish">;
  /** Records of accounts are due when something of them ends. Absent without accounts. */
  accounts?: (Pick<HostRefunds, "owns" | "finish"> & { bookPaid(record: PaymentRecord): Promise<boolean> }) | undefined;
  /** Jobs that their process left. Absent if the host has none. */
  jobs?: Pick<HostRefunds, "owns" | "finish"> | undefined;
  recheck: RecheckOnChain;
  lookForLanding: LookForLanding;
  letGo: LetGo;
  unpaidReplies: UnpaidReplies;
  /** Whether a call has done its work on its wallet's state; undefined if the host keeps none. */
  receipts?: Receipts | undefined;
  own: OwnAccounts;
  owner: LeaseOwner;
  now: () => number;
  logger: Logger;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { records, settler, refunds, creditCalls, creditReturns, hostRefunds, recheck, lookForLanding, letGo } =
    options;
  const { unpaidReplies, receipts, own, owner, now, logger, accounts, jobs } = options;
  const foreign = createForeignRecords({ now, logger });

  const failed = (facts: object) =>
    logger.error(facts, "payment: completing an open payment failed; the next round tries again");

  async function finishDue(key: string): Promise<void> {
    for (const notes of [creditCalls, creditReturns, hostRefunds, accounts, jobs]) {
      if (!notes?.owns(key)) continue;
      if (!(await notes.finish(key))) foreign.add(key);
      return;
    }
    const found = await records.read(key);
    if (!found) return;
    const { requirements } = found.record.payment;
    // guard: the background leaves what is due to another host | gone | neighbours
    if (!own.has(requirements)) return foreign.add(key, requirements);
    if (!(await owner.isHeld(found.record))) await finishFree(key, found);
  }

  /** Finishes a payment that nobody holds. */
  async function finishFree(key: string, { record, version }: VersionedRecord): Promise<void> {
    if (isAwaitingWork(record)) return finishWork(key, { record, version });
    // guard: a crash settles what was sent of a stream, by the background | without brokenOff | stream-crash
    const left = brokenOff(record, now());
    if (isOnCredit(left)) return finishOnCredit(key, { record: left, version });
    if (left.state === "settling") return finishSettling(key, { record: left, version });
    // The part of a stream on credit that was sent is charged.
    if (left.state === "settled" && record.state === "running") return complete(key, version, left);
    // Any other running payment is left to its payer, because only the payer can send it again.
    if (record.state === "settled") return finishSettled(key, { record, version });
  }

  async function finishSettling(key: string, { record, version }: VersionedRecord<SettlingPayment>): Promise<void> {
    // guard: replies of refused payments go when they cannot be paid for any more | gone | unpaid-replies
    if (record.outcome !== undefined && record.kept?.until !== undefined) return forget(key, { record, version });
    await leased(async (lease) => {
      const taken = { ...record, ...lease, attempts: record.attempts + 1 };
      // If this process dies as well, the record is due again when its lease ends.
      const at = await records.write(key, version, taken, taken.leaseUntil);
      if (at !== undefined) await settler.finish(key, at, taken).catch(ignoreRefusal);
    });
  }

  async function leased(work: (lease: Taken) => Promise<void>): Promise<void> {
    const lease = await owner.take(now() + LEASE_MS);
    await work(lease).finally(() => owner.end(lease));
  }

  /** Paid for, and nobody came back for the work: the money is returned, unless the work was done without an answer. */
  async function finishWork(key: string, { record, version }: VersionedRecord<AwaitingWork>): Promise<void> {
    const done = await workDone(key, record);
    if (done === "unknown") return void (await records.write(key, version, record, now() + LEASE_MS));
    // If done, the money is earned, and a returning caller gets the result.
    await complete(key, version, done ? record : owedBack(record));
  }

  /** The same for work that credit pays for: it is charged, or free again. */
  async function finishOnCredit(key: string, { record, version }: VersionedRecord<OnCredit>): Promise<void> {
    const done = record.state === "settled" && (await workDone(key, record));
    if (done === "unknown") return void (await records.write(key, version, record, now() + LEASE_MS));
    if (done && record.state === "settled") return complete(key, version, record);
    await letGo(key, { record, version });
  }

  async function workDone(key: string, record: PaymentRecord): Promise<boolean | "unknown"> {
    const find = async () => (await accounts?.bookPaid(record)) || ((await receipts?.(callOf(key, record))) ?? false);
    return find().catch((error: unknown) => {
      failed({ key, error });
      return "unknown" as const;
    });
  }

  async function finishSettled(key: string, { record, version }: VersionedRecord<SettledPayment>): Promise<void> {
    // Credit is charged before anything else becomes credit.
    // guard: credit is charged before a payment that it replaced is looked for | gone | handler/wallet-credit
    if (record.byCredit && isRefundOpen(record)) return complete(key, version, record);
    if (isToBeSeen(record, now()))
      return record.byCredit ? lookForLanding(key, { record, version }) : recheck(key, { record, version });
    if (isRefundOpen(record)) return complete(key, version, record);
    // A crash lost its last write and nothing is left to do; without this write it would stay due before all foreign.
    // guard: what has nothing left to do is not due any more | gone | PAYMENT
    await records.write(key, version, record);
  }

  async function complete(key: string, version: number, record: SettledPayment): Promise<void> {
    await leased(async (lease) => {
      const at = await records.write(key, version, { ...record, ...lease }, lease.leaseUntil);
      if (at !== undefined) await refunds.complete(key, at, { ...record, leaseUntil: 0 }).catch(ignoreRefusal);
    });
  }

  /** Deletes the reply of a refused payment that can no longer come back. */
  async function forget(key: string, { record, version }: VersionedRecord<SavedReply>): Promise<void> {
    if ((await records.write(key, version, withoutReply(record))) !== undefined) await unpaidReplies.free(record);
  }

  async function run(endsAt = Number.POSITIVE_INFINITY): Promise<number> {
    let looked = 0;
    // Records of other hosts do not count towards the batch.
    for (let keys = await dueHere(); keys.length > 0; keys = await dueHere()) {
      const known = foreign.size();
      const left = keys.values();
      const work = async () => {
        for (const key of left) {
          if (performance.now() >= endsAt) return;
          // A record that cannot be completed must not delay the foreign.
          await finishDue(key).catch((error: unknown) => failed({ key, error }));
          if (!foreign.has(key)) looked++;
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, work));
      if (looked > 0 || foreign.size() === known || performance.now() >= endsAt) break;
    }
    return looked;
  }

  /** The first due records that are not known to be another host's. */
  async function dueHere(): Promise<string[]> {
    for (let limit = BATCH; ; limit *= 4) {
      const keys = await records.due(limit);
      const here = keys.filter((key) => !foreign.has(key) && !isLedgerKey(key));
      if (here.length >= BATCH || keys.length < limit || limit > MOST_DUE) return here.slice(0, BATCH);
    }
  }

  return { run };
}
