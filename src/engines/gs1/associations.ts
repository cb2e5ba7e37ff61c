/** Elements that others need beside them, and those that may not stand beside them. */
import { matches, minLength } from "./dictionary.js";
import type { Element } from "./element.js";

export interface Association {
  ai: string;
  /** One of these is missing; "01+21" means both. */
  needs: string[];
  /** These stand in the data and may not. */
  excludes: string[];
}

/** Keys that a digital signature takes only with their serial part. */
const SIGNED_WITH_SERIAL = new Set(["253", "255", "8003"]);

/** An empty list where all companions are there. They may also stand in another code on the same item. */
export function associationsOf(elements: readonly Element[]): Association[] {
  const present = [...new Set(elements.map(({ entry }) => entry.ai))];
  const has = (pattern: string, self: string) => present.some((ai) => ai !== self && matches(pattern, ai));
  const found: Association[] = [];
  for (const ai of present) {
    const own = elements.filter(({ entry }) => entry.ai === ai);
    const [first] = own;
    if (!first) continue;
    const { needs, excludes } = first.entry;
    for (const groups of needs)
      if (!groups.some((group) => group.every((pattern) => has(pattern, ai))))
        found.push({ ai, needs: groups.map((group) => group.join("+")), excludes: [] });
    const serial = SIGNED_WITH_SERIAL.has(ai) && has("8030", ai) && first.value.length === minLength(first.entry);
    if (serial) found.push({ ai, needs: [`${ai} with its serial component`], excludes: [] });
    const others = present.filter((other) => other !== ai && excludes.some((pattern) => matches(pattern, other)));
    // The same identifier twice is one of several codes on an item, and must tell the same.
    if (own.some(({ value }) => value !== first.value)) others.push(ai);
    if (others.length > 0) found.push({ ai, needs: [], excludes: others });
  }
  return found;
}
