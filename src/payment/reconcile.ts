/** Finishes in the background what a crash or a silent facilitator left open. */

import type { Logger } from "../context.js";
import { CapabilityError } from "../errors.js";
import type { Records } from "./record.js";
import { PaymentRefused } from "./refusal.js";
import type { Settler } from "./settlement.js";

const INTERVAL_MS = 15_000;
const LEASE_MS = 60_000;
const BATCH = 20;

export interface Reconciler {
  /** Settles what is due, once; says how many payments it looked at. For platforms without timers. */
  run(): Promise<number>;
  stop(): void;
}

export interface ReconcilerOptions {
  records: Records;
  settler: Settler;
  now: () => number;
  logger: Logger;
}

/** Runs on a timer that keeps no process alive. */
export function startReconciler({ records, settler, now, logger }: ReconcilerOptions): Reconciler {
  async function settleDue(key: string): Promise<void> {
    const found = await records.read(key);
    if (found?.record.state !== "settling" || found.record.leaseUntil > now()) return;
    const taken = { ...found.record, leaseUntil: now() + LEASE_MS, attempts: found.record.attempts + 1 };
    // If this process dies too, the record is due again when its lease ends.
    const version = await records.write(key, found.version, taken, taken.leaseUntil);
    if (version === undefined) return;
    try {
      await settler.finish(key, version, taken);
    } catch (error) {
      if (!(error instanceof PaymentRefused || CapabilityError.is(error))) throw error;
    }
  }

  async function run(): Promise<number> {
    const keys = await records.due(BATCH);
    for (const key of keys) await settleDue(key);
    return keys.length;
  }

  const timer = setInterval(() => {
    run().catch((error: unknown) => logger.error({ error }, "payment: reconciliation failed"));
  }, INTERVAL_MS);
  timer.unref();
  return { run, stop: () => clearInterval(timer) };
}
