/** Lists and objects of upstreams' answers, and whether their fields may be missing. */
import { z } from "zod";
import { having } from "./renamed.js";
import { label } from "./values.js";

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
 * A list of texts, without empty ones; empty if missing.
 *
 * @example
 * ```ts
 * labels().parse(["Ada", null, " "]); // ["Ada"]
 * ```
 */
export const labels = () => list(label()).transform((texts) => texts.filter((text) => text !== null));

/**
 * A list of what a field names, without entries for which it is empty; empty if missing.
 *
 * @example
 * ```ts
 * named(part({ name: label() }), "name").parse([{ name: "Ada" }, { name: "" }]).length; // 1
 * ```
 */
export const named = <Item extends z.ZodType, Name extends keyof z.output<Item>>(item: Item, name: Name) =>
  list(item).transform((entries) =>
    entries.filter((entry): entry is Named<z.output<Item>, Name> => entry[name] != null),
  );

type Named<Entry, Name extends keyof Entry> = Entry & { [K in Name]: NonNullable<Entry[K]> };

/**
 * A list that is written without brackets if it has one member.
 *
 * @example
 * ```ts
 * oneOrMany(label()).parse("one"); // ["one"]
 * ```
 */
export const oneOrMany = <Item extends z.ZodType>(item: Item) =>
  chosen(
    (value): z.ZodType<z.output<Item>[]> => (Array.isArray(value) ? z.array(item) : item.transform((one) => [one])),
  )
    .nullish()
    .transform((value) => value ?? []);

/**
 * A value whose form shows in itself. Unlike in a union, what is wrong with it is told, and a missing field of it can be null.
 *
 * @example
 * ```ts
 * chosen((value) => (typeof value === "string" ? label() : part({ name: label() }))).parse(" Ada "); // "Ada"
 * ```
 */
export const chosen = <Output>(choose: (value: unknown) => z.ZodType<Output>) =>
  z.unknown().transform((value, { issues }): Output => {
    const { data, error } = choose(value).safeParse(value);
    if (!error) return data;
    issues.push(...error.issues.map((issue) => ({ ...issue, input: value }) as z.core.$ZodRawIssue));
    return z.NEVER;
  });

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

const merged = <Always extends z.ZodRawShape, Sometimes extends z.ZodRawShape>(always: Always, sometimes?: Sometimes) =>
  ({ ...always, ...sometimes }) as Always & Sometimes;

const isThere = (value: unknown): boolean =>
  typeof value === "object" ? value !== null && Object.keys(value).length > 0 : value !== undefined && value !== "";
