/** A guard whose code has moved is one that nobody takes away any more. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GUARDS } from "../scripts/guards.mjs";

describe("the list of guards", () => {
  test.each(GUARDS)("has the code of $name once in $file", ({ file, find, replace }) => {
    expect(readFileSync(file, "utf8").split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
  });

  test("names each guard once, and tests that are there", () => {
    expect(GUARDS.map(({ name }) => name)).toEqual([...new Set(GUARDS.map(({ name }) => name))]);
    expect(GUARDS.flatMap(({ tests }) => tests).filter((path) => !existsSync(path))).toEqual([]);
  });
});
