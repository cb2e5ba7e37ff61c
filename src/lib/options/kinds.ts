/** Common kinds of options. */

import { isUrl } from "../http/url.js";
import { exactMicros } from "../money.js";
import { being, type Check, hidden, isPlainObject, wrong } from "./check.js";

export const text = (must = "text", pattern = /\S/): Check =>
  being(must, (value) => typeof value === "string" && pattern.test(value));

export const flag: Check = being("true or false", (value) => typeof value === "boolean");

/** An option that is on unless it is set to false. */
export const off: Check = being("false, or left out", (value) => value === false);

export const oneOf = (...values: readonly string[]): Check =>
  being(
    values
      .map((value) => JSON.stringify(value))
      .join(", ")
      .replace(/, ("[^"]*")$/, " or $1"),
    (value) => values.includes(value as string),
  );

/** A whole number. */
export const count = (least: number, most = Number.MAX_SAFE_INTEGER, hint = ""): Check => {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return being(
    `a whole number ${range}${hint}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  );
};

const amountOf = (value: unknown): bigint | undefined => {
  try {
    return typeof value === "string" ? exactMicros(value) : undefined;
  } catch {
    return undefined;
  }
};

/** An amount in decimal US dollars, as text. */
export const usd =
  ({ zero = false, hint = "" } = {}): Check =>
  (name, value) => {
    const amount = amountOf(value);
    if (amount !== undefined && (zero || amount > 0n)) return;
    const least = zero ? "" : " above 0";
    throw wrong(name, `US dollars${least} as text with at most six decimals, such as "0.05"${hint}`, value);
  };

export const func = (of = "a function"): Check => being(of, (value) => typeof value === "function");

/** An object, or a function, with these methods; others are allowed. */
export const having = (must: string, ...methods: readonly string[]): Check =>
  being(must, (value) => has(value, methods));

export const has = (value: unknown, methods: readonly string[]): boolean =>
  ((typeof value === "object" && value !== null) || typeof value === "function") &&
  methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function");

const isWebAddress = (value: unknown): boolean =>
  typeof value === "string" && /^https?:\/\/[^\s/]/i.test(value) && isUrl(value);

export const webAddress: Check = being("an address that begins with https:// or http://", isWebAddress);

/** Address of a node, whose path or query often contains a key. */
export const hiddenAddress: Check = hidden("an address that begins with https:// or http://", isWebAddress);

/** A clock is called once, because an invalid one would fail every call. */
export const clock: Check = (name, value) => {
  const must = "a function that returns a Date";
  if (typeof value !== "function") throw wrong(name, must, value);
  const now: unknown = value();
  const at = has(now, ["getTime"]) ? (now as Date).getTime() : Number.NaN;
  if (!Number.isFinite(at)) throw new TypeError(`${name} must be ${must}; it returned something else.`);
};

export const anObject: Check = being("an object", isPlainObject);
