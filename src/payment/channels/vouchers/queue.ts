/**
 * Serialises the calls of a channel, which carries one at a time. Within this process the highest ceiling goes first.
 * After a correction the next turn is reserved for a moment, or the corrected buyer would be out of step again on its
 * return.
 */
import type { Micros } from "../../../lib/money.js";
import { type Waiter, waitIn } from "../../../lib/wait.js";

/** Time for a round trip to the buyer and one to its node, even if it signs for many others meanwhile. */
const KEEP_MS = 4000;
/** Time that stock buyers wait for an answer. */
const WAIT_MS = 20_000;

/** A waiting call whose voucher is proven. */
export interface Arrival {
  ceiling: Micros;
  /** Whether it contains a deposit. */
  deposits: boolean;
  /** The request that it pays for. */
  request: string;
}

/** A corrected buyer: the call that was refused, and the charge it was told. It returns with a higher ceiling. */
export interface Corrected extends Arrival {
  charged: Micros;
}

interface Line {
  waiting: Waiter<Arrival>[];
  /** Set while the turn is reserved for a corrected buyer. */
  kept?: { corrected: Corrected; timer: NodeJS.Timeout };
}

export interface Turn {
  /** Ends the turn. With `corrected`, the next turn is reserved for the buyer, who signs anew. */
  end(corrected?: Corrected): void;
}

export interface ChannelQueue {
  /** Undefined after a timeout, or if the buyer left. */
  take(channel: string, arrival: Arrival, signal?: AbortSignal): Promise<Turn | undefined>;
}

/**
 * Whether a call may be the corrected one. Calls signed before the correction are out of step as well and wait; another
 * call of the same buyer already knows the correction.
 */
// guard: channel: a kept turn is for the request that was corrected |
//   - request === was.request && | channels/turns --channels
const mayBe = ({ ceiling, deposits, request }: Arrival, was: Corrected): boolean =>
  request === was.request && ceiling > was.charged && (ceiling !== was.ceiling || (deposits && !was.deposits));

export function createChannelQueue(): ChannelQueue {
  const lines = new Map<string, Line>();

  /** Lets the first of the line proceed; with a reserved turn, the first that matches it. */
  function next(channel: string, line: Line, kept?: Corrected): boolean {
    let first: Waiter<Arrival> | undefined;
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
        // guard: channel: a corrected buyer has its turn kept, also where nobody waits |
        //   , corrected) || !corrected -> ) | two-processes
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
    async take(channel, arrival, signal) {
      const line = lines.get(channel);
      if (!line) {
        const fresh: Line = { waiting: [] };
        lines.set(channel, fresh);
        return turnOf(channel, fresh);
      }
      // guard: channel: a kept turn is for whoever was corrected |
      //   - && mayBe(arrival, line.kept.corrected) | two-processes
      if (line.kept && mayBe(arrival, line.kept.corrected)) {
        clearTimeout(line.kept.timer);
        delete line.kept;
        return turnOf(channel, line);
      }
      const isNext = await waitIn(line.waiting, arrival, { ms: WAIT_MS, signal });
      return isNext ? turnOf(channel, line) : undefined;
    },
  };
}
