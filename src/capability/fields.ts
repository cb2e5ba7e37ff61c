/**
 * Input fields: one vocabulary for all capabilities. Each field explains in its message which values are valid, shows
 * its bounds and default in JSON Schema, and yields the canonical form of its value. `upstream/fields.ts` is its
 * counterpart for answers of upstreams.
 */
import { z } from "zod";
import { isCountryCode } from "../lib/facts/country-codes.js";
import { usState as findUsState, usStateNamed } from "../lib/facts/us-states.js";
import { isUrl } from "../lib/http/url.js";
import { once } from "../lib/lazy.js";

/**
 * Builds a schema on first use, so that importing a hundred capabilities builds none.
 *
 * @example
 * ```ts
 * const station = lazySchema(() => z.object({ id: z.string(), name: z.string() }));
 * station().parse({ id: "KSFO", name: "San Francisco" });
 * ```
 */
export const lazySchema: <S extends z.ZodType>(make: () => S) => () => S = once;

/**
 * Length in characters as callers and JSON Schema count them; JavaScript counts UTF-16 units.
 *
 * @example
 * ```ts
 * codePoints("日本😀"); // 3
 * ```
 */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Text of `min` to `max` characters (code points, so one emoji is one character).
 *
 * @example
 * ```ts
 * z.strictObject({ title: text(1, 200).describe("Title of the page") });
 * ```
 */
export function text(min: number, max: number) {
  const inRange = (value: string) =>
    // A string of n units has between n/2 and n characters, so most inputs need no counting.
    value.length <= max && value.length >= min * 2 ? true : codePoints(value) >= min && codePoints(value) <= max;
  const message = min > 0 ? `must be ${min} to ${max} characters long` : `must be at most ${max} characters long`;
  return z.string().refine(inRange, { message, abort: true }).meta({ minLength: min, maxLength: max });
}

/**
 * One line of `min` to `max` characters, not all blank. `run` gets it trimmed.
 *
 * @example
 * ```ts
 * words(2, 100).parse("  Acme Ltd  "); // "Acme Ltd"
 * ```
 */
export const words = (min: number, max: number) =>
  text(min, max)
    .refine((value) => value.trim() !== "" && !/\p{Cc}/u.test(value), {
      error: "must not be blank or contain control characters",
      abort: true,
    })
    .overwrite((value) => value.trim());

/**
 * Text of `min` to `max` digits; leading zeros are kept.
 *
 * @example
 * ```ts
 * digits(9).parse("021000021"); // "021000021"
 * ```
 */
export const digits = (min: number, max = min) =>
  z.string().regex(new RegExp(`^\\d{${min},${max}}$`), {
    error: `must be ${min === max ? min : `${min} to ${max}`} digits`,
  });

/**
 * A calendar day that exists, as YYYY-MM-DD.
 *
 * @example
 * ```ts
 * isoDate().parse("2026-05-01"); // "2026-05-01"
 * ```
 */
export const isoDate = () => z.iso.date({ error: "must be a real date in the form YYYY-MM-DD" });

/**
 * A point in time with its zone, in the form of RFC 3339: 2026-05-01T10:00:00Z.
 *
 * @example
 * ```ts
 * isoDateTime().parse("2026-05-01T10:00:00Z");
 * ```
 */
export const isoDateTime = () =>
  z.iso.datetime({ offset: true, error: "must be a date-time with a zone, such as 2026-05-01T10:00:00Z" });

/**
 * An absolute URI of at most `max` characters. The outbound guard decides which of them may be fetched.
 *
 * @example
 * ```ts
 * z.strictObject({ url: uri(2048).describe("Page to read") });
 * ```
 */
export const uri = (max: number) =>
  text(1, max)
    .refine((value) => isUrl(value) && !/\s/.test(value), { message: "must be an absolute URI" })
    .meta({ format: "uri" });

/**
 * A whole number; a value outside the range becomes the nearer end of it.
 *
 * @example
 * ```ts
 * clamped(1, 100).parse(500); // 100
 * ```
 */
export const clamped = (min: number, max: number) =>
  z
    .int()
    .overwrite((value) => Math.min(max, Math.max(min, value)))
    .meta({ minimum: min, maximum: max });

