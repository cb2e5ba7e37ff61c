/**
 * One channel carries one call at a time. Within this process the others wait in line: the highest ceiling first, and
 * whoever was told to sign anew has the next turn kept for a moment, or it would be out of step again when it comes.
 */
import type { Micros } from "../../lib/money.js";
import { type Waiter, waitIn } from "../../lib/wait.js";

/** For a round trip to the buyer and one to its node, also where it signs many others at the same time. */
const KEEP_MS = 4000;
/** What stock buyers wait for an answer. */
const WAIT_MS = 20_000;

/** What a buyer comes with, whose voucher is proven. */
export interface Comer {
  ceiling: Micros;
  /** Whether it brings a deposit along. */
  deposits: boolean;
  /** What it wants to buy. */
  request: string;
}

/** What a buyer was corrected from, and what it was told is charged: it comes back with more than that. */
export interface Corrected extends Comer {
  charged: Micros;
}

interface Line {
  waiting: Waiter<Comer>[];
  /** While the turn is kept for a buyer that was corrected. */
  kept?: { corrected: Corrected; timer: NodeJS.Timeout };
}

export interface Turn {
  /** `corrected`: the buyer was told to sign anew and is expected back at once. */
  end(corrected?: Corrected): void;
}

export interface ChannelQueue {
  /** Undefined when it took too long, or the buyer left. */
  take(channel: string, comer: Comer, signal?: AbortSignal): Promise<Turn | undefined>;
}

/**
 * Whether it may be the one that was corrected: what signed along with that is out of step as well, and waits; and so does
 * another call of the same buyer, which knows as much by now.
 */
const mayBe = ({ ceiling, deposits, request }: Comer, was: Corrected): boolean =>
  request === was.request && ceiling > was.charged && (ceiling !== was.ceiling || (deposits && !was.deposits));

export function createChannelQueue(): ChannelQueue {
  const lines = new Map<string, Line>();

  /** Lets the first of the line go on; of those that a kept turn is for, where it is. */
  function next(channel: string, line: Line, kept?: Corrected): boolean {
    let first: Waiter<Comer> | undefined;
    for (const one of line.waiting)
      if ((!kept || mayBe(one, kept)) && (!first || one.ceiling > first.ceiling)) first = one;
    if (!first) {
      if (!kept) lines.delete(channel);
      return false;
    }
    first.start();
    return true;
  }

  function turnOf(channel: string, line: Line): Turn {
    let ended = false;
    return {
      end(corrected) {
        if (ended) return;
        ended = true;
        if (next(channel, line, corrected) || !corrected) return;
        const timer = setTimeout(() => {
          delete line.kept;
          next(channel, line);
        }, KEEP_MS);
        timer.unref();
        line.kept = { corrected, timer };
      },
    };
  }

  return {
    async take(channel, comer, signal) {
      const line = lines.get(channel);
      if (!line) {
        const fresh: Line = { waiting: [] };
        lines.set(channel, fresh);
        return turnOf(channel, fresh);
      }
      if (line.kept && mayBe(comer, line.kept.corrected)) {
        clearTimeout(line.kept.timer);
        delete line.kept;
        return turnOf(channel, line);
      }
      const isNext = await waitIn(line.waiting, comer, { ms: WAIT_MS, signal });
      return isNext ? turnOf(channel, line) : undefined;
    },
  };
}
