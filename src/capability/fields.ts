/** Schema pieces that several capabilities share. */
import { z } from "zod";
import { once } from "../lib/lazy.js";

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
