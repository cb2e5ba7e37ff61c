/** Bounds of the JSON that engines read, checked without recursion: hostile values are nested deeper than the stack. */

export const MAX_DEPTH = 200;
export const MAX_NODES = 1_000_000;
const MAX_CHARACTERS = 3_000_000;

/** The objection to a value that is too deep, too large or no JSON; undefined if there is none. */
export function objectionTo(value: unknown): string | undefined {
  const stack: [value: unknown, depth: number][] = [[value, 0]];
  let [nodes, characters] = [0, 0];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [one, depth] = next;
    if (++nodes > MAX_NODES) return `must have at most ${MAX_NODES} values in all`;
    if (typeof one === "string") characters += one.length;
    else if (typeof one === "object" && one !== null) {
      if (depth >= MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} levels deep`;
      characters += pushMembers(one, depth + 1, stack);
    } else if (!isPlain(one)) return "must be JSON";
    if (characters > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  }
  return undefined;
}

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

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
