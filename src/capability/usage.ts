import type { Micros } from "../lib/money.js";

/** Sources of the data that a call read: upstreams, or their cached answers. */
export interface Reads {
  fresh: number;
  cached: number;
  /** Age of an outdated answer that replaced a failed upstream. */
  staleMs?: number;
  /** Records of upstreams' lists that were left out, because each lacked what tells it from others. */
  leftOut?: number;
  /** Those of the call around this one: what is noted here counts there as well. */
  outer?: Reads;
  /** Calls within the outermost call so far, in the order in which they began. */
  inner: { id: string; meter: Pick<Meter, "used" | "owed"> }[];
}

/** Members that tell the reader of an answer how good its sources were. */
export interface ReadMarks {
  staleSeconds?: number;
  leftOut?: number;
}

/** The marks of an answer that rests on outdated data, or on lists without some records; of any other it has none. */
export const marksOf = ({ staleMs, leftOut }: Pick<Reads, "staleMs" | "leftOut">): ReadMarks => ({
  ...(staleMs && { staleSeconds: Math.ceil(staleMs / 1000) }),
  ...(leftOut && { leftOut }),
});

/** Counts a source for a call, and for those around it. A call beside it is not marked by it. */
export function noteRead(
  reads: Reads,
  { fresh = 0, cached = 0, staleMs, leftOut }: Partial<Omit<Reads, "inner" | "outer">>,
): void {
  for (let at: Reads | undefined = reads; at; at = at.outer) {
    at.fresh += fresh;
    at.cached += cached;
    if (staleMs) at.staleMs = Math.max(at.staleMs ?? 0, staleMs);
    if (leftOut) at.leftOut = (at.leftOut ?? 0) + leftOut;
  }
}

/**
 * Purchases from other services that cannot be returned: if the rest of the call fails, they are charged and delivered.
 */
export interface Sold {
  cost: Micros;
  items: unknown[];
}

/** Adds up the actual usage of a call in USD, if the price is settled by usage. */
export interface Meter {
  add(usd: string): void;
  /** Replaces the sum so far: a stream counts by its own estimate until the upstream tells the usage. */
  set(usd: string): void;
  /**
   * Tells what the work so far will cost, with what it made ahead of the chunks that were yielded: so much is due, if it
   * breaks off now. Replaces what was told before.
   */
  owe(usd: string): void;
  /** The sum that `owe` told last; undefined if it told none. */
  readonly owed: Micros | undefined;
  /** Undefined if nothing, or an invalid amount, was reported: an estimate is charged then. */
  readonly used: Micros | undefined;
}
