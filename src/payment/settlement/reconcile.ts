/** Finishes in the background what a crash or a silent facilitator left open. */

import type { WalletCall } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import type { Logger } from "../../lib/logger.js";
import type { OwnAccounts } from "../own-accounts.js";
import { accountId } from "../rails/accounts.js";
import { type Found, isAwaitingWork, owedBack, type PaymentRecord, type Records, withoutReply } from "../record.js";
import type { CreditCalls } from "../refund/credit-call.js";
import { isRefundOpen, isToBeSeen, type Refunds } from "../refund/refunds.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { KeptReplies } from "./kept.js";
import { createOthers } from "./others.js";
import type { SecondLook } from "./second-look.js";
import type { Settler } from "./settlement.js";

const INTERVAL_MS = 15_000;
const LEASE_MS = 60_000;
/** Nearly all that is due are second looks at settlements, several a second where much is sold. */
const BATCH = 100;
const AT_A_TIME = 4;
/** How far behind what other hosts of the store left due our own is looked for. */
const MOST_DUE = 20_000;

/** Whose call a payment is for, as the work's receipt names it. */
const callOf = (key: string, { payment }: PaymentRecord): WalletCall => ({
  id: accountId(payment.requirements.network, payment.payer),
  callId: key,
});

/** Whether a call has done its work on its wallet's state. Rejects where that cannot be known now. */
export type Receipts = (call: WalletCall) => Promise<boolean>;

export interface Reconciler {
  /**
   * Settles what is due, once; says how many payments it looked at. For platforms without timers. Begins none after
   * `endsAt`, on the clock of `performance.now()`.
   */
  run(endsAt?: number): Promise<number>;
  /** Runs it every few seconds from now on, on a timer that keeps no process alive. */
  start(): void;
  stop(): void;
}

export interface ReconcilerOptions {
  records: Records;
  settler: Settler;
  refunds: Refunds;
  creditCalls: CreditCalls;
  lookAgain: SecondLook;
  kept: KeptReplies;
  /** Whether a call has done its work on its wallet's state; undefined where the host keeps none. */
  receipts?: Receipts | undefined;
  own: OwnAccounts;
  now: () => number;
  logger: Logger;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { records, settler, refunds, creditCalls, lookAgain, kept, receipts, own, now, logger } = options;
  const others = createOthers({ now, logger });

  const failed = (facts: object) => logger.error(facts, "payment: reconciliation failed");

  async function finishDue(key: string): Promise<void> {
    if (creditCalls.owns(key)) {
      if (!(await creditCalls.finish(key))) others.add(key);
      return;
    }
    const found = await records.read(key);
    if (!found) return;
    const { record } = found;
    if (!own.has(record.payment.requirements)) return others.add(key, record.payment.requirements);
    if (record.leaseUntil > now()) return;
    if (record.kept?.until !== undefined) return forget(key, found);
    let taken = { ...record, leaseUntil: now() + LEASE_MS };
    if (record.state === "settling") taken.attempts++;
    else if (record.state !== "settled") return;
    else if (isAwaitingWork(record)) {
      // Done, and nobody was told: the money is earned, and whoever still comes back gets what was made.
      const done = await receipts?.(callOf(key, record)).catch((error: unknown) => {
        failed({ key, error });
        return "unknown";
      });
      if (done === "unknown") return void (await records.write(key, found.version, record, now() + LEASE_MS));
      // Broken off, and nobody came back.
      if (!done) taken = owedBack(taken);
    } else if (isToBeSeen(record, now())) return lookAgain(key, found);
    else if (!isRefundOpen(record)) {
      // Its last write was lost in a crash and nothing is left to do: it must not stay due before all others.
      await records.write(key, found.version, record);
      return;
    }
    // If this process dies too, the record is due again when its lease ends.
    const version = await records.write(key, found.version, taken, taken.leaseUntil);
    if (version === undefined) return;
    try {
      if (record.state === "settling") await settler.finish(key, version, taken);
      else await refunds.complete(key, version, { ...taken, leaseUntil: 0 });
    } catch (error) {
      if (!(error instanceof PaymentRefused || CapabilityError.is(error))) throw error;
    }
  }

  /** The reply of a payment that was refused, and cannot come back any more. */
  async function forget(key: string, { record, version }: Found): Promise<void> {
    if ((await records.write(key, version, withoutReply(record))) !== undefined) await kept.free(record);
  }

  async function run(endsAt = Number.POSITIVE_INFINITY): Promise<number> {
    let looked = 0;
    // What turns out to be another host's takes up none of the places.
    for (let keys = await dueHere(); keys.length > 0; keys = await dueHere()) {
      const known = others.size();
      const left = keys.values();
      const work = async () => {
        for (const key of left) {
          if (performance.now() >= endsAt) return;
          // One that cannot be finished must not keep the others waiting.
          await finishDue(key).catch((error: unknown) => failed({ key, error }));
          if (!others.has(key)) looked++;
        }
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, work));
      if (looked > 0 || others.size() === known || performance.now() >= endsAt) break;
    }
    return looked;
  }

  /** The first that are due and not known to be another host's. */
  async function dueHere(): Promise<string[]> {
    for (let limit = BATCH; ; limit *= 4) {
      const keys = await records.due(limit);
      const here = keys.filter((key) => !others.has(key));
      if (here.length >= BATCH || keys.length < limit || limit > MOST_DUE) return here.slice(0, BATCH);
    }
  }

  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function start(): void {
    if (timer || stopped) return;
    timer = setInterval(() => {
      run().catch((error: unknown) => failed({ error }));
    }, INTERVAL_MS);
    timer.unref();
  }

  function stop(): void {
    stopped = true;
    clearInterval(timer);
  }
  return { run, start, stop };
}
