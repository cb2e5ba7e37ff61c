import { expect, it } from "vitest";
import { nestingOf } from "../../src/lib/json.js";

it.each([
  ["[]", 1],
  ['{"a":[1,{"b":2}]}', 3],
  ['"[[[["', 0],
  ['{"a\\"[":1}', 1],
  ["[".repeat(1000), 1000],
])("nesting of %s is %d", (json, depth) => expect(nestingOf(json)).toBe(depth));
