/** What an answer cannot be without: an upstream that renamed a field must not sell empty rows. */
import { CapabilityError } from "../errors.js";

/**
 * Each row has one of the facts at least, which are paths such as `baseToken.address`. Rejects with UPSTREAM_SCHEMA: a row
 * without any is what is left of an answer in another form.
 */
export const someOf =
  (...facts: readonly string[]) =>
  (result: unknown): void => {
    const { items } = result as { items: readonly unknown[] };
    const hasFacts = (item: unknown) => facts.some((fact) => isThere(item, fact.split(".")));
    if (items.every(hasFacts)) return;
    const message = `The upstream answered in a form that is not known: a row has none of ${facts.join(", ")}.`;
    throw new CapabilityError("UPSTREAM_SCHEMA", message);
  };

/**
 * For `meta`: which facts none of the rows has, where an upstream may leave them out of any row. So a fact that it left out of
 * all, as one that it renamed, is told apart from one that there is not. Each fact has a name for callers and its paths.
 * @example unavailableIn(items, { addresses: ["visitingAddress", "postalAddress"] })
 */
export function unavailableIn(items: readonly unknown[], facts: Record<string, readonly string[]>) {
  if (items.length === 0) return {};
  const unavailable = Object.entries(facts).flatMap(([name, paths]) =>
    paths.some((path) => isThere(items, path.split("."))) ? [] : [name],
  );
  return unavailable.length > 0 ? { unavailable } : {};
}

function isThere(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((inner) => isThere(inner, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value !== null && value !== undefined && value !== "";
  return typeof value === "object" && value !== null && isThere((value as Record<string, unknown>)[name], rest);
}
