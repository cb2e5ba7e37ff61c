/** Ends what a call holds: what it did not use counts no more in any limit. */
import { CLOCKS_APART_MS, isPast } from "../../lib/clocks.js";
import { fromMicros, least, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { AccountLimits } from "../options/accounts.js";
import { PaymentRefused } from "../x402/refusal.js";
import { endGrants, giveBackPart, noteLow } from "./grants/ends.js";
import { partsFor, spendableBy, takeParts } from "./grants/grants.js";
import type { LimitedCall } from "./metered.js";
import type { GrantPart } from "./record/grant-record.js";
import { type AccountRecord, addEntry, type BalanceEntry, type Hold, signedUsd } from "./record/record.js";
import { currentSpending, type Period } from "./record/windows.js";

/** The meter of an account's own limits. */
export const ACCOUNT = "account";

/** The periods of spending, in the order of a hold's windows, and the limits on them. */
export const SPENDING = [
  ["hour", "usdPerHour"],
  ["day", "usdPerDay"],
  ["month", "usdPerMonth"],
] as const satisfies readonly (readonly [Period, keyof AccountLimits])[];

export type FreePart = Hold["free"][number];

/** Uses a part of an allowance, or with a sign of -1 gives it back. */
export function useFree(record: AccountRecord, { meter, usd, endpoint }: FreePart, sign: 1n | -1n): void {
  const free = record.usage[meter]?.free;
  if (!free) return;
  if (endpoint === undefined) free.usd = notBelow0(free.usd + sign * usd);
  else free.calls[endpoint] = Math.max(0, (free.calls[endpoint] ?? 0) + Number(sign));
}

/** The end of a hold: the part that is charged, that of the free allowance, and the grants that pay. */
interface Charged {
  charge: Micros;
  free: Micros;
  grants: GrantPart[];
}

/** No call takes so long: a hold that a clock far ahead has made ends in a day as well. */
const LONGEST_MS = DAY_MS - CLOCKS_APART_MS;

/**
 * Ends the holds of calls that broke off, by every clock or with owners that are dead; true if there were any. Of a
 * stream, what was sent is sold.
 */
export function endExpired(record: AccountRecord, now: number, dead?: ReadonlySet<string>): boolean {
  let ended = false;
  for (const [name, hold] of Object.entries(record.holds)) {
    // guard: accounts: a hold ends in a day, whatever the clock said | gone | accounts/faults
    hold.until = Math.min(hold.until, now + LONGEST_MS);
    const { until, sent, owner } = hold;
    // guard: accounts: the hold of a call that broke off ends by itself | always | book --accounts
    if (!isPast(until, now) && !(owner !== undefined && dead?.has(owner))) continue;
    ended = true;
    if (sent) sell(record, name, { ...sent, at: now, brokenOff: true });
    else dropHold(record, name, now);
  }
  return endGrants(record, now) || ended;
}

export interface SoldCall {
  used: Micros;
  endpoint: string;
  /** The endpoints of a batch's calls. */
  parts?: readonly string[];
  requestId: string;
  /** Names the purchase if it may come back. */
  reference?: string | undefined;
  key?: string | undefined;
  at: number;
  brokenOff?: true;
}

/** Ends a hold and books what its call used. A call whose hold has ended by itself is sold if it still can be. */
export function sell(record: AccountRecord, name: string, { used, ...sold }: SoldCall): BalanceEntry {
  const held = record.holds[name];
  const there = held ? undefined : soldBefore(record, sold.requestId);
  return there ?? sellNow(record, name, { used, ...sold });
}

/** The cost of a stream beyond the part that was sold when its hold ended. */
export const restOf = ({ brokenOff, amount, free = 0n }: BalanceEntry, used: Micros): Micros =>
  brokenOff ? notBelow0(used + amount - free) : 0n;

/** The same, whatever was sold under this request before. */
export function sellNow(record: AccountRecord, name: string, { used, parts = [], ...sold }: SoldCall): BalanceEntry {
  const held = record.holds[name];
  delete record.holds[name];
  const { charge, free, grants } = held
    ? endHold(record, held, used, sold.at)
    : withoutHold(record, { used, parts, ...sold });
  const facts = Object.fromEntries(Object.entries(sold).filter(([, value]) => value !== undefined));
  const entry = { ...(facts as Omit<SoldCall, "used" | "parts">), kind: "sale" as const, amount: -charge };
  noteLow(record, grants, sold.at);
  const paidBy = grants.length > 0 ? { grants } : {};
  return addEntry(record, free > 0n ? { ...entry, ...paidBy, free } : { ...entry, ...paidBy });
}

/**
 * A hold of the same price that was made before, its answer lost: another one would take the price out of grants and
 * limits once more.
 */
export const heldAgain = (
  there: Hold | undefined,
  { price, lease }: Pick<LimitedCall, "price" | "lease">,
): Hold | undefined =>
  there && there.amount + freePartOf(there) === price
    ? { ...there, until: lease.leaseUntil, owner: lease.owner }
    : undefined;

/** Frees all that a call holds; false if it holds nothing. */
export function dropHold(record: AccountRecord, name: string, now: number): boolean {
  const held = record.holds[name];
  if (!held) return false;
  delete record.holds[name];
  endHold(record, held, 0n, now);
  return true;
}

/** A stream whose hold ended is sold already, perhaps before its process notices. */
export const soldBefore = ({ recent }: AccountRecord, requestId: string): BalanceEntry | undefined =>
  recent.find((entry) => entry.kind === "sale" && entry.requestId === requestId);

function withoutHold(record: AccountRecord, { used, key, at, endpoint, parts = [] }: SoldCall): Charged {
  // guard: grants: a late charge is paid by those for all calls of its batch | parts -> parts: [] | accounts/kinds
  const asked = { endpoint, parts, now: at };
  const grants = partsFor(record, used, asked);
  const available = spendableBy(record, asked);
  if (grants.some(({ isCall }) => isCall)) {
    takeParts(record, grants);
    return { charge: 0n, free: used, grants };
  }
  if (used <= available) {
    takeParts(record, grants);
    countAgain(record, [ACCOUNT, ...(key === undefined ? [] : [record.keys[key]?.meter ?? ""])], { used, at });
    return { charge: used, free: 0n, grants };
  }
  throw new PaymentRefused(
    "BALANCE_TOO_SMALL",
    `The balance that was held for this call is spent meanwhile: ${signedUsd(available)} USD are available of ${fromMicros(used)} USD. Nothing was charged.`,
    { problem: { availableUsd: signedUsd(available), missingUsd: fromMicros(used - available) } },
  );
}

/** With its hold a call has left the counts of spending; it enters those of the time in which it is charged. */
function countAgain({ usage }: AccountRecord, meters: readonly string[], sold: { used: Micros; at: number }): void {
  for (const id of meters) {
    const counted = usage[id];
    if (!counted) continue;
    for (const [period] of SPENDING) {
      const current = currentSpending(counted[period], period, sold.at);
      // guard: accounts: a call that outlived its hold counts in the limits | = current | accounts/faults
      counted[period] = { ...current, spent: current.spent + sold.used };
    }
  }
}

/** The parts of a call's grants that its charge uses, and those that it leaves. */
export function usedParts(grants: readonly GrantPart[], used: Micros): { used: GrantPart[]; left: GrantPart[] } {
  const parts = { used: [] as GrantPart[], left: [] as GrantPart[] };
  let due = used;
  for (const part of grants) {
    const usd = least(due, part.usd);
    due -= usd;
    // A call of a grant is used whole, whatever it cost.
    const rest = part.isCall && used > 0n ? 0n : part.usd - usd;
    if (usd > 0n) parts.used.push({ ...part, usd });
    if (rest > 0n) parts.left.push({ ...part, usd: rest });
  }
  return parts;
}

/** The part of a price that allowances and calls of grants pay, beside the balance. */
export const freePartOf = ({ free, grants = [] }: Pick<Hold, "free" | "grants">): Micros =>
  [...free, ...grants.filter(({ isCall }) => isCall)].reduce((sum, { usd }) => sum + usd, 0n);

/** Ends a hold: what was not used counts no more in any limit. The free allowance is used first. */
function endHold(record: AccountRecord, held: Hold, used: Micros, now: number): Charged {
  const grants = usedParts(held.grants ?? [], notBelow0(used - sumOf(held.free)));
  for (const part of grants.left) giveBackPart(record, part, now);
  const byCall = sumOf(grants.used.filter(({ isCall }) => isCall));
  const { left, free } = endFree(record, held, used);
  const charge = least(left - byCall, held.amount);
  giveBackSpending(record, held, held.amount - charge);
  return { charge, free: free + byCall, grants: grants.used };
}

const sumOf = (parts: readonly { usd: Micros }[]): Micros => parts.reduce((sum, { usd }) => sum + usd, 0n);

/** Ends the parts of free allowances; resolves to the rest of the price, and to what they paid. */
function endFree(record: AccountRecord, held: Hold, used: Micros): { left: Micros; free: Micros } {
  let left = used;
  let free = 0n;
  for (const part of held.free) {
    const isCall = part.endpoint !== undefined;
    const usd = least(left, part.usd);
    left -= usd;
    free += usd;
    if (isCall && used === 0n) giveBackFree(record, held, part);
    if (!isCall && usd < part.usd) giveBackFree(record, held, { ...part, usd: part.usd - usd });
  }
  return { left, free };
}

/** An allowance that began anew meanwhile gets nothing back. */
function giveBackFree(record: AccountRecord, { windows }: Hold, part: FreePart): void {
  if (record.usage[part.meter]?.free.start === windows[2]) useFree(record, part, -1n);
}

function giveBackSpending(record: AccountRecord, { meters, windows }: Hold, amount: Micros): void {
  if (amount === 0n) return;
  for (const id of meters) {
    const usage = record.usage[id];
    if (!usage) continue;
    for (const [i, [period]] of SPENDING.entries())
      if (usage[period].start === windows[i]) usage[period].spent = notBelow0(usage[period].spent - amount);
  }
}

const notBelow0 = (amount: Micros): Micros => (amount < 0n ? 0n : amount);
