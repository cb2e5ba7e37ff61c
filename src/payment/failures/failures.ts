/**
 * Limits the failing work for each payer, whatever it pays with. A failed call costs nothing, and a caller who chooses
 * its input can make it fail, so without a limit the upstreams could be used for free. Failures, and the thread time that
 * they took, are counted in the store over all instances. Running calls may fail, too, so only as many run at once as the
 * payer's budget, or its earlier paid calls, allow.
 */
import { CapabilityError } from "../../errors.js";
import { sharedNow } from "../../lib/clocks.js";
import { exactMicros, type Micros } from "../../lib/money.js";
import type { Payer } from "../../lib/threads/payer.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import { createLines, type Leave } from "./lines.js";
import {
  type FailedRun,
  isSpent,
  type Limits,
  readFailures,
  runsOf,
  threadMsOf,
  timesTen,
  withFailure,
  writeFailures,
} from "./record.js";
import { createThreadTime } from "./thread-time.js";

export interface FailureOptions {
  /** Failed calls allowed per payer and hour. Default 20. */
  runs?: number;
  /** Sum of their quotes in decimal USD. Default "1". */
  usd?: string;
  /** Seconds that calls which are charged nothing may have threads, which read documents and draw. Default 2. */
  threadSeconds?: number;
}

/** A call of a payer. */
export interface FailureCall {
  payer: string;
  /** The account of a payer that is one of its keys: ten times as much may fail of all its keys. */
  account?: string | undefined;
  quote: Micros;
  signal?: AbortSignal | undefined;
  /** True if its calls are free, so that they prove nothing about it. */
  isFree?: boolean;
}

export interface Failures {
  /** Opens an attempt for a call of this payer. */
  attempt(call: FailureCall): Attempt;
}

/** A call that may still earn nothing. */
export interface Attempt {
  /** By whom threads take turns. */
  readonly payer: Payer;
  /** Checks the budget before anything is done. Rejects with TOO_MANY_FAILURES. Repeated calls give the same answer. */
  check(): Promise<void>;
  /**
   * Called before the work and before money moves: waits while too many calls run. Rejects as `check` does, or with
   * OVERLOADED.
   */
  begin(): Promise<void>;
  /** The work began and nothing was charged, or `lost` less than quoted. */
  fail(lost?: Micros): Promise<void>;
  /** The payer did not cause the failure, so only its thread time counts. */
  excuse(): void;
  /** The work was done and nothing was charged, so its thread time counts. */
  waste(): Promise<void>;
  /** The call is over; `earned` is its charge. */
  end(earned?: Micros): void;
}

/** Throws a TypeError that names the option. */
export function readLimits({ runs = 20, usd = "1", threadSeconds = 2 }: FailureOptions = {}): Limits {
  if (!Number.isInteger(runs) || runs < 1) throw new TypeError("payment.maxFailures.runs must be an integer above 0.");
  return { runs, worth: exactMicros(usd), threadMs: threadSeconds * 1000 };
}

export function createFailures(store: Store, now: () => number, limits: Limits): Failures {
  const lines = createLines(limits, now);
  const refusal = (recent: readonly FailedRun[]) => tooMany(recent, limits, newestOf(recent, now()));
  const threadTime = createThreadTime({ limits, isKnown: lines.isKnown, refusal, now });
  const ofAccount = timesTen(limits);
  const keyOf = (payer: string) => `failures:${payer}`;

  function recentOf(found: string | undefined): FailedRun[] {
    if (found === undefined) return [];
    const all = readFailures(found);
    const at = newestOf(all, now());
    return all.filter((failed) => failed.at > at - HOUR_MS);
  }

  async function recentIn(payer: string, most: Limits): Promise<FailedRun[]> {
    const recent = recentOf((await store.get(keyOf(payer)))?.value);
    // guard: work that came to nothing uses a budget of its payer | gone | budgets handler/failures
    if (isSpent(recent, most)) throw tooMany(recent, most, newestOf(recent, now()));
    return recent;
  }

  /** Rejects with TOO_MANY_FAILURES if the budget is spent. The account is asked for keys that failed before. */
  async function look({ payer, account }: FailureCall): Promise<FailedRun[]> {
    const recent = await recentIn(payer, limits);
    if (account !== undefined && recent.length > 0) await recentIn(account, ofAccount);
    return recent;
  }

  function add(payer: string, failure: FailedRun, { runs }: Limits): Promise<FailedRun[]> {
    // Concurrent failures on several instances may exceed the limit, so more are stored.
    return update(store, { key: keyOf(payer), ttlMs: HOUR_MS }, (found) => {
      const recent = recentOf(found);
      const failures = withFailure(recent, { ...failure, at: newestOf(recent, failure.at) }, runs * 10);
      return { value: writeFailures(failures), result: failures };
    });
  }

  return {
    attempt(call) {
      const { payer, account, quote, signal, isFree = false } = call;
      const time = threadTime(payer, { isFree, signal });
      let checked: Promise<FailedRun[]> | undefined;
      let begun: Promise<void> | undefined;
      let leave: Leave | undefined;
      let over = false;
      let failed = false;
      let excused = false;
      let counted = false;
      const lookAgain = async () => {
        const recent = await look(call);
        time.note(recent);
        return recent;
      };
      async function count(failure: Omit<FailedRun, "at">): Promise<void> {
        counted = true;
        const whole = { at: now(), ...failure };
        const [recent] = await Promise.all([
          add(payer, whole, limits),
          account === undefined ? undefined : add(account, whole, ofAccount),
        ]);
        time.note(recent);
      }
      async function waste(): Promise<void> {
        if (!counted && time.ms > 0) await count({ quote: 0n, ms: time.ms, isRun: false });
      }
      return {
        payer: time.payer,
        async check() {
          checked ??= lookAgain();
          await checked;
        },
        begin() {
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
        waste,
        async fail(lost) {
          // guard: failures: a call that waited in vain for a thread is none | - || time.inVain | thread-time
          if (excused || time.inVain) return waste();
          failed = true;
          await count({ quote: lost ?? quote, ms: lost === undefined ? time.ms : time.failedMs, isRun: true });
        },
        end(earned = 0n) {
          over = true;
          leave?.(failed ? "failed" : earned);
          leave = undefined;
          time.end();
        },
      };
    },
  };
}

/** The time by which the hour is counted, on whatever instance. */
const newestOf = (failures: readonly FailedRun[], now: number): number => sharedNow(now, failures.at(-1)?.at ?? 0);

function tooMany(recent: readonly FailedRun[], limits: Limits, now: number): CapabilityError {
  let first = 0;
  while (isSpent(recent.slice(first), limits)) first++;
  const due = (recent[first - 1]?.at ?? now) + HOUR_MS;
  const runs = runsOf(recent);
  const seconds = Math.ceil(threadMsOf(recent) / 1000);
  const why =
    threadMsOf(recent) >= limits.threadMs && runs < limits.runs
      ? `Calls of yours that were charged nothing took ${seconds} seconds of computing within the last hour.`
      : `${runs} calls of yours failed within the last hour and were charged nothing.`;
  return new CapabilityError(
    "TOO_MANY_FAILURES",
    `${why} This one was not started and costs nothing either; the next call is allowed at ${new Date(due).toISOString()}.`,
    { retryAfter: Math.max(1, Math.ceil((due - now) / 1000)) },
  );
}