/**
 * How many rows to return: 1 to `max`.
 *
 * @example
 * ```ts
 * z.strictObject({ limit: limit(20, 100).describe("How many rows to return") });
 * ```
 */
export const limit = (byDefault: number, max: number) => z.int().min(1).max(max).default(byDefault);

/**
 * How many rows to leave out before the first: 0 to `max`.
 *
 * @example
 * ```ts
 * z.strictObject({ offset: offset(1000).describe("How many rows to leave out first") });
 * ```
 */
export const offset = (max: number) => z.int().min(0).max(max).default(0);

/**
 * Degrees north of the equator.
 *
 * @example
 * ```ts
 * latitude().parse(52.52);
 * ```
 */
export const latitude = () => z.number().min(-90).max(90);

/**
 * Degrees east of Greenwich.
 *
 * @example
 * ```ts
 * longitude().parse(13.405);
 * ```
 */
export const longitude = () => z.number().min(-180).max(180);

/**
 * A country by its two-letter ISO 3166-1 code, in any case. `run` gets upper case.
 *
 * @example
 * ```ts
 * countryCode().parse("de"); // "DE"
 * ```
 */
export const countryCode = () =>
  z
    .string()
    .toUpperCase()
    .refine(isCountryCode, { error: "must be a two-letter ISO 3166-1 country code, such as DE" })
    .meta({ minLength: 2, maxLength: 2 });

export interface UsStateOptions {
  /** False if the upstream does not know American Samoa, Guam, the Northern Marianas and the Virgin Islands. */
  islandAreas?: boolean;
  /** Further codes that the upstream takes, in upper case, such as `US` for the whole country. */
  also?: readonly string[];
}

/**
 * A US state, the District of Columbia or a territory by its two-letter postal code, in any case. `run` gets upper
 * case.
 *
 * @example
 * ```ts
 * usState({ also: ["US"] }).parse("ca"); // "CA"
 * ```
 */
export function usState({ islandAreas = true, also = [] }: UsStateOptions = {}) {
  const isKnown = (code: string) => {
    const state = /^[A-Z]{2}$/.test(code) ? findUsState(code) : undefined;
    return also.includes(code) || (state !== undefined && (islandAreas || !state.islandArea));
  };
  return z
    .string()
    .toUpperCase()
    .refine(isKnown, { error: "must be a two-letter US state code, such as CA" })
    .meta({ minLength: 2, maxLength: 2 });
}

/**
 * A US state by postal code or English name. `run` gets the postal code.
 *
 * @example
 * ```ts
 * usStateOrName().parse("California"); // "CA"
 * ```
 */
export const usStateOrName = () =>
  text(2, 40)
    .refine((value) => usStateNamed(value) !== undefined, { error: "must be a US state, such as CA or California" })
    .overwrite((value) => usStateNamed(value)?.postalCode ?? value);

/**
 * A US ZIP code of five digits.
 *
 * @example
 * ```ts
 * zipCode().parse("90210");
 * ```
 */
export const zipCode = () => z.string().regex(/^\d{5}$/, { error: "must be a ZIP code of 5 digits, such as 90210" });

/**
 * A currency by its three-letter ISO 4217 code, in any case. `run` gets upper case.
 *
 * @example
 * ```ts
 * currencyCode().parse("eur"); // "EUR"
 * ```
 */
export const currencyCode = () =>
  z
    .string()
    .regex(/^[A-Za-z]{3}$/, { error: "must be a currency code of three letters, such as USD" })
    .toUpperCase();

/**
 * A stock's ticker symbol, in any case. `run` gets upper case.
 *
 * @example
 * ```ts
 * ticker().parse("brk.b"); // "BRK.B"
 * ```
 */
export const ticker = () =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9.-]{0,11}$/, { error: "must be a ticker symbol, such as AAPL or BRK.B" })
    .toUpperCase();

/**
 * An identifier of `min` to `max` characters as people write it. `run` gets the canonical form that `read` returns;
 * text for which `read` returns undefined is refused with the message "must be " and `what`.
 *
 * @example
 * ```ts
 * const isbn = identifier((text) => /^\d{13}$/.exec(text.replaceAll("-", ""))?.[0], "an ISBN of 13 digits", [13, 17]);
 * isbn.parse("978-0-306-40615-7"); // "9780306406157"
 * ```
 */
