/** Checks of what a host says about its accounts. */
import { exactMicros, fromMicros, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import { isAccountId } from "../options/accounts.js";

/** A host's own bookings are at most this large, so that a misplaced point is noticed. */
const MOST: Micros = 1_000_000_000_000_000n;
const AMOUNT = /^-?\d{1,15}(?:\.\d{1,6})?$/;

/** For a call in JavaScript that leaves its facts out: the check of each says what is missing. */
export const NOTHING = {} as { reference: string };

export function assertAccount(id: unknown): string {
  if (isAccountId(id)) return id;
  throw new TypeError(
    "An account's id must be 1 to 100 letters, digits or . _ : - (the id of a user, not an e-mail address).",
  );
}

export function assertText(name: string, value: unknown, most: number): string {
  if (typeof value === "string" && value.length > 0 && value.length <= most && !/[\p{Surrogate}\0]/u.test(value))
    return value;
  throw new TypeError(`${name} must be text of 1 to ${most} characters.`);
}

/** Exact: an amount with more than six decimals is refused, not rounded. */
export function exactUsdOf(usd: unknown): Micros {
  if (typeof usd !== "string" || !AMOUNT.test(usd))
    throw new TypeError('usd must be US dollars as text with at most six decimals, such as "10.00".');
  const amount = usd.startsWith("-") ? -exactMicros(usd.slice(1)) : exactMicros(usd);
  if (amount > MOST || amount < -MOST) throw new TypeError(`usd must be at most ${fromMicros(MOST)}, not "${usd}".`);
  return amount;
}

export function momentOf(name: string, value: unknown): number {
  const at = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new TypeError(`${name} must be a Date, or a time in ISO 8601.`);
}

export const lastMomentOf = (name: string, value: unknown): number =>
  momentOf(name, value) + (typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? DAY_MS - 1 : 0);
