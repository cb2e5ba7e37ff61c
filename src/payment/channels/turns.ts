/**
 * One channel carries one call at a time. Within this process the others wait in line: the highest ceiling first, and
 * whoever was told to sign anew has the next turn kept for a moment, or it would be out of step again when it comes.
 */
import type { Micros } from "../../lib/money.js";

/** For a round trip to the buyer and one to its node. */
const KEEP_MS = 500;
/** What stock buyers wait for an answer. */
const WAIT_MS = 20_000;

interface Waiting {
  ceiling: Micros;
  start(): void;
}

interface Line {
  busy: boolean;
  waiting: Waiting[];
  /** Runs while the turn is kept for a buyer that was corrected. */
  kept?: NodeJS.Timeout;
}

export interface Turn {
  /** `corrected`: the buyer was told to sign anew and is expected back at once. */
  end(corrected?: boolean): void;
}

export interface Turns {
  /** Undefined when it took too long, or the buyer left. */
  take(channel: string, ceiling: Micros, signal?: AbortSignal): Promise<Turn | undefined>;
}

export function createTurns(): Turns {
  const lines = new Map<string, Line>();

  function next(channel: string, line: Line): void {
    if (line.kept) clearTimeout(line.kept);
    delete line.kept;
    let first: Waiting | undefined;
    for (const one of line.waiting) if (!first || one.ceiling > first.ceiling) first = one;
    if (!first) {
      line.busy = false;
      lines.delete(channel);
      return;
    }
    line.waiting.splice(line.waiting.indexOf(first), 1);
    first.start();
  }

  function turnOf(channel: string, line: Line): Turn {
    let ended = false;
    return {
      end(corrected = false) {
        if (ended) return;
        ended = true;
        if (!corrected || line.waiting.length === 0) return next(channel, line);
        line.kept = setTimeout(() => next(channel, line), KEEP_MS);
        line.kept.unref();
      },
    };
  }

  return {
    take(channel, ceiling, signal) {
      const line = lines.get(channel) ?? { busy: false, waiting: [] };
      lines.set(channel, line);
      if (!line.busy || line.kept) {
        if (line.kept) clearTimeout(line.kept);
        delete line.kept;
        line.busy = true;
        return Promise.resolve(turnOf(channel, line));
      }
      return new Promise((resolve) => {
        const leave = () => {
          clearTimeout(timer);
          const at = line.waiting.indexOf(waiting);
          if (at >= 0) line.waiting.splice(at, 1);
          resolve(undefined);
        };
        const timer = setTimeout(leave, WAIT_MS);
        timer.unref();
        signal?.addEventListener("abort", leave, { once: true });
        const waiting: Waiting = {
          ceiling,
          start() {
            clearTimeout(timer);
            signal?.removeEventListener("abort", leave);
            resolve(turnOf(channel, line));
          },
        };
        line.waiting.push(waiting);
      });
    },
  };
}