export function identifier(read: (text: string) => string | undefined, what: string, [min, max]: [number, number]) {
  return text(min, max)
    .refine((value) => read(value) !== undefined, { error: `must be ${what}` })
    .overwrite((value) => read(value) ?? value);
}

/**
 * A comma-separated list of `names`, in any case. `run` gets an array in the order of `names`, without duplicates.
 *
 * @example
 * ```ts
 * listOf(["name", "price"]).parse("Price,name"); // ["name", "price"]
 * ```
 */
export function listOf<const Name extends string>(names: readonly Name[], maxLength = 200) {
  const read = (list: string): Name[] | undefined => {
    const given = new Set(list.split(",").map((name) => name.trim().toLowerCase()));
    const known = names.filter((name) => given.has(name.toLowerCase()));
    return known.length === given.size ? known : undefined;
  };
  return text(1, maxLength)
    .refine((list) => read(list) !== undefined, {
      error: `must be one or more of ${names.join(", ")}, divided by commas`,
    })
    .transform((list): Name[] => read(list) ?? []);
}

export interface CodeListOptions {
  /** Pattern of one code, matched in upper case. */
  pattern: RegExp;
  /** Plural noun for the error message, such as `station ids of 3 or 4 letters and digits`. */
  what: string;
  /** Maximum number of different codes. */
  max: number;
  /** Minimum length of the whole text. Default 1. */
  minLength?: number;
  maxLength: number;
  /** True if blanks separate codes, too. */
  blanksDivide?: boolean;
}

/**
 * A comma-separated list of codes or ids, in any case. `run` gets an array in upper case, in the caller's order,
 * without duplicates.
 *
 * @example
 * ```ts
 * const what = "station ids of 3 or 4 letters and digits";
 * const stations = codeList({ pattern: /^[A-Z0-9]{3,4}$/, what, max: 10, maxLength: 60 });
 * stations.parse("ksfo, kjfk"); // ["KSFO", "KJFK"]
 * ```
 */
export function codeList({ pattern, what, max, minLength = 1, maxLength, blanksDivide = false }: CodeListOptions) {
  const read = (list: string): string[] => {
    const codes = list.toUpperCase().split(blanksDivide ? /[\s,]/ : ",");
    return [...new Set(codes.map((code) => code.trim()).filter(Boolean))];
  };
  const isRight = (codes: string[]) =>
    codes.length > 0 && codes.length <= max && codes.every((code) => pattern.test(code));
  return text(minLength, maxLength)
    .transform(read)
    .refine(isRight, { error: `must be 1 to ${max} ${what}, divided by commas` });
}

export interface TextListOptions {
  /** Maximum number of texts. */
  max: number;
  /** Maximum length of one text. */
  maxLength: number;
  /** Plural noun for the error message, such as `versions`. */
  what: string;
}

/**
 * A list of texts that a query can carry: divided by commas, or an array where the input is JSON. `run` gets an array.
 *
 * @example
 * ```ts
 * const allowed = textList({ max: 200, maxLength: 100, what: "licences" });
 * allowed.parse("MIT, ISC"); // ["MIT", "ISC"]
 * allowed.parse(["MIT", "ISC"]); // ["MIT", "ISC"]
 * ```
 */
export function textList({ max, maxLength, what }: TextListOptions): z.ZodType<string[], string | string[]> {
  const list = text(0, max * (maxLength + 1))
    .transform((joined) => joined.split(",").map((one) => one.trim()))
    .transform((texts) => (texts.length === 1 && texts[0] === "" ? [] : texts))
    .refine((texts) => texts.length <= max && texts.every((one) => one.length > 0 && one.length <= maxLength), {
      error: `must be at most ${max} ${what} of 1 to ${maxLength} characters, divided by commas`,
    });
  const joined = (given: unknown) =>
    Array.isArray(given) && given.every((one) => typeof one === "string" && !one.includes(","))
      ? given.join(",")
      : given;
  return z.preprocess(joined, list) as z.ZodType<string[], string | string[]>;
}
