/**
 * Counts resellers: each host that forwards a call tells the next, so that hosts that resell each other do not loop
 * forever. The header has no brand in its name, since each host has its own. A caller gains nothing by a false count:
 * its call is refused earlier.
 */
import { CapabilityError, invalid } from "../errors.js";

/** A request, of which only the headers count. */
export interface Hopping {
  headers: Pick<Headers, "get">;
}

const HOPS_HEADER = "X-402-Hops";
/** Allows a reseller of a reseller of a reseller. */
const MAX_HOPS = 4;

/** Refuses a call that passed too many hosts, before it is quoted, verified or forwarded. */
export function assertFewHops(request: Hopping): void {
  const hops = hopsOf(request);
  // guard: resale: a ring of resellers ends | always | resell
  if (hops < MAX_HOPS) return;
  throw new CapabilityError(
    "UPSTREAM_ERROR",
    `This call was resold ${hops} times (${HOPS_HEADER}), and ${MAX_HOPS - 1} are allowed: its resellers probably forward to each other. Nothing was charged.`,
  );
}

/** Number of hosts that forwarded a call. */
export function hopsOf({ headers }: Hopping): number {
  const sent = headers.get(HOPS_HEADER);
  if (sent === null) return 0;
  if (!/^\d{1,9}$/.test(sent)) throw invalid(HOPS_HEADER, "must be a whole number, such as 1");
  return Number(sent);
}
