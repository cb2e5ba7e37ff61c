/** Ends what a call holds: what it did not use counts no more in any limit. */
import { least, type Micros } from "../../lib/money.js";
import type { AccountLimits } from "./options.js";
import type { Account, Hold } from "./record.js";
import type { Period } from "./windows.js";

/** The periods of spending, in the order of a hold's windows, and the limits on them. */
export const SPENDING = [
  ["hour", "usdPerHour"],
  ["day", "usdPerDay"],
  ["month", "usdPerMonth"],
] as const satisfies readonly (readonly [Period, keyof AccountLimits])[];

export type FreePart = Hold["free"][number];

/** Uses a part of an allowance, or with a sign of -1 gives it back. */
export function useFree(record: Account, { meter, usd, endpoint }: FreePart, sign: 1n | -1n): void {
  const free = record.usage[meter]?.free;
  if (!free) return;
  if (endpoint === undefined) free.usd = notBelow0(free.usd + sign * usd);
  else free.calls[endpoint] = Math.max(0, (free.calls[endpoint] ?? 0) + Number(sign));
}

/** What a hold comes to when its call used `used`: the part that is charged, and that of the free allowance. */
export interface Charged {
  charge: Micros;
  free: Micros;
}

/** Ends a hold: what was not used counts no more in any limit. The free allowance is used first. */
export function endHold(record: Account, held: Hold, used: Micros, whole = used > 0n): Charged {
  let left = used;
  let free = 0n;
  for (const part of held.free) {
    const isCall = part.endpoint !== undefined;
    const usd = least(left, part.usd);
    left -= usd;
    free += usd;
    if (isCall && !whole) giveBackFree(record, held, part);
    if (!isCall && usd < part.usd) giveBackFree(record, held, { ...part, usd: part.usd - usd });
  }
  const charge = least(left, held.amount);
  giveBackSpending(record, held, held.amount - charge);
  return { charge, free };
}

/** An allowance that began anew meanwhile gets nothing back. */
function giveBackFree(record: Account, { windows }: Hold, part: FreePart): void {
  if (record.usage[part.meter]?.free.start === windows[2]) useFree(record, part, -1n);
}

function giveBackSpending(record: Account, { meters, windows }: Hold, amount: Micros): void {
  if (amount === 0n) return;
  for (const id of meters) {
    const usage = record.usage[id];
    if (!usage) continue;
    for (const [i, [period]] of SPENDING.entries())
      if (usage[period].start === windows[i]) usage[period].spent = notBelow0(usage[period].spent - amount);
  }
}

const notBelow0 = (amount: Micros): Micros => (amount < 0n ? 0n : amount);
