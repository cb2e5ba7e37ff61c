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

function isThere(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((inner) => isThere(inner, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value !== null && value !== undefined && value !== "";
  return typeof value === "object" && value !== null && isThere((value as Record<string, unknown>)[name], rest);
}
