/** Texts, numbers, ids and flags of upstreams' answers. An empty or invalid one is null. */
import { z } from "zod";

type Empty = null | undefined;

/**
 * Trimmed text; null if it is empty.
 *
 * @example
 * ```ts
 * label().parse("  Acme  "); // "Acme"
 * ```
 */
export const label = () => z.string().nullish().transform(toLabel);

/**
 * A number, or digits in a text, with or without thousands separators; null if missing, empty or invalid.
 *
 * @example
 * ```ts
 * number().parse("1,234.5"); // 1234.5
 * ```
 */
export const number = () => z.union([z.number(), z.string()]).nullish().transform(toNumber);

/**
 * A required number, or digits in a text.
 *
 * @example
 * ```ts
 * figure().parse("12"); // 12
 * ```
 */
export const figure = () => number().pipe(z.number());

/**
 * A whole number of any size as a bigint, from decimal digits, because JSON numbers have only 53 bits. Null if invalid.
 *
 * @example
 * ```ts
 * integer().parse("18446744073709551616"); // 18446744073709551616n
 * ```
 */
export const integer = () => z.union([z.number(), z.string()]).nullish().transform(toInteger);

/**
 * An amount in accounting notation: "$1,234.50", and "($0.29)" for a negative one; null without a number.
 *
 * @example
 * ```ts
 * amount().parse("($0.29)"); // -0.29
 * ```
 */
export const amount = () => z.union([z.number(), z.string()]).nullish().transform(toAmount);

/**
 * An id that may be digits in one answer and text in another; null if missing.
 *
 * @example
 * ```ts
 * id().parse(42); // "42"
 * ```
 */
export const id = () => z.union([z.string(), z.number()]).nullish().transform(toId);

/**
 * A required id.
 *
 * @example
 * ```ts
 * key().parse(42); // "42"
 * ```
 */
export const key = () => z.union([z.string().min(1), z.number()]).transform(String);

/**
 * True or false, also as Y and N, "true" and "false", 1 and 0; null for anything else.
 *
 * @example
 * ```ts
 * flag().parse("Y"); // true
 * ```
 */
export const flag = () =>
  z
    .union([z.boolean(), z.string(), z.number()])
    .nullish()
    .transform((value) => FLAGS.get(String(value).toLowerCase()) ?? null);

const FLAGS = /* @__PURE__ */ new Map([
  ["true", true],
  ["y", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["n", false],
  ["no", false],
  ["0", false],
]);

/** The conversion of `label`. */
export const toLabel = (value: string | Empty): string | null => value?.trim() || null;

const toId = (value: string | number | Empty): string | null => (value == null ? null : String(value).trim() || null);

/** The conversion of `number`. */
export function toNumber(value: string | number | Empty): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const text = value?.trim() ?? "";
  const number =
    text === ""
      ? Number.NaN
      : Number(/^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(text) ? text.replaceAll(",", "") : text);
  return Number.isFinite(number) ? number : null;
}

const toInteger = (value: string | number | Empty): bigint | null =>
  /^-?\d{1,100}$/.test(String(value)) ? BigInt(value ?? 0) : null;

/** The conversion of `amount`. */
function toAmount(value: string | number | Empty): number | null {
  if (typeof value !== "string") return toNumber(value);
  const number = toNumber(value.replace(/[$,()\s]/g, ""));
  return number !== null && value.includes("(") ? -number : number;
}
