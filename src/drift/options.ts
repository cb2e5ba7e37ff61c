import type { DriftClass } from "./classify.js";
import type { Difference } from "./compare.js";

/** Options of the checks that a service makes of its upstreams by itself. */
export interface LiveOptions {
  /** Hours between two checks of a provider, 1 to 168. Each round asks one call of each. */
  everyHours: number;
}

/**
 * An upstream changed, by a check or by what a caller's own call met: `noticed`, once for each failure. After three in a
 * row the endpoint is `unavailable`, until it has `recovered` by itself. Holds no value, key or caller.
 */
export interface DriftEvent {
  kind: "drift";
  outcome: "noticed" | "unavailable" | "recovered";
  /** The endpoint. */
  id: string;
  /** Folder of the provider in the package, or its name where a call met it. */
  provider: string;
  /** Short name of its call; absent where a call met it. */
  call?: string;
  /** Empty, stale, another structure, or refused by our own reader. */
  class: DriftClass;
  /** Paths with their types before and now. */
  differences: readonly Difference[];
  /** Failures in a row. */
  failures: number;
  /** Whether a check met it, or a caller's call. */
  by: "check" | "call";
}
