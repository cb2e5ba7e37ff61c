import { describe, expect, test } from "vitest";
import { devRegexTest } from "../../../src/capabilities/dev/regex-test.js";

type Input = Parameters<typeof devRegexTest>[0];
const run = async (input: Input) => (await devRegexTest(input)).items[0];

test("lists matches with groups, and replaces them", async () => {
  const input = { pattern: "(?P<year>\\d{4})-(\\d+)?", text: "a 2026-05, 2027-", replace: "[$2/$<year>/$&/$$]" };
  await expect(run(input)).resolves.toMatchObject({
    supported: true,
    linear: true,
    count: 2,
    matches: [
      { text: "2026-05", start: 2, end: 9, groups: ["2026", "05"], named: { year: "2026" } },
      { text: "2027-", groups: ["2027", null] },
    ],
    result: "a [05/2026/2026-05/$], [/2027/2027-/$]",
  });
});

// Pairs of google/re2 972a15c, re2/testing/search_test.cc (BSD-3-Clause), with the first match.
test.each([
  ["(a+|b)+", "ab", [0, 2]],
  ["ab|cd", "xabcdx", [1, 3]],
  ["h.*od?", "hello\ngoodbye\n", [0, 5]],
  ["a*b", "cab", [1, 3]],
  ["(fo|foo)", "fo", [0, 2]],
  ["(foo|fo)", "foo", [0, 3]],
  ["ABC", "abc", null],
  ["(foo|bar|[A-Z])$", "foo\n", null],
  ["^(fo|foo)$", "foo", [0, 3]],
  ["^^$$", "", [0, 0]],
  ["\\bfoo\\b", "nofoo foo that", [6, 9]],
  ["\\Bfoo\\B", "n foo xfoox that", [7, 10]],
  ["\\b\\b", "", null],
])("%s in %j", async (pattern, text, first) => {
  const { matches = [] } = (await run({ pattern, text })) ?? {};
  expect(matches[0] ? [matches[0].start, matches[0].end] : null).toEqual(first);
});

test.each([
  ["(?=a)b", "look-around"],
  ["(a)\\1", "back references"],
  ["(?>a)", "atomic groups"],
])("%s is not supported", async (pattern, reason) => {
  const found = await run({ pattern, text: "a" });
  expect(found).toMatchObject({ supported: false, matches: [] });
  expect(found?.reason).toContain(reason);
});

test.each([
  ["^(a+)+$", true],
  ["(a|aa)+$", true],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", true],
  ["\\d+\\d+x", true],
  ["(\\w+\\s?)*$", true],
  ["(a+b)+", false],
  ["^[a-z]+@[a-z]+\\.com$", false],
  ["(ab|cd)+", false],
])("the risk of %s elsewhere: %s", async (pattern, risk) => {
  await expect(run({ pattern, text: "" })).resolves.toMatchObject({ risk });
});

test("flags are those of JavaScript, and so are escapes", async () => {
  await expect(run({ pattern: "^b$", flags: "gim", text: "a\nB" })).resolves.toMatchObject({ count: 1 });
  await expect(run({ pattern: "\\u0061", text: "a" })).resolves.toMatchObject({ count: 1 });
});

test("more matches than are asked for are counted", async () => {
  const found = await run({ pattern: "a", text: "aaaa", limit: 2 });
  expect(found).toMatchObject({ count: 4, matches: [{}, {}] });
});

test("a hundred thousand characters that make others hang", async () => {
  await expect(run({ pattern: "^(a+)+$", text: `${"a".repeat(99_999)}!` })).resolves.toMatchObject({ count: 0 });
  await expect(run({ pattern: "(x+x+)+y", text: "x".repeat(100_000) })).resolves.toMatchObject({ count: 0 });
});

describe("refusals", () => {
  test.each<[string, Partial<Input>]>([
    ["pattern", { pattern: "(" }],
    ["pattern", { pattern: "a{1001}" }],
    ["pattern", { pattern: "(a{100}){100}" }],
    ["pattern", { pattern: "a".repeat(1001) }],
    ["flags", { flags: "x" }],
    ["flags", { flags: "ii" }],
    ["text", { text: "a".repeat(100_001) }],
    ["limit", { limit: 1001 }],
    ["replace", { text: "a".repeat(100_000), replace: "x".repeat(1000) }],
  ])("names %s", async (path, input) => {
    await expect(run({ pattern: "a", text: "a", ...input })).rejects.toMatchObject({ status: 400, issues: [{ path }] });
  });
});
