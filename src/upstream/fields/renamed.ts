/** Checks of objects for fields that an upstream renamed. */
import type { z } from "zod";

/** A check that an object contains each path, such as `design.type`, unless it is excused. */
export const reaching =
  (paths: readonly string[], isExcused: Excuse = () => false) =>
  ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    if (hasFields(value) && isExcused(value)) return;
    for (const path of paths) if (!reaches(value, path.split("."))) issues.push(missing(path, "is not there", value));
  };

/**
 * A check for an object with a closed set of fields: if an optional field is missing, an unknown field is probably the
 * same field under a new name.
 */
export const noneRenamed =
  (sometimes: readonly string[], others: readonly string[]) =>
  ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    if (!hasFields(value)) return;
    const known = new Set([...sometimes, ...others]);
    const strange = Object.keys(value).find((name) => !known.has(name));
    // guard: a field of a closed set that goes by another name is noticed | gone | upstream/fields
    if (strange !== undefined && sometimes.some((name) => !has(value, name)))
      issues.push({ code: "custom", message: "is unknown, beside one that is missing", input: value, path: [strange] });
  };

/** A check that an object has all of its names, and of each group all or none. */
export const having =
  (names: readonly string[], groups: readonly (readonly string[])[]) =>
  ({ value, issues }: z.core.ParsePayload<unknown>): void => {
    const begun = groups.filter((group) => group.some((name) => has(value, name)));
    // guard: an upstream's whole object has every field | [...names, ...begun.flat()] -> begun.flat() | upstream/fields
    // guard: fields of a group come together | [...names, ...begun.flat()] -> names | upstream/fields
    for (const name of [...names, ...begun.flat()])
      if (!has(value, name)) issues.push(missing(name, "is not there", value));
  };

/** The issue of a missing field. Where an inventory knows the answer's keys, it decides whether the field was renamed. */
export const missing = (path: string, message: string, input: unknown): z.core.$ZodRawIssue => ({
  ...{ code: "custom", message, input, path: [path] },
  params: { absent: path },
});

/** Whether an object may lack a field that others of its kind have. */
export type Excuse = (value: Record<string, unknown>) => boolean;

export const hasFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Whether the path exists, whatever its value. */
export function reaches(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return has(value, name) && (rest.length === 0 || reaches((value as Record<string, unknown> | null)?.[name], rest));
}

/** A value that is not an object is refused by the schema itself. */
const has = (value: unknown, name: string): boolean =>
  typeof value !== "object" || value === null || Object.hasOwn(value, name);
