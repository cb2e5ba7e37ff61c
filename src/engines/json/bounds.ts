/** Bounds of the JSON that engines read, checked without recursion: hostile values are nested deeper than the stack. */
import { measuredJson, UnreadJson } from "../../lib/text/unread-json.js";

export const MAX_DEPTH = 200;
export const MAX_NODES = 1_000_000;
const MAX_CHARACTERS = 3_000_000;

/**
 * The objection to a value that is too deep, too large or no JSON; undefined if there is none. What was counted when it came is not
 * counted again.
 */
export function jsonObjection(value: unknown): string | undefined {
  if (value instanceof UnreadJson) return tooMany(value.parts + 1, value.facts.characters);
  const stack: [value: unknown, depth: number][] = [[value, 0]];
  let [nodes, characters] = [0, 0];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [one, depth] = next;
    if (!isJson(one)) return "must be JSON";
    const known = isNested(one) ? measuredJson.get(one) : undefined;
    if (isNested(one) && !known && depth >= MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} levels deep`;
    nodes += known?.values ?? 1;
    characters += known?.characters ?? lengthOf(one, depth, stack);
    const objection = tooMany(nodes, characters);
    if (objection) return objection;
  }
  return undefined;
}

function tooMany(nodes: number, characters: number): string | undefined {
  if (nodes > MAX_NODES) return `must have at most ${MAX_NODES} values in all`;
  return characters > MAX_CHARACTERS ? `must have at most ${MAX_CHARACTERS} characters` : undefined;
}

const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

const isJson = (value: unknown): boolean =>
  isNested(value) ||
  value === null ||
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value));

function lengthOf(value: unknown, depth: number, stack: [unknown, number][]): number {
  if (isNested(value)) return pushMembers(value, depth + 1, stack);
  return typeof value === "string" ? value.length : 0;
}

/** Returns the length of the names. */
function pushMembers(value: object, depth: number, stack: [unknown, number][]): number {
  if (Array.isArray(value)) {
    for (const inner of value) stack.push([inner, depth]);
    return 0;
  }
  let length = 0;
  for (const [name, inner] of Object.entries(value)) {
    length += name.length;
    stack.push([inner, depth]);
  }
  return length;
}
