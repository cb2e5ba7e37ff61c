/** Gives records the fields that they lack, as null, where an inventory says that none of them was renamed. */
import type { z } from "zod";

/** The field that an issue of the vocabulary misses: a path below the place of the issue; undefined for other issues. */
const absentIn = (issue: z.core.$ZodIssue): string[] | undefined => {
  const { absent } = ((issue as { params?: unknown }).params ?? {}) as { absent?: string };
  return absent?.split(".");
};

/** Whether a value is refused for missing fields alone. */
export const isAbsence = ({ issues }: z.core.$ZodError): boolean =>
  issues.length > 0 && issues.every((issue) => absentIn(issue) !== undefined);

/** The value with null for each field that it was refused for. Changes it in place: nobody else has seen it. */
export function withNulls(value: unknown, { issues }: z.core.$ZodError): unknown {
  for (const issue of issues) {
    const absent = absentIn(issue);
    if (absent) fill(at(value, issue.path.slice(0, -1)), absent);
  }
  return value;
}

type Place = Record<PropertyKey, unknown>;

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((inner: unknown, name) => (inner as Place | null | undefined)?.[name], value);

/** Of rows that all lack a field, each gets it. */
function fill(value: unknown, [name = "", ...rest]: readonly string[]): void {
  if (Array.isArray(value)) {
    for (const row of value) fill(row, [name, ...rest]);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const place = value as Place;
  if (rest.length === 0) {
    if (!Object.hasOwn(place, name)) place[name] = null;
  } else if (place[name] == null) {
    // An object that is absent has no parts.
    place[name] = null;
  } else fill(place[name], rest);
}
