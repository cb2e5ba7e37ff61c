/** Which of the keys that all records have an answer had, and which it lacked. */
import type { SeenKeys } from "../../capability/types.js";
import type { CallInventory } from "./inventory.js";
import { objectsIn } from "./renamed.js";

export function seenIn(tree: unknown, { objects }: CallInventory, provider: string): SeenKeys {
  const [had, lacked]: [string[], string[]] = [[], []];
  for (const [path, found] of objectsIn(tree, objects))
    for (const [name, { steady }] of objects.get(path)?.read ?? []) {
      if (!steady) continue;
      const isThere = found.some((one) => Object.hasOwn(one, name));
      (isThere ? had : lacked).push(path === "" ? name : `${path}.${name}`);
    }
  return { provider, had, lacked };
}
