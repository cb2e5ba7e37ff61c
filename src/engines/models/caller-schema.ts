/** JSON schemas that callers send along: bounded, self-contained, and checked by interpretation, never by compiled code. */
import type { JsonSchema } from "./strict-schema.js";

const MAX_BYTES = 20_000;
const MAX_DEPTH = 10;
const MAX_NODES = 1000;
/** Of a text, in characters: what follows is linear in it. */
const MAX_PATTERN = 200;

/** One sentence on why a schema cannot be used; undefined where it can. Linear in its size. */
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
  if (name === "$id" || name === "$schema")
    return typeof value === "string" ? undefined : `has a ${name} that is no text`;
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
 * Patterns that a backtracking engine reads in reasonable time: no group is repeated, nothing refers back or looks
 * around, and at most two parts repeat without bound.
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
