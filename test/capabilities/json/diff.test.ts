import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonDiff } from "../../../src/capabilities/json/index.js";
import { pathFromRoot } from "../../support/render-indexes.js";

type Input = Parameters<typeof jsonDiff>[0];
const ask = async (input: Input) => {
  const item = (await jsonDiff(input)).items[0];
  if (!item) throw new Error("no item");
  return item;
};
const refusal = (path: string, message: RegExp) => ({
  status: 400,
  issues: [{ path, message: expect.stringMatching(message) }],
});

describe("json.diff", () => {
  test("tells what changed, as a patch, a merge patch and a list", async () => {
    const document = { name: "Tea", price: 4, tags: ["hot"], old: true };
    const other = { name: "Tea", price: 5, tags: ["hot", "green"], size: { ml: 200 } };
    expect(await ask({ operation: "diff", document, other })).toEqual({
      equal: false,
      patch: [
        { op: "remove", path: "/old" },
        { op: "replace", path: "/price", value: 5 },
        { op: "add", path: "/tags/1", value: "green" },
        { op: "add", path: "/size", value: { ml: 200 } },
      ],
      mergePatch: { old: null, price: 5, tags: ["hot", "green"], size: { ml: 200 } },
      changes: [
        { path: "/old", kind: "removed", before: true, after: null },
        { path: "/price", kind: "changed", before: 4, after: 5 },
        { path: "/tags/1", kind: "added", before: null, after: "green" },
        { path: "/size", kind: "added", before: null, after: { ml: 200 } },
      ],
      result: null,
      roundTrip: true,
      reason: null,
    });
  });

  test("finds an element that was put in the middle of a list", async () => {
    const { patch } = await ask({ document: [1, 2, 3, 4], other: [1, 2, 9, 3, 4] });
    expect(patch).toEqual([{ op: "add", path: "/2", value: 9 }]);
  });

  test("matches rows by a key", async () => {
    const document = {
      rows: [
        { id: 1, n: "a" },
        { id: 2, n: "b" },
        { id: 3, n: "c" },
      ],
    };
    const other = {
      rows: [
        { id: 2, n: "B" },
        { id: 3, n: "c" },
        { id: 4, n: "d" },
      ],
    };
    const { changes, patch, roundTrip } = await ask({ document, other, arrayKey: "id" });
    expect(changes).toEqual([
      { path: "/rows/0", kind: "removed", before: { id: 1, n: "a" }, after: null },
      { path: "/rows/0/n", kind: "changed", before: "b", after: "B" },
      { path: "/rows/2", kind: "added", before: null, after: { id: 4, n: "d" } },
    ]);
    expect(patch).toHaveLength(3);
    expect(roundTrip).toBe(true);
  });

  test("has no merge patch where the other has a null", async () => {
    expect((await ask({ document: { a: 1 }, other: { a: null } })).mergePatch).toBeNull();
    expect((await ask({ document: { a: 1 }, other: { b: { c: null } } })).mergePatch).toBeNull();
    expect((await ask({ document: { a: 1 }, other: { a: [null] } })).mergePatch).toEqual({ a: [null] });
  });

  test("gives patches that lead from any document to any other, and leaves the document alone", async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(value, value, async (document, other) => {
        const before = JSON.stringify(document);
        const item = await ask({ document, other });
        expect(item.roundTrip).toBe(true);
        expect(JSON.stringify(document)).toBe(before);
        const { result } = await ask({ operation: "apply", document, patch: item.patch });
        expect(JSON.parse(JSON.stringify(result))).toEqual(JSON.parse(JSON.stringify(other)));
        if (item.mergePatch === null) return;
        const merged = await ask({ operation: "merge", document, patch: item.mergePatch });
        expect((await ask({ operation: "test", document: merged.result, other })).equal).toBe(true);
      }),
      { numRuns: 100, seed: 29 },
    );
  });

  test("treats __proto__ as a name like any other", async () => {
    const document = JSON.parse('{"__proto__": {"a": 1}}');
    const other = JSON.parse('{"__proto__": {"a": 2}, "constructor": 1}');
    const { patch } = await ask({ document, other });
    expect(patch).toEqual([
      { op: "replace", path: "/__proto__/a", value: 2 },
      { op: "add", path: "/constructor", value: 1 },
    ]);
    const { result } = await ask({
      operation: "apply",
      document: {},
      patch: [{ op: "add", path: "/__proto__", value: 1 }],
    });
    expect(Object.keys(result as object)).toEqual(["__proto__"]);
    expect(
      await ask({ operation: "test", document: {}, patch: [{ op: "test", path: "/toString", value: 1 }] }),
    ).toMatchObject({ equal: false });
    expect({}).not.toHaveProperty("a");
  });

  test("a test that does not hold is an answer with a reason", async () => {
    const patch = [{ op: "test", path: "/a", value: 2 }];
    expect(await ask({ operation: "test", document: { a: 1 }, patch })).toMatchObject({
      equal: false,
      reason: 'operation 0: the value at "/a" is another',
    });
    expect(await ask({ operation: "test", document: { a: 2 }, patch })).toMatchObject({ equal: true, reason: null });
    expect(await ask({ operation: "test", document: [1], other: [1] })).toMatchObject({ equal: true });
  });

  test.each<[Input, string, RegExp]>([
    [{ operation: "diff", document: 1 }, "other", /required for the operation diff/],
    [{ operation: "apply", document: 1 }, "patch", /required for the operation apply/],
    [{ operation: "apply", document: 1, patch: {} }, "patch", /list of operations/],
    [{ operation: "apply", document: 1, patch: [{ op: "spam", path: "" }] }, "patch", /op must be one of/],
    [{ operation: "apply", document: {}, patch: [{ op: "remove", path: "/a" }] }, "patch", /nothing at "\/a"/],
    [{ operation: "apply", document: {}, patch: [{ op: "add", path: "a", value: 1 }] }, "patch", /JSON Pointer/],
    [{ operation: "test", document: {}, patch: [{ op: "add", path: "/a" }] }, "patch", /needs a value/],
    [
      { operation: "apply", document: { a: {} }, patch: [{ op: "move", from: "/a", path: "/a/b" }] },
      "patch",
      /into itself/,
    ],
    [{ operation: "diff", other: 1 } as Input, "document", /required/],
  ])("refuses %j", async (input, path, message) => {
    await expect(ask(input)).rejects.toMatchObject(refusal(path, message));
  });

  test("refuses what is nested too deeply, or grows too large", async () => {
    let deep: unknown = 1;
    for (let i = 0; i < 50_000; i++) deep = [deep];
    await expect(ask({ document: deep, other: 1 })).rejects.toMatchObject(refusal("document", /200 levels/));
    const patch = Array.from({ length: 40 }, (_, i) => ({ op: "copy", from: "", path: `/${i}` }));
    await expect(ask({ operation: "apply", document: {}, patch })).rejects.toMatchObject({
      status: 400,
      issues: [{ path: "patch" }],
    });
  });
});

interface PatchCase {
  comment?: string;
  doc: unknown;
  patch: { op?: string }[];
  expected?: unknown;
  error?: string;
  disabled?: boolean;
}

describe.each(["tests", "spec_tests"])("%s of json-patch-tests", (file) => {
  const all: PatchCase[] = JSON.parse(readFileSync(pathFromRoot(`test/suites/json-patch/${file}.json`), "utf8"));
  const cases = all.filter(({ disabled, patch }) => !disabled && patch);
  test(`all ${cases.length}`, async () => {
    for (const { doc, patch, expected, error, comment } of cases) {
      const asked = ask({ operation: "apply", document: doc, patch });
      if (error !== undefined) await expect(asked, comment ?? error).rejects.toMatchObject({ status: 400 });
      else expect((await asked).result, comment ?? JSON.stringify(patch)).toEqual(expected ?? doc);
    }
    expect(cases.length).toBeGreaterThan(15);
  });
});

test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("RFC 7396, appendix A: %j merged with %j", async (document, patch, result) => {
  expect((await ask({ operation: "merge", document, patch })).result).toEqual(result);
});
