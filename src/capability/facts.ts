/** Facts that an answer must have: an upstream that renamed a field must not sell empty rows. */
import { CapabilityError } from "../errors.js";

/**
 * Requires one fact at least in each row; facts are paths such as `baseToken.address`. Throws UPSTREAM_SCHEMA
 * otherwise, because a row without any fact means that the upstream changed its format.
 */
export const someOf =
  (...facts: readonly string[]) =>
  (result: unknown): void => {
    const { items } = result as { items: readonly unknown[] };
    const hasFacts = (item: unknown) => facts.some((fact) => isThere(item, fact.split(".")));
    if (items.every(hasFacts)) return;
    const message = `The upstream answered in an unknown format: a row has none of ${facts.join(", ")}.`;
    throw new CapabilityError("UPSTREAM_SCHEMA", message);
  };

/**
 * Lists, for `meta`, the facts that no row has although the upstream may omit them from single rows. It tells callers
 * that a fact was not delivered, which differs from a fact that does not exist. Each fact has a name for callers and
 * its paths.
 *
 * @example
 * ```ts
 * unavailableIn(items, { addresses: ["visitingAddress", "postalAddress"] });
 * ```
 */
export function unavailableIn(items: readonly unknown[], facts: Record<string, readonly string[]>) {
  if (items.length === 0) return {};
  const unavailable = Object.entries(facts).flatMap(([name, paths]) =>
    paths.some((path) => isThere(items, path.split("."))) ? [] : [name],
  );
  // guard: a fact that no row came with is told | never | capability/facts
  return unavailable.length > 0 ? { unavailable } : {};
}

function isThere(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((inner) => isThere(inner, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value !== null && value !== undefined && value !== "";
  return typeof value === "object" && value !== null && isThere((value as Record<string, unknown>)[name], rest);
}
