import type { Check } from "../../src/lib/options/check.js";

/** Every option that a check knows, by its path: `payment.channels.signer`. */
export function pathsOf({ members = {} }: Pick<Check, "members">): string[] {
  return Object.entries(members).flatMap(([name, check]) => [
    name,
    ...pathsOf(check).map((inner) => `${name}.${inner}`),
  ]);
}
