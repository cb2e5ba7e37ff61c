/**
 * How often a call was sold on: each host that forwards one tells the next, so that resellers of each other do not go on in
 * a ring. It belongs to no brand, as each of them has its own. Who lies about it has a call refused that would have gone.
 */
import { CapabilityError, invalid } from "../errors.js";
import type { LazyRequest } from "./exchange.js";

const HOPS_HEADER = "X-402-Hops";
/** Enough for a reseller of a reseller of a reseller. */
const MAX_HOPS = 4;

/** Before anything is quoted, verified or forwarded. */
export function assertFewHops(request: LazyRequest): void {
  const hops = hopsOf(request);
  if (hops < MAX_HOPS) return;
  throw new CapabilityError(
    "UPSTREAM_ERROR",
    `This call was sold on ${hops} times (${HOPS_HEADER}), and ${MAX_HOPS - 1} are allowed: its resellers probably forward to each other. Nothing was charged.`,
  );
}

/** How many hosts forwarded a call before it came here. */
export function hopsOf({ headers }: LazyRequest): number {
  const sent = headers.get(HOPS_HEADER);
  if (sent === null) return 0;
  if (!/^\d{1,9}$/.test(sent)) throw invalid(HOPS_HEADER, "must be a whole number, such as 1");
  return Number(sent);
}
