/** JSON schemas of callers: bounded, self-contained, and checked by interpretation, never by compiled code. */
import type { JsonSchema } from "./strict-schema.js";

const MAX_BYTES = 20_000;
const MAX_DEPTH = 10;
const MAX_NODES = 1000;
/** Maximum characters of a text pattern, because later costs are linear in it. */
const MAX_PATTERN = 200;

/** One sentence on why a schema cannot be used; undefined for a valid one. Linear in its size. */
export function faultOfSchema(schema: JsonSchema): string | undefined {
  if (schema.type !== "object") return 'must have "type": "object" at its top';
  if (JSON.stringify(schema).length > MAX_BYTES) return `must be at most ${MAX_BYTES} characters of JSON`;
  let nodes = 0;
  const visit = (value: unknown, depth: number): string | undefined => {
    if (typeof value !== "object" || value === null) return undefined;
    if (++nodes > MAX_NODES) return `must have at most ${MAX_NODES} parts`;
    if (depth > 2 * MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} levels deep`;
    for (const [name, inner] of Object.entries(value)) {
      const fault = faultOfKeyword(name, inner) ?? visit(inner, depth + 1);
      if (fault) return fault;
    }
    return undefined;
  };
  return visit(schema, 0);
}

function faultOfKeyword(name: string, value: unknown): string | undefined {
  if ((name === "$ref" || name === "$dynamicRef") && typeof value === "string" && !value.startsWith("#"))
    return "must not refer to other documents";
  if (name === "pattern" && typeof value === "string" && !isSimplePattern(value))
    return `has a pattern that is too long or could take too long to check: ${value.slice(0, 40)}`;
  if (name === "patternProperties" && typeof value === "object" && value !== null) {
    const fault = Object.keys(value).find((pattern) => !isSimplePattern(pattern));
    if (fault !== undefined)
      return `has a pattern that is too long or could take too long to check: ${fault.slice(0, 40)}`;
  }
  return undefined;
}

/**
 * Patterns that a backtracking engine matches in reasonable time: no repeated groups, no back references or
 * lookarounds, and at most two unbounded repetitions.
 */
function isSimplePattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  const bare = pattern.replace(/\\[^1-9k]/g, "x").replace(/\[\^?\]?[^\]]*\]/g, "x");
  if (/\\|\(\?[=!<]|\)[*+?{]/.test(bare)) return false;
  if ((bare.match(/[*+]|\{\d*,\}/g) ?? []).length > 2) return false;
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}
