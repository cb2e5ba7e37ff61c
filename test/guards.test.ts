/** A guard whose code has moved is one that nobody takes away any more. */
import { existsSync, readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { GUARDS } from "../scripts/guards.mjs";

describe("the list of guards", () => {
  test.each(GUARDS)("has the code of $name once in $file", ({ file, find, replace }) => {
    const source = readFileSync(file, "utf8");
    expect(source.split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
    // Code that cannot be read fails every test, and so proves none.
    expect(() =>
      transformSync(
        source.replace(find, () => replace),
        { loader: "ts" },
      ),
    ).not.toThrow();
  });

  test("names each guard once, and tests that are there", () => {
    expect(GUARDS.map(({ name }) => name)).toEqual([...new Set(GUARDS.map(({ name }) => name))]);
    expect(GUARDS.flatMap(({ tests }) => tests).filter((path) => !existsSync(path))).toEqual([]);
  });
});
