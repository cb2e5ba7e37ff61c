/** Comma-separated lists of known names. */
import { text } from "../../capability/fields.js";

/** Text that is a comma-separated list of `names`, in any case. Read it with `readList`. */
export function listField<Name extends string>(names: readonly Name[], maxLength: number) {
  return text(0, maxLength).refine((list) => readList(list, names) !== undefined, {
    message: `must be one or more of ${names.join(", ")}, divided by commas`,
  });
}

/** The members of a comma-separated list in the order of `names`; undefined when there are others. */
export function readList<Name extends string>(list: string, names: readonly Name[]): Name[] | undefined {
  const given = new Set(list.split(",").map((name) => name.trim().toLowerCase()));
  const known = names.filter((name) => given.has(name));
  return known.length === given.size ? known : undefined;
}
