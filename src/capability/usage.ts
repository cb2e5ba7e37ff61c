import type { Micros } from "../lib/money.js";

/** Sources of the data that a call read: upstreams, or their cached answers. */
export interface Reads {
  fresh: number;
  cached: number;
  /** Age of an outdated answer that replaced a failed upstream. */
  staleMs?: number;
  /** What the calls within the outermost call read and used so far, in the order in which they began. */
  inner: InnerReads[];
}

export interface InnerReads {
  /** The id of the capability that was called. */
  id: string;
  reads: Pick<Reads, "fresh" | "cached">;
  meter: Pick<Meter, "used" | "owed">;
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
  /** What `owe` told last; undefined if nothing was told, or `used` is invalid. */
  readonly owed: Micros | undefined;
  /** Undefined if nothing, or an invalid amount, was reported: an estimate is charged then. */
  readonly used: Micros | undefined;
}
