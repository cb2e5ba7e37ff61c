/**
 * Fields of upstreams' answers: one vocabulary for their schemas. Empty values become null, so that results need no
 * `?? null`. Within a `z.object` or a `part` every field may be missing. Most upstreams omit no field and write null
 * for an empty one: describe their objects with `whole`, for which a missing field means a renamed one, and
 * UPSTREAM_SCHEMA instead of null. A fact that a result needs is plain zod, and required.
 */
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
 * A required point in time, from seconds or milliseconds since 1970; ISO 8601 in UTC.
 *
 * @example
 * ```ts
 * unixTime("s").parse(1_700_000_000); // "2023-11-14T22:13:20.000Z"
 * ```
 */
export const unixTime = (unit: "s" | "ms") =>
  figure()
    .transform((value) => (unit === "s" ? value * 1000 : value))
    .pipe(z.number().min(0).max(MAX_TIME_MS))
    .transform((ms) => new Date(ms).toISOString());

/**
 * A point in time from a date-time with its zone, to the millisecond and in UTC; null for anything else.
 *
 * @example
 * ```ts
 * instant().parse("2026-05-01T12:00:00+02:00"); // "2026-05-01T10:00:00.000Z"
 * ```
 */
export const instant = () => z.string().nullish().transform(toInstant);

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

/**
 * A day as YYYY-MM-DD, from that, from YYYYMMDD or from a date-time that begins with one; null for anything else.
 *
 * @example
 * ```ts
 * day().parse("20260501"); // "2026-05-01"
 * ```
 */
export const day = () => z.string().nullish().transform(toIsoDay);

/**
 * A day as YYYY-MM-DD from American notation: 6/30/2026 or 06/30/2026; null for anything else.
 *
 * @example
 * ```ts
 * usDay().parse("6/30/2026"); // "2026-06-30"
 * ```
 */
export const usDay = () => z.string().nullish().transform(usToIsoDay);

/**
 * A list; empty if missing.
 *
 * @example
 * ```ts
 * list(label()).parse(undefined); // []
 * ```
 */
export const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((value): z.output<Item>[] => value ?? []);

/**
 * A list that is written without brackets if it has one member.
 *
 * @example
 * ```ts
 * oneOrMany(label()).parse("one"); // ["one"]
 * ```
 */
export const oneOrMany = <Item extends z.ZodType>(item: Item) =>
  z
    .union([item, z.array(item)])
    .nullish()
    .transform((value): z.output<Item>[] => (value == null ? [] : Array.isArray(value) ? value : [value]));

/**
 * Any value; null if missing.
 *
 * @example
 * ```ts
 * maybe(z.enum(["open", "closed"])).parse(undefined); // null
 * ```
 */
export const maybe = <Item extends z.ZodType>(item: Item) =>
  item.nullish().transform((value): z.output<Item> | null => value ?? null);

/**
 * An object whose fields may be missing, and which may be missing itself: then all its fields are null.
 *
 * @example
 * ```ts
 * part({ city: label() }).parse(undefined); // { city: null }
 * ```
 */
export const part = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((value) => value ?? {}, z.object(shape));

/**
 * An object with every field of `always`, empty or not. Fields of `sometimes` may be missing; those of a group are all
 * present or all missing, such as figures and their date.
 *
 * @example
 * ```ts
 * whole({ city: label() }, { sales: number(), salesDate: day() }, ["sales", "salesDate"]);
 * ```
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

/**
 * A `whole` that may itself be missing or empty: then all of its fields are null.
 *
 * @example
 * ```ts
 * wholeOrNone({ city: label() }).parse(null); // { city: null }
 * ```
 */
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
 * Rows that may each lack fields. Each path of `common`, such as `design.phases`, must occur in one row at least,
 * because a field that all rows lack was renamed. Applies from `from` rows on, 1 for an answer that always contains all
 * rows; excused rows do not count.
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
          issues.push(missing(path, "is in none of the rows", rows));
    })
    .pipe(z.array(item));

/**
 * `sparseRows` of records that names tell apart, such as a `name` or an `id`. A record that lacks one is left out, and does not
 * take the others with it; where most lack it, it was renamed, and the list is refused.
 *
 * @example
 * ```ts
 * identifiedRows(z.object({ name: z.string(), tvl: number() }), ["name"]).parse([{ name: "Aave" }, { name: "Lido" }, {}]).length; // 2
 * ```
 */
export const identifiedRows = <Item extends z.ZodType>(
  item: Item,
  names: readonly string[],
  common: readonly string[] = [],
  from = SPARSE_FROM,
) => {
  const isIdentified = (row: unknown) => names.every((name) => isNamed(row, name.split(".")));
  // The schema itself refuses a row of another type.
  const rowOrNone = z.preprocess((row) => (isObject(row) && !isIdentified(row) ? null : row), item.nullable());
  return z
    .array(z.unknown())
    .check(({ value, issues }) => {
      for (const name of names) {
        const nameless = value.filter((row) => isObject(row) && !isNamed(row, name.split(".")));
        if (nameless.length * 2 > value.length)
          issues.push({ code: "custom", message: "is in few of the rows", input: value, path: [name] });
      }
    })
    .pipe(sparseRows(rowOrNone, common, from))
    .transform((rows) => rows.filter((row): row is NonNullable<typeof row> => row !== null));
};

/** Whether a text or a number stands at the path. */
function isNamed(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  return isObject(value) && isNamed(value[name], rest);
}

/** For a list of all that there is: an empty one is an upstream's failure, not an answer. */
export const isFilled = (rows: readonly unknown[]): boolean => rows.length > 0;

/** A check that an object contains each path, such as `design.type`, unless it is excused. */
export const reaching =
  (paths: readonly string[], isExcused: Excuse = () => false) =>
  ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    if (isObject(value) && isExcused(value)) return;
    for (const path of paths) if (!reaches(value, path.split("."))) issues.push(missing(path, "is not there", value));
  };

/**
 * A check for an object with a closed set of fields: if an optional field is missing, an unknown field is probably the
 * same field under a new name.
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

/** The issue of a missing field. Where an inventory knows the answer's keys, it decides whether the field was renamed. */
const missing = (path: string, message: string, input: unknown): z.core.$ZodRawIssue => ({
  ...{ code: "custom", message, input, path: [path] },
  params: { absent: path },
});

/** Whether an object may lack a field that others of its kind have. */
type Excuse = (value: Record<string, unknown>) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** From this many rows on, a field missing in all of them is not a coincidence. */
const SPARSE_FROM = 3;

/** Whether the path exists, whatever its value. */
function reaches(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return has(value, name) && (rest.length === 0 || reaches((value as Record<string, unknown> | null)?.[name], rest));
}

const merged = <Always extends z.ZodRawShape, Sometimes extends z.ZodRawShape>(always: Always, sometimes?: Sometimes) =>
  ({ ...always, ...sometimes }) as Always & Sometimes;

/** A value that is not an object is refused by the schema itself. */
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
      if (!has(value, name)) issues.push(missing(name, "is not there", value));
  };

/** The last moment that a Date can represent. */
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

/** The conversion of `day`. */
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
