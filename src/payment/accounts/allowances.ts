/** Free allowances and grants, which pay for a call before the balance does. */
import { least, toMicros } from "../../lib/money.js";
import { partsFor } from "./grants/grants.js";
import type { FreePart } from "./holds.js";
import type { LimitedCall, Running } from "./metered.js";
import type { GrantPart } from "./record/grant-record.js";
import type { AccountRecord } from "./record/record.js";

/** Those who pay before the balance does: allowances of the month, then grants. A whole call needs no other. */
export function payersOf(
  record: AccountRecord,
  running: readonly Running[],
  asked: LimitedCall,
): { free: FreePart[]; grants: GrantPart[] } {
  const free = freeParts(running, asked);
  const due = asked.price - free.reduce((sum, { usd }) => sum + usd, 0n);
  if (due === 0n) return { free, grants: [] };
  const grants = partsFor(record, due, asked);
  // It pays all of the price, so an allowance in dollars is kept for another call.
  const call = grants.find(({ isCall }) => isCall);
  return call ? { free: [], grants: [{ ...call, usd: asked.price }] } : { free, grants };
}

/** The parts that free allowances pay: a whole call of the endpoint, or else a part of its price. */
function freeParts(running: readonly Running[], asked: LimitedCall): FreePart[] {
  const { endpoint, parts, price } = asked;
  // A batch is priced by its parts, so it is not a single call.
  // guard: accounts: a batch is not a single free call | always | kinds
  if (parts.length === 0)
    for (const { id, limits, usage } of running)
      if ((usage.free.calls[endpoint] ?? 0) < (limits.freePerMonth?.calls ?? 0))
        return [{ meter: id, usd: price, endpoint }];
  const found: FreePart[] = [];
  let due = price;
  for (const { id, limits, usage } of running) {
    const allowed = toMicros(limits.freePerMonth?.usd ?? "0");
    const usd = least(due, allowed > usage.free.usd ? allowed - usage.free.usd : 0n);
    if (usd > 0n) found.push({ meter: id, usd });
    due -= usd;
  }
  return found;
}
