import { expect, test } from "vitest";
import { deepFreeze } from "../../src/lib/deep-freeze.js";

test("objects and arrays are frozen to their ends; bytes, maps and instances are left as they are", () => {
  class Index {
    rows = [1];
  }
  const value = {
    list: [{ name: "a" }],
    bytes: new Uint8Array(2),
    map: new Map([["a", 1]]),
    index: new Index(),
    none: null,
  };
  expect(deepFreeze(value)).toBe(value);
  expect([value, value.list, value.list[0]].every(Object.isFrozen)).toBe(true);
  value.bytes[0] = 7;
  value.index.rows.push(2);
  expect([value.bytes[0], value.index.rows]).toEqual([7, [1, 2]]);
  for (const plain of [undefined, null, "text", 7]) expect(deepFreeze(plain)).toBe(plain);
});

test("depth and circles are no matter", () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(Object.isFrozen(deepFreeze(circle))).toBe(true);
  let deep: unknown = "end";
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(Object.isFrozen(deepFreeze(deep))).toBe(true);
});
