/**
 * For repeated log lines: the first of a name is written, and further ones within a minute are counted for the next
 * line.
 */
import { keepNewest } from "./bounded.js";

const MINUTE_MS = 60_000;
/** Names are few; beyond this number the oldest are dropped. */
const MAX_NAMES = 1000;

/** Returns the number of events of a name since its last line, this one included; undefined while no line is due. */
export type Tally = (name: string) => number | undefined;

export function createTally(now: () => number, everyMs = MINUTE_MS): Tally {
  const counted = new Map<string, { since: number; count: number }>();
  return (name) => {
    const at = now();
    const known = counted.get(name);
    if (known && Math.abs(at - known.since) < everyMs) {
      known.count++;
      return undefined;
    }
    keepNewest(counted, name, { since: at, count: 0 }, MAX_NAMES);
    return (known?.count ?? 0) + 1;
  };
}
