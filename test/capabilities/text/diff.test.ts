import { expect, test } from "vitest";
import { textDiff } from "../../../src/capabilities/text/diff.js";

type Input = Parameters<typeof textDiff>[0];
const diff = async (input: Input) => (await textDiff(input)).items[0];

test("compares lines, and writes a unified diff that applies", async () => {
  const a = "one\ntwo\nthree\n";
  const found = await diff({ a, b: "one\n2\nthree\n" });
  expect(found).toEqual({
    parts: [
      { op: "equal", text: "one\n" },
      { op: "delete", text: "two\n" },
      { op: "insert", text: "2\n" },
      { op: "equal", text: "three\n" },
    ],
    unified: "--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    ...{ added: 1, removed: 1, similarity: 20 / 26, text: null, truncated: false, applied: null },
  });
  const patched = await diff({ operation: "apply", a, patch: found?.unified ?? "" });
  expect(patched).toMatchObject({ applied: true, text: "one\n2\nthree\n", added: 1, removed: 1 });
});

test.each<[NonNullable<Input["by"]>, string, string, string]>([
  ["word", "the quick fox", "the slow fox", "=the |-quick|+slow|= fox"],
  ["character", "abc", "adc", "=a|-b|+d|=c"],
  ["character", "👨‍👩‍👧a", "👨‍👩‍👦a", "-👨‍👩‍👧|+👨‍👩‍👦|=a"],
  ["character", "é", "e", "-é|+e"],
  ["line", "a", "a\n", "-a|+a\n"],
  ["line", "", "", ""],
])("by %s: %j and %j", async (by, a, b, expected) => {
  const { parts = [] } = (await diff({ a, b, by })) ?? {};
  expect(parts.map(({ op, text }) => ({ equal: "=", insert: "+", delete: "-" })[op] + text).join("|")).toBe(expected);
});

test("parts are both texts, and texts that share nothing end, by lines or as a whole", async () => {
  let seed = 1;
  const word = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return (seed % 1296).toString(36);
  };
  const text = () => Array.from({ length: 60_000 }, word).join(" ").slice(0, 150_000);
  const [a, b] = [text(), text()];
  const found = await diff({ a, b, by: "word" });
  const side = (op: string) =>
    found?.parts
      .filter((part) => part.op !== op)
      .map((part) => part.text)
      .join("");
  expect(found?.truncated).toBe(true);
  expect(side("insert") === a && side("delete") === b).toBe(true);
}, 15_000);

test("a patch that does not fit is an answer", async () => {
  const found = await diff({ operation: "apply", a: "q\n", patch: "@@ -1 +1 @@\n-x\n+y\n" });
  expect(found).toMatchObject({ applied: false, text: null });
});

test.each([
  ["adds beyond the end", "@@ -1000000000,0 +1,1 @@\n+x\n"],
  ["looks for a line from beyond the end", "@@ -1000000000000,1 +1,1 @@\n-y\n+x\n"],
])("a patch that %s fits nowhere, which costs no more than the text", async (_what, patch) => {
  expect(await diff({ operation: "apply", a: "x\n", patch })).toMatchObject({ applied: false, text: null });
});

test("a patch finds its lines when it says to stand beyond the end", async () => {
  const patch = "@@ -90,1 +90,1 @@\n-b\n+c\n";
  expect(await diff({ operation: "apply", a: "a\nb\nd\n", patch })).toMatchObject({ text: "a\nc\nd\n" });
});

test("a patch that nearly fits everywhere is refused when enough lines were compared", async () => {
  const patch = `@@ -1,2000 +1,1 @@\n${"-a\n".repeat(1_999)}-b\n+x\n`;
  await expect(diff({ operation: "apply", a: "a\n".repeat(50_000), patch })).rejects.toMatchObject({
    status: 400,
    issues: [{ path: "patch", message: expect.stringContaining("more than 3000000 were compared") }],
  });
});

test.each<[string, Input]>([
  ["b", { a: "" }],
  ["a", { a: "a".repeat(200_001), b: "" }],
  ["patch", { operation: "apply", a: "" }],
  ["patch", { operation: "apply", a: "", patch: "garbage" }],
  ["patch", { operation: "apply", a: "", patch: "@@ -1,5 +1 @@\n-x\n" }],
  ["context", { a: "", b: "", context: 21 }],
])("refuses %s", async (path, input) => {
  await expect(diff(input)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path }] });
});
