/** Running calls of each payer in this process, and those that wait for them. */
import { CapabilityError } from "../../errors.js";
import type { Micros } from "../../lib/money.js";
import { HOUR_MS } from "../../lib/time.js";
import { type Waiter, waitIn } from "../../lib/wait.js";
import { type FailedRun, type Limits, runsOf, worthOf } from "./record.js";

/** Maximum wait for other calls of the same payer. */
const WAIT_MS = 20_000;
/** Number of payers whose paid calls are remembered. */
const MAX_KNOWN = 10_000;

interface Line {
  running: number;
  /** Sum of their quotes. */
  worth: Micros;
  /** Paid calls of this hour less failed ones, and their revenue: that many more may run. */
  trust: { calls: number; earned: Micros; since: number };
  waiting: Waiter[];
}

interface Entry {
  quote: Micros;
  signal: AbortSignal | undefined;
  /** Rejects if the payer may have no more failures. */
  look(): Promise<readonly FailedRun[]>;
  /** Reads again after other calls ended. */
  lookAgain(): Promise<readonly FailedRun[]>;
}

/** Charge of the call; "failed" if its work was in vain. */
export type Leave = (end: Micros | "failed") => void;

export interface Lines {
  /** Resolves when the call may begin, to the function that ends it. Rejects as `look` does, or with OVERLOADED. */
  enter(payer: string, entry: Entry): Promise<Leave>;
  /** Whether more of the payer's calls were paid in this hour than failed, as far as this process knows. */
  isKnown(payer: string): boolean;
}

export function createLines(limits: Limits, now: () => number): Lines {
  const lines = new Map<string, Line>();

  const unknown = () => ({ calls: 0, earned: 0n, since: now() });

  function lineOf(payer: string): Line {
    const found = lines.get(payer);
    if (found) {
      if (now() - found.trust.since > HOUR_MS) found.trust = unknown();
      return found;
    }
    const line: Line = { running: 0, worth: 0n, trust: unknown(), waiting: [] };
    lines.set(payer, line);
    if (lines.size > MAX_KNOWN) forgetIdle();
    return line;
  }

  function forgetIdle(): void {
    for (const [payer, { running, waiting }] of lines) {
      if (running > 0 || waiting.length > 0) continue;
      lines.delete(payer);
      return;
    }
  }

  /** Another process may run as many, so this one may use half of the budget; a single call is always allowed. */
  function fits({ running, worth, trust }: Line, recent: readonly FailedRun[], quote: Micros): boolean {
    // guard: failures: no more calls are under way than the budget would bear | always | handler/failures
    if (running === 0) return true;
    return (
      running < limits.runs / 2 + trust.calls &&
      running < limits.runs - runsOf(recent) + Math.max(0, trust.calls) &&
      worth + quote <= limits.worth - worthOf(recent) + trust.earned
    );
  }

  const wake = (line: Line, count: number) => {
    for (const { start } of line.waiting.slice(0, count)) start();
  };

  function leave(payer: string, line: Line, quote: Micros, end: Micros | "failed"): void {
    const { trust } = line;
    line.running--;
    line.worth -= quote;
    if (end === "failed") trust.calls--;
    else if (end > 0n) {
      trust.calls++;
      trust.earned += end;
    }
    // One for the free place, one for the earned trust.
    wake(line, 2);
    if (line.running === 0 && line.waiting.length === 0 && trust.calls === 0) lines.delete(payer);
  }

  return {
    isKnown: (payer) => lines.has(payer) && lineOf(payer).trust.calls > 0,
    async enter(payer, { quote, signal, look, lookAgain }) {
      const line = lineOf(payer);
      const until = performance.now() + WAIT_MS;
      try {
        for (let isFirst = true; ; isFirst = false) {
          const recent = await (isFirst ? look : lookAgain)();
          if (fits(line, recent, quote)) break;
          const isWoken = await waitIn(line.waiting, {}, { ms: until - performance.now(), signal, first: !isFirst });
          if (!isWoken) throw busy();
        }
      } catch (error) {
        // The reason that refuses this call may refuse the next as well, so it is checked now.
        wake(line, 1);
        throw error;
      }
      // It may have been dropped during the request to the store.
      lines.set(payer, line);
      line.running++;
      line.worth += quote;
      return (end) => leave(payer, line, quote, end);
    },
  };
}

const busy = () =>
  new CapabilityError(
    "OVERLOADED",
    "Too many calls of this payer are under way, and how they end is not known yet. Nothing was charged; send the same again.",
    { excused: true, retryAfter: 5 },
  );
