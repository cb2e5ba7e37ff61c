import { expect, it } from "vitest";
import { shapeOf } from "../../src/lib/json.js";

it.each([
  ["[]", 1],
  ['{"a":[1,{"b":2}]}', 3],
  ['"[[[["', 0],
  ['{"a\\"[":1}', 1],
  ['{"a\\\\":[1]}', 2],
  ['"never ends [[[', 0],
  ["[".repeat(1000), 1000],
])("nesting of %s is %d", (json, depth) => expect(shapeOf(json).depth).toBe(depth));

it.each([
  ['{"a":1,"b":{"c":[{"d":":"}]}}', 4],
  ['{":":"\\":{"}', 1],
  ["[1,2,3]", 0],
])("%s has %d members", (json, members) => expect(shapeOf(json).members).toBe(members));

it.each([
  ["[1,true,false,null,12.5,-3]", false],
  ['["1e999","9e9"]', false],
  ["1e999", true],
  ["[-1.5E+400]", true],
  ["9".repeat(309), true],
  ["9".repeat(308), false],
])("%s may be beyond a number's range: %s", (json, mayOverflow) => expect(shapeOf(json).mayOverflow).toBe(mayOverflow));
