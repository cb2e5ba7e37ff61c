/** Callers' filters: read from JSON and translated to SQL, in which each value and name is a parameter. */

const MAX_DEPTH = 4;
const MAX_CONDITIONS = 20;
const MAX_STEPS = 16;
const MAX_VALUES = 50;
/** Maximum length of a text to find within others. */
const MAX_SOUGHT = 1024;
/** Maximum length of a list whose elements are compared with an object or a list. */
// guard: wallets: lists are not compared with long lists | = 1e9 | state/hostile
const MAX_COMPARED = 10_000;
/** Why a filter gives null. */
export const TOO_LONG = `an object or a list with a list of more than ${MAX_COMPARED} elements`;

/** The roots of JSON pointers and their columns. */
const COLUMNS = { body: "document", meta: "meta" } as const;
export type Root = keyof typeof COLUMNS;

export interface Pointer {
  root: Root;
  /** Unescaped, below the root. */
  steps: string[];
}

export type Filter =
  | { all: Filter[] }
  | { any: Filter[] }
  | { not: Filter }
  | ({ place: Pointer } & { operator: Operator; value: unknown });

type Operator = keyof typeof OPERATORS;

/** Describes an error in a filter or a pointer, and its position. */
export class FilterError extends Error {}

/** A JSON pointer (RFC 6901) into `{ body, meta }`. Throws a FilterError. */
export function readPointer(pointer: string, roots: readonly Root[]): Pointer {
  const [empty, root, ...steps] = pointer.split("/");
  if (empty !== "" || !roots.includes(root as Root) || /~(?![01])/.test(pointer))
    throw new FilterError(
      `"${pointer}" must be a JSON pointer that begins with ${roots.map((r) => `/${r}`).join(" or ")}`,
    );
  if (steps.length > MAX_STEPS) throw new FilterError(`"${pointer}" has more than ${MAX_STEPS} steps`);
  return { root: root as Root, steps: steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")) };
}

/** Reads a filter of JSON. Throws a FilterError. */
export function readFilter(given: unknown, roots: readonly Root[]): Filter {
  let conditions = 0;
  const read = (filter: unknown, depth: number): Filter => {
    if (!isObject(filter)) throw new FilterError("must be an object of JSON pointers with values, and, or, not");
    if (depth > MAX_DEPTH) throw new FilterError(`is deeper than ${MAX_DEPTH} levels`);
    const parts = Object.entries(filter).flatMap(([name, value]): Filter[] => {
      if (name === "and") return [{ all: list(value, name).map((one) => read(one, depth + 1)) }];
      if (name === "or") return [{ any: list(value, name).map((one) => read(one, depth + 1)) }];
      if (name === "not") return [{ not: read(value, depth + 1) }];
      const place = readPointer(name, roots);
      return comparisons(name, value).map(([operator, value]) => ({ place, operator, value }));
    });
    conditions += parts.filter((part) => "place" in part).length;
    if (conditions > MAX_CONDITIONS) throw new FilterError(`has more than ${MAX_CONDITIONS} conditions`);
    return parts.length === 1 && parts[0] ? parts[0] : { all: parts };
  };
  return read(given, 1);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function list(value: unknown, name: string): unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= MAX_CONDITIONS) return value;
  throw new FilterError(`"${name}" must be a list of 1 to ${MAX_CONDITIONS} filters`);
}

/** `{ op: value, … }`, or a plain value, which means equality. */
function comparisons(pointer: string, value: unknown): [Operator, unknown][] {
  if (!isObject(value)) return [["eq", value]];
  const given = Object.entries(value);
  if (given.length === 0) throw new FilterError(`"${pointer}" needs an operator: ${Object.keys(OPERATORS).join(", ")}`);
  return given.map(([name, value]) => {
    if (!Object.hasOwn(OPERATORS, name))
      throw new FilterError(`"${pointer}": unknown operator "${name}". Known: ${Object.keys(OPERATORS).join(", ")}`);
    const operator = name as Operator;
    if (!OPERATORS[operator].takes(value))
      throw new FilterError(`"${pointer}": ${name} takes ${OPERATORS[operator].what}`);
    return [operator, value];
  });
}

/** A comparison in SQL: `x` is the JSON value, null if absent; `v` names the value to compare. */
interface Comparison {
  takes(value: unknown): boolean;
  what: string;
  sql(x: string, v: (value: unknown, type: string) => string, value: unknown): string;
}

const order = (sign: string): Comparison => ({
  takes: (value) => typeof value === "number" || typeof value === "string",
  what: "a number or a text",
  // The branches of a case are not evaluated ahead, so a text is never cast to a number.
  sql: (x, v, value) =>
    typeof value === "number"
      ? `case when jsonb_typeof(${x}) = 'number' then (${x} #>> '{}')::numeric ${sign} ${v(String(value), "numeric")} else false end`
      : `case when jsonb_typeof(${x}) = 'string' then (${x} #>> '{}') collate "C" ${sign} ${v(value, "text")} else false end`,
});

const json = (value: unknown): string => JSON.stringify(value);
const equals: Comparison["sql"] = (x, v, value) => `coalesce(${x} = ${v(json(value), "jsonb")}, false)`;
const anything = { takes: () => true, what: "any JSON" };

/**
 * Plain values are compared while the list is read once; objects and lists are compared one by one, and only in a list
 * that has any.
 */
