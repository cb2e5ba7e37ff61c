/**
 * Limits the failing work for each payer, whatever it pays with. A failed call costs nothing, and a caller who chooses
 * its input can make it fail, so without a limit the upstreams could be used for free. Failures are counted in the
 * store over all instances. Running calls may fail, too, so only as many run at once as the payer's budget, or its
 * earlier paid calls, allow.
 */
import { CapabilityError } from "../../errors.js";
import { type Micros, toMicros } from "../../lib/money.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import { createLines, type Leave } from "./lines.js";
import { type FailedRun, isSpent, type Limits, readFailures, writeFailures } from "./record.js";

export interface FailureOptions {
  /** Failed calls allowed per payer and hour. Default 20. */
  runs?: number;
  /** Sum of their quotes in decimal USD. Default "1". */
  usd?: string;
}

export interface Failures {
  /** Opens an attempt for a call of this payer. */
  attempt(call: { payer: string; quote: Micros; signal?: AbortSignal | undefined }): Attempt;
}

/** A call that may still earn nothing. */
export interface Attempt {
  /** Checks the budget before anything is done. Rejects with TOO_MANY_FAILURES. Repeated calls give the same answer. */
  check(): Promise<void>;
  /**
   * Called before the work and before money moves: waits while too many calls run. Rejects as `check` does, or with
   * OVERLOADED.
   */
  begin(): Promise<void>;
  /** The work began and nothing was charged, or `lost` less than quoted. */
  fail(lost?: Micros): Promise<void>;
  /** The payer did not cause the failure, so it does not count. */
  excuse(): void;
  /** The call is over; `earned` is its charge. */
  end(earned?: Micros): void;
}

/** Throws a TypeError that names the option. */
export function readLimits({ runs = 20, usd = "1" }: FailureOptions = {}): Limits {
  if (!Number.isInteger(runs) || runs < 1) throw new TypeError("payment.maxFailures.runs must be an integer above 0.");
  return { runs, worth: toMicros(usd) };
}

export function createFailures(store: Store, now: () => number, limits: Limits): Failures {
  const lines = createLines(limits, now);
  const keyOf = (payer: string) => `failures:${payer}`;
  /** Concurrent failures on several instances may exceed the limit, so more are stored. */
  const most = limits.runs * 10;

  function recentOf(found: string | undefined): FailedRun[] {
    if (found === undefined) return [];
    return readFailures(found).filter(({ at }) => at > now() - HOUR_MS);
  }

  /** The payer's recent failures. Rejects with TOO_MANY_FAILURES if the budget is spent. */
  async function look(payer: string): Promise<FailedRun[]> {
    const recent = recentOf((await store.get(keyOf(payer)))?.value);
    if (isSpent(recent, limits)) throw tooMany(recent, limits, now());
    return recent;
  }

  return {
    attempt({ payer, quote, signal }) {
      let checked: Promise<FailedRun[]> | undefined;
      let begun: Promise<void> | undefined;
      let leave: Leave | undefined;
      let over = false;
      let failed = false;
      let excused = false;
      return {
        async check() {
          checked ??= look(payer);
          await checked;
        },
        begin() {
          const lookAgain = () => look(payer);
          const entry = { quote, signal, look: () => checked ?? lookAgain(), lookAgain };
          begun ??= lines.enter(payer, entry).then((left) => {
            if (over) left(0n);
            else leave = left;
          });
          return begun;
        },
        excuse() {
          excused = true;
        },
        async fail(lost = quote) {
          if (excused) return;
          failed = true;
          await update(store, { key: keyOf(payer), ttlMs: HOUR_MS }, (found) => {
            const failures = [...recentOf(found), { at: now(), quote: lost }].slice(-most);
            return { value: writeFailures(failures), result: undefined };
          });
        },
        end(earned = 0n) {
          over = true;
          leave?.(failed ? "failed" : earned);
          leave = undefined;
        },
      };
    },
  };
}

function tooMany(recent: readonly FailedRun[], limits: Limits, now: number): CapabilityError {
  let first = 0;
  while (isSpent(recent.slice(first), limits)) first++;
  const due = (recent[first - 1]?.at ?? now) + HOUR_MS;
  return new CapabilityError(
    "TOO_MANY_FAILURES",
    `${recent.length} calls of yours failed within the last hour and were charged nothing. This one was not started and costs nothing either; the next call is allowed at ${new Date(due).toISOString()}.`,
    { retryAfter: Math.max(1, Math.ceil((due - now) / 1000)) },
  );
}
