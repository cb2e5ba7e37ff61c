/**
 * How much failing work is done for a payer, whatever it pays with. A call that fails is charged nothing, and whoever
 * chooses its input can make it fail: without a bound the upstreams behind it would be anybody's for free. Failures are
 * counted in the store, over all instances; of calls that are under way nobody knows yet how they end, so that no more of
 * a payer's are begun at once than its budget would bear, or its earlier calls have earned.
 */
import { CapabilityError } from "../../errors.js";
import { type Micros, toMicros } from "../../lib/money.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import { createLines, type Leave } from "./lines.js";
import { type FailedRun, isSpent, type Limits, readFailures, writeFailures } from "./record.js";

export interface FailureOptions {
  /** Calls of one payer that may fail within an hour. Default 20. */
  runs?: number;
  /** What they may be quoted at together, in decimal USD. Default "1". */
  usd?: string;
}

export interface Failures {
  /** One call, of a payer: what names it in the store. */
  attempt(call: { payer: string; quote: Micros; signal?: AbortSignal | undefined }): Attempt;
}

/** A call of which it is not known yet whether anything will be earned with it. */
export interface Attempt {
  /** Before anything is done for it. Rejects with TOO_MANY_FAILURES. Asked again, the same answer. */
  check(): Promise<void>;
  /** Before its work, and before any money moves: waits where too many are under way. Rejects as `check` does, or with OVERLOADED. */
  begin(): Promise<void>;
  /** Its work was begun, and is charged nothing, or this much less than was quoted. */
  fail(lost?: Micros): Promise<void>;
  /** How it ends is no doing of the payer's: it does not count as a failure. */
  excuse(): void;
  /** It is over; `earned` is what it was charged. */
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
  /** Of instances whose calls failed at the same time there may be more than one may have. */
  const most = limits.runs * 10;

  function recentOf(found: string | undefined): FailedRun[] {
    if (found === undefined) return [];
    return readFailures(found).filter(({ at }) => at > now() - HOUR_MS);
  }

  /** What counts of a payer. Rejects with TOO_MANY_FAILURES when that is all that it may have. */
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
    `${recent.length} calls of yours failed within the last hour and were charged nothing. This one was not begun, and costs nothing either; the next may be made at ${new Date(due).toISOString()}.`,
    { retryAfter: Math.max(1, Math.ceil((due - now) / 1000)) },
  );
}
