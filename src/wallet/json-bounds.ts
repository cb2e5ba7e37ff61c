/** What is said against JSON that somebody wants to keep: in one pass that ends at the first objection, since nobody has paid yet. */
import { isStorableText, UNSTORABLE } from "./storable.js";

/** No deeper than a body may be that holds it. */
const MAX_DEPTH = 62;
/** Elements of lists and members of objects, all together. */
export const MAX_PARTS = 100_000;

export interface Bounds {
  /** As it is written back, in UTF-8. */
  maxBytes: number;
  /** Whether a database compares what is in it, and so must be able to hold each text and name. */
  isSearched?: boolean;
}

export function objectionTo(value: unknown, { maxBytes, isSearched = false }: Bounds): string | undefined {
  if (value === undefined) return "is required: any JSON";
  const objection = objectionToParts(value, isSearched);
  if (objection) return objection;
  const json = JSON.stringify(value);
  if (json === undefined) return "must be JSON";
  return Buffer.byteLength(json) > maxBytes ? `must be at most ${maxBytes} bytes of JSON` : undefined;
}

function objectionToParts(whole: unknown, isSearched: boolean): string | undefined {
  let parts = 0;
  const judge = (value: unknown, levels: number): string | undefined => {
    if (typeof value === "string") return isSearched && !isStorableText(value) ? UNSTORABLE : undefined;
    if (typeof value === "bigint") return "must be JSON";
    if (typeof value !== "object" || value === null) return undefined;
    if (levels === 0) return `must be JSON of at most ${MAX_DEPTH} levels`;
    // How many there are is known before any of them is looked at.
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    parts += names?.length ?? (value as unknown[]).length;
    if (parts > MAX_PARTS) return `must have at most ${MAX_PARTS} elements and members in all`;
    if (!names) return first(value as unknown[], (inner) => judge(inner, levels - 1));
    return first(names, (name) =>
      isSearched && !isStorableText(name) ? UNSTORABLE : judge((value as Record<string, unknown>)[name], levels - 1),
    );
  };
  return judge(whole, MAX_DEPTH);
}

function first<T>(list: readonly T[], objection: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = objection(one);
    if (found) return found;
  }
  return undefined;
}
