/** What is said against JSON that somebody wants to keep: in one pass that ends at the first objection. */
import { isEarly, leave } from "../capability/later.js";
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
 * Before anybody has paid only the parts of a large value are counted: its texts are read, and it is written, afterwards.
 * Such an objection is heard by who has paid for nothing yet but whose payment was verified.
 */
export function objectionTo(value: unknown, bounds: Bounds): string | undefined {
  if (!isEarly()) return objectionToAll(value, bounds);
  const { objection, bytes } = sizeUp(value, bounds.maxBytes);
  if (objection) return objection;
  if (bytes <= LIGHT_BYTES) return objectionToAll(value, bounds);
  leave();
  return undefined;
}

function objectionToAll(value: unknown, { maxBytes, isSearched = false }: Bounds): string | undefined {
  if (value === undefined) return "is required: any JSON";
  const isKept = isSearched ? isStorableText : undefined;
  const { objection } = sizeUp(value, maxBytes, isKept);
  if (objection) return objection;
  const json = JSON.stringify(value);
  if (json === undefined) return "must be JSON";
  return Buffer.byteLength(json) > maxBytes ? tooLarge(maxBytes) : undefined;
}

const tooLarge = (maxBytes: number) => `must be at most ${maxBytes} bytes of JSON`;

/** How many bytes it has at least, by what is known of lists and texts without looking into them. */
function sizeUp(
  whole: unknown,
  maxBytes: number,
  isKept?: (text: string) => boolean,
): { objection?: string | undefined; bytes: number } {
  let parts = 0;
  let bytes = 0;
  const judgeText = (text: string): string | undefined => {
    bytes += text.length + 2;
    if (bytes > maxBytes) return tooLarge(maxBytes);
    return isKept && !isKept(text) ? UNSTORABLE : undefined;
  };
  const judge = (value: unknown, levels: number): string | undefined => {
    if (typeof value === "string") return judgeText(value);
    if (typeof value === "bigint") return "must be JSON";
    if (typeof value !== "object" || value === null) return undefined;
    if (levels === 0) return `must be JSON of at most ${MAX_DEPTH} levels`;
    // How many there are is known before any of them is looked at.
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const count = names?.length ?? (value as unknown[]).length;
    parts += count;
    if (parts > MAX_PARTS) return `must have at most ${MAX_PARTS} elements and members in all`;
    if (!names) {
      // A sign each, and what stands between them.
      bytes += 2 * count;
      if (bytes > maxBytes) return tooLarge(maxBytes);
      return first(value as unknown[], (inner) => judge(inner, levels - 1));
    }
    const members = value as Record<string, unknown>;
    return first(names, (name) => {
      const inner = members[name];
      return inner === undefined ? undefined : (judgeText(name) ?? judge(inner, levels - 1));
    });
  };
  return { objection: judge(whole, MAX_DEPTH), bytes };
}

function first<T>(list: readonly T[], objection: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = objection(one);
    if (found) return found;
  }
  return undefined;
}
