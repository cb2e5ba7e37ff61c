/**
 * What callers send: the one vocabulary of input fields. Each says in its message what would have worked, shows its bounds
 * and default in JSON Schema, and gives the value in its canonical form. `upstream/fields.ts` is for what upstreams send.
 */
import { z } from "zod";
import { isCountryCode } from "../lib/country-codes.js";
import { once } from "../lib/lazy.js";
import { usState as findUsState } from "../lib/us-states.js";

/** A schema that is built when it is first used: importing a hundred capabilities builds none. */
export const lazySchema: <S extends z.ZodType>(make: () => S) => () => S = once;

/** JavaScript counts UTF-16 units; callers and JSON Schema count characters. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Text of `min` to `max` characters (code points, so one emoji is one character). */
export function text(min: number, max: number) {
  const inRange = (value: string) =>
    // A string of n units has between n/2 and n characters: most inputs need no counting.
    value.length <= max && value.length >= min * 2 ? true : codePoints(value) >= min && codePoints(value) <= max;
  const message = min > 0 ? `must be ${min} to ${max} characters long` : `must be at most ${max} characters long`;
  return z.string().refine(inRange, { message }).meta({ minLength: min, maxLength: max });
}

/** A calendar day that exists, as YYYY-MM-DD. */
export const isoDate = () => z.iso.date({ error: "must be a real date in the form YYYY-MM-DD" });

/** A point in time with its zone, as RFC 3339 has it: 2026-05-01T10:00:00Z. */
export const isoDateTime = () =>
  z.iso.datetime({ offset: true, error: "must be a date-time with a zone, such as 2026-05-01T10:00:00Z" });

/** An absolute URI of at most `max` characters. What may be fetched is for the outbound guard to decide. */
export const uri = (max: number) =>
  text(1, max)
    .refine((value) => URL.canParse(value) && !/\s/.test(value), { message: "must be an absolute URI" })
    .meta({ format: "uri" });

/** How many rows to return: 1 to `max`. */
export const limit = (byDefault: number, max: number) => z.int().min(1).max(max).default(byDefault);

/** How many rows to leave out before the first: 0 to `max`. */
export const offset = (max: number) => z.int().min(0).max(max).default(0);

/** Degrees north of the equator. */
export const latitude = () => z.number().min(-90).max(90);

/** Degrees east of Greenwich. */
export const longitude = () => z.number().min(-180).max(180);

/** A country by its two-letter ISO 3166-1 code, in any case; upper case for `run`. */
export const countryCode = () =>
  z
    .string()
    .toUpperCase()
    .refine(isCountryCode, { error: "must be a two-letter ISO 3166-1 country code, such as DE" })
    .meta({ minLength: 2, maxLength: 2 });

/** A US state, the District of Columbia or a territory by its two-letter postal code, in any case; upper case for `run`. */
export const usState = () =>
  z
    .string()
    .toUpperCase()
    .refine((code) => /^[A-Z]{2}$/.test(code) && findUsState(code) !== undefined, {
      error: "must be a two-letter US state code, such as CA",
    })
    .meta({ minLength: 2, maxLength: 2 });

/**
 * An identifier of `min` to `max` characters as people write it; for `run` in the canonical form that `read` gives. What
 * `read` does not know is refused: `what` says after "must be" what would have been right.
 */
export function identifier(read: (text: string) => string | undefined, what: string, [min, max]: [number, number]) {
  return text(min, max)
    .refine((value) => read(value) !== undefined, { error: `must be ${what}` })
    .transform((value): string => read(value) ?? value);
}

/** Text that is a comma-separated list of `names`, in any case; for `run` an array in the order of `names`, each once. */
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
