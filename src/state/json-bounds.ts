/** What is said against JSON that somebody wants to keep: in one pass that ends at the first objection. */
import { isEarly, leave } from "../capability/later.js";
import { isKnownWide } from "../lib/json.js";
import { isStorableText, UNSTORABLE } from "./storable.js";

/** No deeper than a body may be that holds it. */
const MAX_DEPTH = 62;
/** Elements of lists and members of objects, all together. */
export const MAX_PARTS = 100_000;
/** What is smaller is judged in full whoever sends it, so that nobody pays to hear of a sign that cannot be kept. */
export const LIGHT_BYTES = 16 * 1024;

export interface Bounds {
  /** As it is written back, in UTF-8. */
  maxBytes: number;
  /** Whether a database compares what is in it, and so must be able to hold each text and name. */
  isSearched?: boolean;
}

/**
 * Before anybody has paid it is looked into as far as what is small reaches: of what is larger only the length of a list or
 * a text is known by then, and the rest is judged once a payment was verified, which an objection charges nothing.
 */
export function objectionTo(value: unknown, bounds: Bounds): string | undefined {
  if (!isEarly()) return objectionToAll(value, bounds);
  const objection = sizeUp(value, { ...bounds, enough: LIGHT_BYTES });
  if (objection === undefined) return objectionToAll(value, bounds);
  if (objection !== ENOUGH) return objection;
  leave();
  return undefined;
}

function objectionToAll(value: unknown, { maxBytes, isSearched = false }: Bounds): string | undefined {
  if (value === undefined) return "is required: any JSON";
  const objection = sizeUp(value, { maxBytes, isKept: isSearched ? isStorableText : undefined });
  if (objection) return objection;
  const json = JSON.stringify(value);
  if (json === undefined) return "must be JSON";
  return Buffer.byteLength(json) > maxBytes ? tooLarge(maxBytes) : undefined;
}

const tooLarge = (maxBytes: number) => `must be at most ${maxBytes} bytes of JSON`;

/** Said of what is larger than was to be looked into. */
const ENOUGH = "is large";

interface Sizing {
  maxBytes: number;
  isKept?: ((text: string) => boolean) | undefined;
  /** Of how many bytes there may be before it ends with ENOUGH. */
  enough?: number;
}

/** By the bytes that it has at least: what is known of lists and texts without looking into them. */
function sizeUp(whole: unknown, { maxBytes, isKept, enough = Number.POSITIVE_INFINITY }: Sizing): string | undefined {
  let parts = 0;
  let bytes = 0;
  const add = (more: number): string | undefined => {
    bytes += more;
    if (bytes > maxBytes) return tooLarge(maxBytes);
    return bytes > enough ? ENOUGH : undefined;
  };
  const judgeText = (text: string): string | undefined =>
    add(text.length + 2) ?? (isKept && !isKept(text) ? UNSTORABLE : undefined);
  const judge = (value: unknown, levels: number): string | undefined => {
    if (typeof value === "string") return judgeText(value);
    if (typeof value === "bigint") return "must be JSON";
    if (typeof value !== "object" || value === null) return undefined;
    if (levels === 0) return `must be JSON of at most ${MAX_DEPTH} levels`;
    const isList = Array.isArray(value);
    // The names of an object cost as much to count as to read.
    if (!isList && enough <= maxBytes && isKnownWide(value)) return ENOUGH;
    // How many there are is known before any of them is looked at.
    const names = isList ? undefined : Object.keys(value);
    const count = names?.length ?? (value as unknown[]).length;
    parts += count;
    if (parts > MAX_PARTS) return `must have at most ${MAX_PARTS} elements and members in all`;
    // A sign each, and what stands between them.
    if (!names) return add(2 * count) ?? first(value as unknown[], (inner) => judge(inner, levels - 1));
    const members = value as Record<string, unknown>;
    return first(names, (name) => {
      const inner = members[name];
      return inner === undefined ? undefined : (judgeText(name) ?? judge(inner, levels - 1));
    });
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
