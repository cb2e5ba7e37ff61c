/** Rows of upstreams' answers: what one record may lack, and what all of them may not. */
import { z } from "zod";
import { isAbsence } from "../inventory/absent.js";
import { leaveOut } from "./left-out.js";
import { type Excuse, hasFields, missing, reaches } from "./renamed.js";

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
    .check(reachedInOne(common, from, isExcused))
    .pipe(z.array(item));

/**
 * `sparseRows` of records that names tell apart, such as a `name` or an `id`. A record that lacks one is left out, as is one in
 * another form, and does not take the others with it; where most are so, the field was renamed, and the list is refused.
 *
 * @example
 * ```ts
 * identifiedRows(z.object({ name: z.string(), tvl: number() }), ["name"]).parse([{ name: "Aave" }, { name: "Lido" }, {}]).length; // 2
 * ```
 */
export const identifiedRows = <Item extends z.ZodType>(...given: RowRules<Item>) =>
  rowsInPlace(...given).transform((rows) => rows.filter((row) => row !== null));

type RowRules<Item> = [
  item: Item,
  names: readonly string[],
  common?: readonly string[],
  from?: number,
  isExcused?: Excuse,
];

/** `identifiedRows` with null in the place of a record that is left out, for lists whose length or order says something. */
export const rowsInPlace = <Item extends z.ZodType>(
  ...[item, names, common = [], from = SPARSE_FROM, isExcused = () => false]: RowRules<Item>
) => {
  const isIdentified = (row: unknown) => names.every((name) => isNamed(row, name.split(".")));
  return z
    .array(z.unknown())
    .check(namedInMost(names))
    .check(reachedInOne(common, from, isExcused))
    .transform((rows, { issues }) => {
      const odd: z.core.$ZodRawIssue[][] = [];
      let nameless = 0;
      const read = rows.map((row, at): z.output<Item> | null => {
        if (hasFields(row) && !isIdentified(row)) {
          nameless++;
          return null;
        }
        const { data, error } = item.safeParse(row);
        if (!error) return data;
        const found = placed(error, at, row);
        // Whether a missing field was renamed is for the inventory to say.
        if (isAbsence(error)) issues.push(...found);
        else odd.push(found);
        return null;
      });
      if (isMost(odd.length + nameless, rows)) issues.push(...(odd[0] ?? [inFew(names[0], rows)]));
      leaveOut(read.filter((row) => row === null).length);
      return read;
    });
};

/** The issues of a row, at its place in the list. */
const placed = ({ issues }: z.core.$ZodError, at: number, input: unknown) =>
  issues.map((issue) => ({ ...issue, input, path: [at, ...issue.path] }) as z.core.$ZodRawIssue);

const namedInMost =
  (names: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload<unknown[]>): void => {
    for (const name of names) {
      const nameless = value.filter((row) => hasFields(row) && !isNamed(row, name.split(".")));
      if (isMost(nameless.length, value)) issues.push(inFew(name, value));
    }
  };

const inFew = (name: string | undefined, input: unknown): z.core.$ZodRawIssue => ({
  ...{ code: "custom", message: "is in few of the rows", input, path: name === undefined ? [] : [name] },
});

const reachedInOne =
  (common: readonly string[], from: number, isExcused: Excuse) =>
  ({ value, issues }: z.core.ParsePayload<unknown[]>): void => {
    const rows = value.filter((row) => !(hasFields(row) && isExcused(row)));
    // guard: a field is in one of the rows at least | always | upstream/fields
    if (rows.length < Math.max(1, from)) return;
    for (const path of common)
      if (!rows.some((row) => reaches(row, path.split("."))))
        issues.push(missing(path, "is in none of the rows", rows));
  };

const isMost = (count: number, rows: readonly unknown[]) => count * 2 > rows.length;

/** For a list of all that there is: an empty one is an upstream's failure, not an answer. */
export const isFilled = (rows: readonly unknown[]): boolean => rows.length > 0;

/** Whether a text or a number stands at the path. */
function isNamed(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  return hasFields(value) && isNamed(value[name], rest);
}

/** From this many rows on, a field missing in all of them is not a coincidence. */
const SPARSE_FROM = 3;
