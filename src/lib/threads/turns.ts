/**
 * Whose task is next: of those that may start, one of the payer who had the threads least within the last minute. Those
 * who paid lately and strangers are chosen by turns, and of strangers the first and the last that came: whoever invents many
 * of them keeps nobody waiting who comes before or after them. Every third turn of strangers is that of whoever waits longest,
 * because names that are invented anew always had less.
 */
import { keepNewest } from "../bounded.js";
import type { Payer } from "./payer.js";

const REMEMBERED_MS = 60_000;
const MAX_KNOWN = 2000;
/** Two payers that differ by less are equal. */
const GRAIN_MS = 100;

export interface Queued {
  readonly payer: Payer | undefined;
  readonly isQuick?: boolean;
}

export interface Turns {
  /** Notes that a payer's task had a thread for so long. */
  took(name: string | undefined, ms: number): void;
  /** Notes that a task got a thread. */
  started(one: Queued): void;
  /** The task that is to start now: the next turn is another's. */
  next<T extends Queued>(
    lists: ReadonlyMap<string | undefined, readonly T[]>,
    mayStart: (one: T) => boolean,
  ): T | undefined;
}

/** The host's own work is nobody's invention. */
export const isStranger = ({ payer }: Queued): boolean => payer !== undefined && !payer.isKnown;

export function createTurns(now: () => number = () => performance.now()): Turns {
  const used = new Map<string | undefined, { ms: number; since: number }>();
  /** For a place that only quick tasks may have, and for the others: each in turns of its own. */
  const places = { quick: { isForStranger: true, ofStrangers: 0 }, any: { isForStranger: true, ofStrangers: 0 } };

  function usedBy(name: string | undefined): { ms: number; since: number } {
    const found = used.get(name);
    return found && now() - found.since < REMEMBERED_MS ? found : { ms: 0, since: now() };
  }

  /** Of those that had least, the first or the last. */
  function leastOf<T extends Queued>(candidates: readonly T[], isLast: boolean): T | undefined {
    let best: T | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const one of isLast ? candidates.toReversed() : candidates) {
      const ms = Math.floor(usedBy(one.payer?.name).ms / GRAIN_MS);
      if (ms >= least) continue;
      least = ms;
      best = one;
    }
    return best;
  }

  function took(name: string | undefined, ms: number): void {
    const before = usedBy(name);
    keepNewest(used, name, { ...before, ms: before.ms + ms }, MAX_KNOWN);
  }

  return {
    took,
    started(one) {
      // Its time is known only when it ends: until then its payer's next task would seem to be that of a newcomer.
      took(one.payer?.name, GRAIN_MS);
    },
    next(lists, mayStart) {
      const first = [...lists.values()].flatMap((list) => list.find(mayStart) ?? []);
      const place = places[first.every(({ isQuick }) => isQuick) ? "quick" : "any"];
      const strangers = first.filter(isStranger);
      const known = first.filter((one) => !isStranger(one));
      const isKnownNext = strangers.length === 0 || (known.length > 0 && !place.isForStranger);
      if (first.length > 0) place.isForStranger = isKnownNext;
      if (isKnownNext) return leastOf(known, false);
      if (strangers.length === 1) return strangers[0];
      const turn = place.ofStrangers++ % 3;
      return turn === 2 ? strangers[0] : leastOf(strangers, turn === 1);
    },
  };
}
