/** Thread time of each payer's calls in this process: of those under way, and what was charged to nobody within the hour. */
import { keepNewest } from "../../lib/bounded.js";
import type { Payer } from "../../lib/threads/payer.js";
import { type FailedRun, type Limits, threadMsOf } from "./record.js";

const MAX_KNOWN = 10_000;

/** All calls of a payer that are under way. */
interface Use {
  calls: number;
  /** Milliseconds that they had a thread, and of these the tasks that failed. */
  open: number;
  failed: number;
  /** Failures of the hour, as they were last read. */
  recent: readonly FailedRun[];
}

/** The thread time of one call. */
export interface CallTime {
  readonly payer: Payer;
  readonly ms: number;
  readonly failedMs: number;
  /** Whether a task of it waited in vain. */
  readonly inVain: boolean;
  /** Notes the payer's failures, as they were just read or written. */
  note(recent: readonly FailedRun[]): void;
  end(): void;
}

export interface ThreadTimeOptions {
  limits: Limits;
  isKnown(payer: string): boolean;
  refusal(recent: readonly FailedRun[]): Error;
  now(): number;
}

/** Calls that are free prove nothing about their payer. `signal` is aborted when the caller leaves. */
export type ThreadTime = (payer: string, call: { isFree: boolean; signal?: AbortSignal | undefined }) => CallTime;

export function createThreadTime({ limits, isKnown, refusal, now }: ThreadTimeOptions): ThreadTime {
  const uses = new Map<string, Use>();

  return (name, { isFree, signal }) => {
    const known = () => !isFree && isKnown(name);
    const use: Use = uses.get(name) ?? { calls: 0, open: 0, failed: 0, recent: [] };
    use.calls++;
    keepNewest(uses, name, use, MAX_KNOWN);
    const own = { ms: 0, failed: 0 };
    let over = false;
    let inVain = false;
    return {
      payer: {
        name,
        get isKnown() {
          return known();
        },
        get isUndecided() {
          return !known() && threadMsOf(use.recent) + use.open - own.ms >= limits.threadMs;
        },
        assertLeft() {
          if (threadMsOf(use.recent) + use.failed < limits.threadMs) return;
          throw refusal([...use.recent, { at: now(), quote: 0n, ms: use.failed, isRun: false }]);
        },
        spend(ms, failed) {
          own.ms += ms;
          own.failed += failed ? ms : 0;
          // A task that ends after its call, as one that nobody waits for, was taken out with it.
          if (over) return;
          use.open += ms;
          use.failed += failed ? ms : 0;
        },
        lost(triedMs) {
          own.failed += triedMs;
          if (!over) use.failed += triedMs;
        },
        gaveUp(isTimeUp, triedMs) {
          // A batch ends what waits when another of its calls failed, which is its own fault.
          if (!isTimeUp && !signal?.aborted) return;
          inVain = true;
          // Its tries count, or thread time would be free for callers who leave. One call that others kept waiting locks nobody out.
          const excused = Math.max(0, triedMs - limits.threadMs + 1);
          own.ms -= excused;
          if (!over) use.open -= excused;
        },
      },
      get inVain() {
        return inVain;
      },
      get ms() {
        return own.ms;
      },
      get failedMs() {
        return own.failed;
      },
      note(recent) {
        use.recent = recent;
      },
      end() {
        if (over) return;
        over = true;
        use.open -= own.ms;
        use.failed -= own.failed;
        if (--use.calls === 0 && uses.get(name) === use) uses.delete(name);
      },
    };
  };
}
