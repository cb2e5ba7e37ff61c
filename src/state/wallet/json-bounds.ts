/** Checks JSON that is to be stored, in one pass that ends at the first objection. */
import { isEarly, leave } from "../../capability/later.js";
import { isKnownWide } from "../../lib/text/json.js";
import { UnreadJson } from "../../lib/text/unread-json.js";
import { isStorableText, UNSTORABLE } from "./storable.js";

/** No deeper than a request body with it may be. */
const MAX_DEPTH = 62;
/** Elements of lists and members of objects, in total. */
export const MAX_PARTS = 100_000;
/**
 * Smaller values are checked in full even before payment, so that nobody pays only to hear of a character that cannot
 * be stored.
 */
export const LIGHT_BYTES = 16 * 1024;

export interface Bounds {
  /** Size when serialized, in UTF-8. */
  maxBytes: number;
  /** Whether the database compares its content, so that each text and name must be storable. */
  isSearched?: boolean;
}

/**
 * Before payment only a small value is checked in full. Of a larger one only the lengths of lists and texts are
 * checked; the rest follows after the payment was verified, and an objection then charges nothing.
 */
export function boundsObjection(value: unknown, bounds: Bounds): string | undefined {
  if (value instanceof UnreadJson) return objectionToUnread(value, bounds);
  // guard: wallets: large values are judged once a payment was verified | always | heavy-values
  if (!isEarly()) return objectionToAll(value, bounds);
  const objection = sizeUp(value, { ...bounds, enough: LIGHT_BYTES });
  if (objection === undefined) return objectionToAll(value, bounds);
  if (objection !== ENOUGH) return objection;
  leave();
  return undefined;
}

/** Its size is all that is known. */
function objectionToUnread({ parts }: UnreadJson, { maxBytes }: Bounds): string | undefined {
  // guard: wallets: an unread value has so many elements and members | gone | heavy-values
  if (parts > MAX_PARTS) return TOO_MANY_PARTS;
  // One character for each, and the separators.
  if (2 * parts > maxBytes) return tooLarge(maxBytes);
  if (!isEarly()) throw new Error("what was to be kept has not been read");
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

const TOO_MANY_PARTS = `must have at most ${MAX_PARTS} elements and members in all`;

const tooLarge = (maxBytes: number) => `must be at most ${maxBytes} bytes of JSON`;

/** Marks a value that is larger than the part to check. */
const ENOUGH = "is large";

interface Sizing {
  maxBytes: number;
  isKept?: ((text: string) => boolean) | undefined;
  /** Number of bytes after which it stops with ENOUGH. */
  enough?: number;
}

/** A lower bound of the size, from the lengths of lists and texts without reading their content. */
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
  // Lengths are known before anything is read.
  const addParts = (count: number): string | undefined => {
    parts += count;
    // guard: wallets: values have so many elements and members | gone | json-bounds
    return parts > MAX_PARTS ? TOO_MANY_PARTS : undefined;
  };
  // One character for each element, and the separators.
  const judgeList = (list: unknown[], levels: number): string | undefined =>
    addParts(list.length) ?? add(2 * list.length) ?? first(list, (inner) => judge(inner, levels));
  const judgeObject = (members: Record<string, unknown>, levels: number): string | undefined => {
    // Counting the names of an object costs as much as reading them.
    // guard: wallets: names of a wide object are listed once a payment was verified | gone | heavy-values
    if (enough <= maxBytes && isKnownWide(members)) return ENOUGH;
    const names = Object.keys(members);
    const judgeMember = (name: string): string | undefined => {
      const inner = members[name];
      return inner === undefined ? undefined : (judgeText(name) ?? judge(inner, levels));
    };
    return addParts(names.length) ?? first(names, judgeMember);
  };
  const judge = (value: unknown, levels: number): string | undefined => {
    if (typeof value === "string") return judgeText(value);
    if (typeof value === "bigint") return "must be JSON";
    if (typeof value !== "object" || value === null) return undefined;
    if (levels === 0) return `must be JSON of at most ${MAX_DEPTH} levels`;
    if (Array.isArray(value)) return judgeList(value, levels - 1);
    return judgeObject(value as Record<string, unknown>, levels - 1);
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
