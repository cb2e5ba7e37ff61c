/**
 * What upstreams send: the one vocabulary for the schemas of their answers. What is empty is null already, so that a result
 * needs no `?? null`. Within a `z.object` or a `part` every piece may be missing. Most upstreams leave no field out and write
 * null into an empty one: then the object is `whole`, and a field that is not there has another name now, which is
 * UPSTREAM_SCHEMA where it would else be sold as null. A fact that a result cannot do without is plain zod, and required.
 */
import { z } from "zod";

type Empty = null | undefined;

/** Text without blanks around it; null where there is none. */
export const label = () => z.string().nullish().transform(toLabel);

/** A number, or digits in a text, with or without commas at the thousands; null where it is missing, empty or no number. */
export const number = () => z.union([z.number(), z.string()]).nullish().transform(toNumber);

/** A number that a result cannot do without, or digits in a text. */
export const figure = () => number().pipe(z.number());

/** A whole number of any size, in decimal digits: what has more than 53 bits is no number of JSON. Null where it is none. */
export const integer = () => z.union([z.number(), z.string()]).nullish().transform(toInteger);

/** A point in time that a result cannot do without, from seconds or milliseconds since 1970; ISO 8601 in UTC. */
export const unixTime = (unit: "s" | "ms") =>
  figure()
    .transform((value) => (unit === "s" ? value * 1000 : value))
    .pipe(z.number().min(0).max(MAX_TIME_MS))
    .transform((ms) => new Date(ms).toISOString());

/** A point in time from a date-time with its zone, to the millisecond and in UTC; null for anything else. */
export const instant = () => z.string().nullish().transform(toInstant);

/** An amount as accounts write it: "$1,234.50", and "($0.29)" for a negative one; null where there is no number in it. */
export const amount = () => z.union([z.number(), z.string()]).nullish().transform(toAmount);

/** An id, which one answer writes as digits and the next as text; null where it is missing. */
export const id = () => z.union([z.string(), z.number()]).nullish().transform(toId);

/** An id that a result cannot do without. */
export const key = () => z.union([z.string().min(1), z.number()]).transform(String);

/** True or false, also as Y and N, "true" and "false", 1 and 0; null for anything else. */
export const flag = () =>
  z
    .union([z.boolean(), z.string(), z.number()])
    .nullish()
    .transform((value) => FLAGS.get(String(value).toLowerCase()) ?? null);

/** A day as YYYY-MM-DD, from that, from YYYYMMDD or from a date-time that begins with one; null for anything else. */
export const day = () => z.string().nullish().transform(toIsoDay);

/** A day as YYYY-MM-DD from how Americans write it: 6/30/2026 or 06/30/2026; null for anything else. */
export const usDay = () => z.string().nullish().transform(usToIsoDay);

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

/** Anything that may be missing; null then. */
export const maybe = <Item extends z.ZodType>(item: Item) =>
  item.nullish().transform((value): z.output<Item> | null => value ?? null);

/** An object of pieces of this vocabulary, of which each may be missing, and so may it: then all of them are. */
export const part = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => value ?? {}, z.object(shape));

/**
 * An object with every field of `always`, empty or not. Those of `sometimes` may be left out; those of a group come together
 * or not at all, as figures and the day that they are of.
 * @example whole({ city: label() }, { sales: number(), salesDate: day() }, ["sales", "salesDate"])
 */
export const whole = <Always extends z.ZodRawShape, Sometimes extends z.ZodRawShape = Record<never, never>>(
  always: Always,
  sometimes?: Sometimes,
  ...groups: (keyof Sometimes & string)[][]
) =>
  z
    .unknown()
    .check(having(Object.keys(always), groups))
    .pipe(z.object(merged(always, sometimes)));

/** A `whole` that may itself be missing or empty: then all of its fields are null. */
export const wholeOrNone = <Always extends z.ZodRawShape, Sometimes extends z.ZodRawShape = Record<never, never>>(
  always: Always,
  sometimes?: Sometimes,
  ...groups: (keyof Sometimes & string)[][]
) => {
  const complete = having(Object.keys(always), groups);
  return z.preprocess(
    (value, payload) => {
      if (!isThere(value)) return {};
      complete(payload);
      return value;
    },
    z.object(merged(always, sometimes)),
  );
};