const among: Comparison["sql"] = (x, v, value) =>
  typeof value !== "object" || value === null
    ? `${x} @> ${v(json([value]), "jsonb")}`
    : `case when jsonb_array_length(${x}) > ${MAX_COMPARED} then null else
        ${x} @> '${Array.isArray(value) ? "[[]]" : "[{}]"}'
          and exists (select from jsonb_array_elements(${x}) as element(one) where one = ${v(json(value), "jsonb")}) end`;

/**
 * A substring search takes the product of both lengths at worst, while a regular expression without operators reads the
 * text once.
 */
const within = (x: string, v: Parameters["add"], value: string): string =>
  value.length <= 32 ? `position(${v(value, "text")} in ${x}) > 0` : `${x} collate "C" ~ ${v(`***=${value}`, "text")}`;

const OPERATORS = {
  eq: { ...anything, sql: equals },
  ne: { ...anything, sql: (x, v, value) => `not ${equals(x, v, value)}` },
  gt: order(">"),
  gte: order(">="),
  lt: order("<"),
  lte: order("<="),
  in: {
    takes: (value) => Array.isArray(value) && value.length > 0 && value.length <= MAX_VALUES,
    what: `a list of 1 to ${MAX_VALUES} values`,
    sql: (x, v, value) =>
      `exists (select from jsonb_array_elements(${v(json(value), "jsonb")}) as listed(one) where one = ${x})`,
  },
  exists: {
    takes: (value) => typeof value === "boolean",
    what: "true or false",
    sql: (x, v, value) => `(${x} is not null) = ${v(String(value), "boolean")}`,
  },
  prefix: {
    takes: (value) => typeof value === "string",
    what: "a text",
    sql: (x, v, value) =>
      `case when jsonb_typeof(${x}) = 'string' then starts_with(${x} #>> '{}', ${v(value, "text")}) else false end`,
  },
  contains: {
    takes: (value) => typeof value !== "string" || value.length <= MAX_SOUGHT,
    what: `any JSON, and a text of at most ${MAX_SOUGHT} characters`,
    sql: (x, v, value) =>
      `case jsonb_typeof(${x})
        when 'array' then ${among(x, v, value)}
        ${typeof value === "string" ? `when 'string' then ${within(`(${x} #>> '{}')`, v, value)}` : ""}
        else false end`,
  },
} satisfies Record<string, Comparison>;

/** Parameters of a statement under construction. */
export interface Parameters {
  values: unknown[];
  /** Adds a value; returns its placeholder, cast to a type. */
  add(value: unknown, type: string): string;
}

export function parameters(values: unknown[]): Parameters {
  return { values, add: (value, type) => `$${values.push(value)}::${type}` };
}

/** Elements that are compared one by one take as long as so many comparisons of the same size. */
const COMPARED_WEIGHT = 32;

/** Work that a filter makes for each document, in simple comparisons. */
export function weightOf(given: unknown): number {
  if (typeof given !== "object" || given === null) return 0;
  return Object.entries(given).reduce((sum, [name, value]) => {
    if (name === "and" || name === "or") return sum + [value].flat().reduce((all, one) => all + weightOf(one), 0);
    if (name === "not") return sum + weightOf(value);
    return sum + (isObject(value) ? comparisonsWeight(value) : 1);
  }, 0);
}

const comparisonsWeight = (given: Record<string, unknown>): number =>
  Object.entries(given).reduce((sum, [operator, value]) => {
    const isOneByOne = operator === "contains" && typeof value === "object" && value !== null;
    // guard: wallets: lists that are compared one by one make smaller slices | never | filter
    return sum + (isOneByOne ? COMPARED_WEIGHT : 1);
  }, 0);

/** A condition on a row of `document` and `meta`; null if it would compare too much. */
export function filterSql(filter: Filter, { add }: Parameters): string {
  const write = (part: Filter): string => {
    if ("all" in part) return part.all.length === 0 ? "true" : `(${part.all.map(write).join(" and ")})`;
    if ("any" in part) return `(${part.any.map(write).join(" or ")})`;
    if ("not" in part) return `not ${write(part.not)}`;
    const { sql }: Comparison = OPERATORS[part.operator];
    return `(${sql(placeSql(part.place, add), add, part.value)})`;
  };
  return write(filter);
}

/** Postgres takes these as array indexes, but in a JSON pointer they are names. */
const ODD_INDEX = /^(?!(?:0|[1-9]\d*)$)\s*[+-]?\d+$/;

export function placeSql({ root, steps }: Pointer, add: Parameters["add"]): string {
  let sql: string = COLUMNS[root];
  for (let from = 0; from < steps.length; ) {
    const odd = steps.findIndex((step, i) => i >= from && ODD_INDEX.test(step));
    const to = odd === -1 ? steps.length : odd;
    if (to > from) sql = `${sql} #> ${add(steps.slice(from, to), "text[]")}`;
    if (odd >= 0) sql = `${sql} -> ${add(steps[odd], "text")}`;
    from = odd >= 0 ? odd + 1 : to;
  }
  return `(${sql})`;
}

/** The value at a pointer in the JSON itself. */
export function valueAt(whole: Record<Root, unknown>, { root, steps }: Pointer): unknown {
  return steps.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined;
    return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }, whole[root]);
}
