/**
 * What upstreams send: the one vocabulary for the schemas of their answers. Every piece may be missing, and what is empty is
 * null already, so that a result needs no `?? null`. A field that a result cannot do without is plain zod, and required.
 */
import { z } from "zod";

/** Text without blanks around it; null where there is none. */
export const label = () =>
  z
    .string()
    .nullish()
    .transform((value) => value?.trim() || null);

/** A number, or digits in a text; null where it is missing, empty or no number. */
export const number = () =>
  z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value) => toNumber(value));

/** An id, which one answer writes as digits and the next as text; null where it is missing. */
export const id = () =>
  z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => (value == null || value === "" ? null : String(value)));

/** True or false, also as Y and N, "true" and "false", 1 and 0; null for anything else. */
export const flag = () =>
  z
    .union([z.boolean(), z.string(), z.number()])
    .nullish()
    .transform((value) => FLAGS.get(String(value).toLowerCase()) ?? null);

/** A day as YYYY-MM-DD, from that, from YYYYMMDD or from a date-time that begins with one; null for anything else. */
export const day = () =>
  z
    .string()
    .nullish()
    .transform((value) => {
      const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(value ?? "") ?? [];
      return year ? `${year}-${month}-${date}` : null;
    });

/** A list; empty where it is missing. */
export const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((value): z.output<Item>[] => value ?? []);

/** A list that is written without its brackets where it has one member. */
export const oneOrMany = <Item extends z.ZodType>(item: Item) =>
  z
    .union([item, z.array(item)])
    .nullish()
    .transform((value): z.output<Item>[] => (value == null ? [] : Array.isArray(value) ? value : [value]));

const FLAGS = new Map([
  ...["true", "y", "yes", "1"].map((text) => [text, true] as const),
  ...["false", "n", "no", "0"].map((text) => [text, false] as const),
]);

function toNumber(value: string | number | null | undefined): number | null {
  if (value == null || (typeof value === "string" && value.trim() === "")) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