/**
 * Rows of which each may leave fields out. Each of `common`, as a path such as `design.phases`, is in one row at least: rows
 * that all lack a field had it under another name. Told of `from` rows on, 1 for an answer that always has all rows there
 * are; rows that are excused do not count.
 */
export const sparseRows = <Item extends z.ZodType>(
  item: Item,
  common: readonly string[],
  from = SPARSE_FROM,
  isExcused: Excuse = () => false,
) =>
  z
    .array(z.unknown())
    .check(({ value, issues }) => {
      const rows = value.filter((row) => !(isObject(row) && isExcused(row)));
      if (rows.length < Math.max(1, from)) return;
      for (const path of common)
        if (!rows.some((row) => reaches(row, path.split("."))))
          issues.push({ code: "custom", message: "is in none of the rows", input: rows, path: [path] });
    })
    .pipe(z.array(item));

/** A check that an object reaches each path, such as `design.type`, where it is not excused. */
export const reaching =
  (paths: readonly string[], isExcused: Excuse = () => false) =>
  ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    if (isObject(value) && isExcused(value)) return;
    for (const path of paths)
      if (!reaches(value, path.split(".")))
        issues.push({ code: "custom", message: "is not there", input: value, path: [path] });
  };

/**
 * A check that an object of a closed set of fields, which lacks one that may be missing, holds no field that nobody knows:
 * that would be the missing one under a new name.
 */
export const noneRenamed =
  (sometimes: readonly string[], others: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    if (!isObject(value)) return;
    const known = new Set([...sometimes, ...others]);
    const strange = Object.keys(value).find((name) => !known.has(name));
    if (strange !== undefined && sometimes.some((name) => !has(value, name)))
      issues.push({ code: "custom", message: "is unknown, beside one that is missing", input: value, path: [strange] });
  };

/** Whether an object may lack a field that others of its kind have. */
type Excuse = (value: Record<string, unknown>) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** So many rows without a field are no chance. */
const SPARSE_FROM = 3;

/** Whether the path is there, whatever it leads to. */
function reaches(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return has(value, name) && (rest.length === 0 || reaches((value as Record<string, unknown> | null)?.[name], rest));
}

const merged = <Always extends z.ZodRawShape, Sometimes extends z.ZodRawShape>(always: Always, sometimes?: Sometimes) =>
  ({ ...always, ...sometimes }) as Always & Sometimes;

/** What is no object is for the schema behind to refuse. */
const has = (value: unknown, name: string): boolean =>
  typeof value !== "object" || value === null || Object.hasOwn(value, name);

const isThere = (value: unknown): boolean =>
  typeof value === "object" ? value !== null && Object.keys(value).length > 0 : value !== undefined && value !== "";

/** A check that an object has all of its names, and of each group all or none. */
const having =
  (names: readonly string[], groups: readonly (readonly string[])[]) =>
  ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    const begun = groups.filter((group) => group.some((name) => has(value, name)));
    for (const name of [...names, ...begun.flat()])
      if (!has(value, name)) issues.push({ code: "custom", message: "is not there", input: value, path: [name] });
  };

/** The last moment that a Date can hold. */
const MAX_TIME_MS = 8.64e15;

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

/** What `label` reads. */
export const toLabel = (value: string | Empty): string | null => value?.trim() || null;

const toId = (value: string | number | Empty): string | null => (value == null ? null : String(value).trim() || null);

/** What `number` reads. */
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

/** What `amount` reads. */
function toAmount(value: string | number | Empty): number | null {
  if (typeof value !== "string") return toNumber(value);
  const number = toNumber(value.replace(/[$,()\s]/g, ""));
  return number !== null && value.includes("(") ? -number : number;
}

/** What `day` reads. */
export function toIsoDay(value: string | Empty): string | null {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(value ?? "") ?? [];
  return year ? `${year}-${month}-${date}` : null;
}

function toInstant(value: string | Empty): string | null {
  const ms = /T.*(Z|[+-]\d\d:?\d\d)$/.test(value ?? "") ? Date.parse(value ?? "") : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function usToIsoDay(value: string | Empty): string | null {
  const [, month = "", date = "", year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(value?.trim() ?? "") ?? [];
  return year ? `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}` : null;
}
