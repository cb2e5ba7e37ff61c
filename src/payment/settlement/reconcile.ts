/** Finishes in the background what a crash or a silent facilitator left open. */

import type { WalletCall } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import type { Logger } from "../../lib/logger.js";
import { accountId } from "../rails/accounts.js";
import { isAwaitingWork, owedBack, type PaymentRecord, type Records } from "../record.js";
import type { CreditCalls } from "../refund/credit-call.js";
import { isOpen, type Refunds } from "../refund/refunds.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { Settler } from "./settlement.js";

const INTERVAL_MS = 15_000;
const LEASE_MS = 60_000;
const BATCH = 20;

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
  /** Whether a call has done its work on its wallet's state; undefined where the host keeps none. */
  receipts?: Receipts | undefined;
  now: () => number;
  logger: Logger;
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { records, settler, refunds, creditCalls, receipts, now, logger } = options;

  const failed = (facts: object) => logger.error(facts, "payment: reconciliation failed");

  async function finishDue(key: string): Promise<void> {
    if (creditCalls.owns(key)) return creditCalls.finish(key);
    const found = await records.read(key);
    if (!found || found.record.leaseUntil > now()) return;
    const { record } = found;
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
    } else if (!isOpen(record)) {
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

  async function run(endsAt = Number.POSITIVE_INFINITY): Promise<number> {
    const keys = await records.due(BATCH);
    let done = 0;
    for (const key of keys) {
      if (performance.now() >= endsAt) break;
      // One that cannot be finished must not keep the others waiting.
      await finishDue(key).catch((error: unknown) => failed({ key, error }));
      done++;
    }
    return done;
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
