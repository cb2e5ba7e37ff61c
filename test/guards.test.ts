/** A mark that says what is not so is a guard that nobody takes away any more. */
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { GUARDS } from "../scripts/guards/guards.mjs";
import { readMarks } from "../scripts/guards/marks.mjs";
import { withoutGuard } from "../scripts/guards/removals.mjs";
import { GROUPS, testsOf } from "../scripts/guards/tests.mjs";

describe("marks of guards", () => {
  test.each(GUARDS)("$file: $name", ({ bare, removed, testPaths }) => {
    const source = removed();
    expect(source).not.toBe(bare);
    expect(testPaths()).not.toEqual([]);
    // Code that cannot be read fails every test, and so proves none.
    expect(() => transformSync(source, { loader: "ts" })).not.toThrow();
  });

  test("are hundreds, and each has a name of its own", () => {
    expect(GUARDS.length).toBeGreaterThan(500);
    expect(GUARDS.map(({ name }) => name)).toEqual([...new Set(GUARDS.map(({ name }) => name))]);
  });

  test("name groups of tests that are there", () => {
    expect(Object.keys(GROUPS).map((name) => testsOf([name]).length)).not.toContain(0);
  });
});

/** The source under a mark, without its guard. */
function removedFrom(removal: string, ...code: string[]): string {
  const { bare, marks } = readMarks([`// guard: a name | ${removal} | guards`, ...code].join("\n"));
  return marks.map((mark) => withoutGuard(bare, mark)).join();
}

describe("a mark", () => {
  test("may be long, and stand on others", () => {
    const { bare, marks } = readMarks(
      "a();\n  // guard: one: this |\n  //   b -> c | guards --channels\n  // guard: two | gone | guards tests\n  // Why.\n  b();\n",
    );
    expect(bare).toBe("a();\n  // Why.\n  b();\n");
    expect(marks).toEqual([
      { name: "one: this", removal: "b -> c", tests: ["guards"], simulator: ["--channels"], at: 5 },
      { name: "two", removal: "gone", tests: ["guards", "tests"], simulator: [], at: 5 },
    ]);
  });

  test.each(["// guard: a name", "// guard: a name | guards"])("without all its parts is refused: %s", (mark) => {
    expect(() => readMarks(mark)).toThrow("a mark has a name");
  });

  test("needs tests that are there, by a name that one file has", () => {
    expect(testsOf(["guards"])).toEqual(["test/guards.test.ts"]);
    expect(() => testsOf(["no-such-test"])).toThrow("0 files");
    expect(() => testsOf(["payment"])).toThrow(/^[2-9] files/);
  });
});

describe("a removal", () => {
  test.each([
    ["gone", "if (a) throw b;\nc();", ";\nc();"],
    ["gone", "/** Why. */\nconst a = 1;", "/** Why. */\n;"],
    ["never", "if (a) b();\nelse c();", "if (false) b();\nelse c();"],
    ["always", "const x = a ? b : c;", "const x = true ? b : c;"],
    ["= 1", "const x = a + b;", "const x = 1;"],
    ["= 1", "x.y ||= a;", "x.y ||= 1;"],
    ["returns true", "const is = (a) => a > 1;", "const is = (a) => true;"],
    ["returns 1", "return a.b;", "return 1;"],
    ["without retry", "await retry(() => a(b), { c });", "await a(b);"],
    ["without Math.min", "const x = Math.min(a, b);", "const x = a;"],
    ["- + b", "const x = a + b;", "const x = a ;"],
    ["a b -> c", "x`a\n  b`;", "x`c`;"],
  ])("is made by: %s", (removal, code, without) => {
    expect(removedFrom(removal, code)).toBe(without);
  });

  test("of an element takes its comma along", () => {
    const { bare, marks } = readMarks("const x = [\n  // guard: a | gone | guards\n  b,\n  c,\n];");
    expect(marks.map((mark) => withoutGuard(bare, mark))).toEqual(["const x = [\n  \n  c,\n];"]);
  });

  test.each([
    ["b -> c", "a();\nb();", "0 times"],
    ["a -> c", "a(a);", "2 times"],
    ["never", "a();", "0 conditions"],
    ["always", "x(a ? b : c, d ? e : f);", "2 conditions"],
    ["= 1", "a();", "nothing of this kind"],
    ["returns 1", "a(() => b, () => c);", "2 results"],
    ["without b", "a();", "0 calls of b"],
    ["vanished", "a();", "no removal is called"],
    ["gone", "", "no code begins"],
  ])("that does not fit once is refused: %s over %s", (removal, code, why) => {
    expect(() => removedFrom(removal, code)).toThrow(why);
  });
});
