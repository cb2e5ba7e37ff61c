import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { textSimilarity } from "../../../src/capabilities/text/similarity.js";

type Input = Parameters<typeof textSimilarity>[0];
type Measure = NonNullable<Input["measures"]>[number];
const compare = async (input: Input) => (await textSimilarity(input)).items[0];

test("compares two texts by all measures", async () => {
  const found = await compare({ a: "Martha", b: "Marhta" });
  expect(found).toMatchObject({
    scores: { levenshtein: 2, "damerau-levenshtein": 1, hamming: 2, jaccard: 0, soundex: 1, metaphone: 0 },
    codes: { soundex: ["M630", "M630"] },
    normalized: ["martha", "marhta"],
  });
  expect(found?.scores["jaro-winkler"]).toBeCloseTo(0.961, 3);
});

test("words in another order, case and with accents are one set", async () => {
  const input = { a: "Müller, Jörg", b: "JORG MULLER jorg", measures: ["token-set", "jaccard"] } satisfies Input;
  await expect(compare(input)).resolves.toMatchObject({ scores: { "token-set": 1, jaccard: 0 } });
});

test("every row of jellyfish's tables of these measures", async () => {
  const file = readFileSync(new URL("../../suites/jellyfish.jsonl", import.meta.url), "utf8");
  const rows: [Measure, string, string, number?][] = file
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));
  expect(rows.length).toBe(139);
  const wrong: unknown[] = [];
  for (const [measure, a, b, score] of rows) {
    const found = await compare({ a, b: score === undefined ? "" : b, measures: [measure] });
    const isRight =
      score === undefined
        ? found?.codes[measure as "soundex"]?.[0] === b
        : Math.abs((found?.scores[measure] ?? Number.NaN) - score) < 0.001;
    if (!isRight) wrong.push([measure, a, b, score, found]);
  }
  expect(wrong).toEqual([]);
});

test("letters are code points, so that an emoji is one", async () => {
  await expect(compare({ a: "😀", b: "a", measures: ["levenshtein"] })).resolves.toMatchObject({
    scores: { levenshtein: 1 },
  });
});

test("texts of the largest size end", async () => {
  const measures: Measure[] = ["damerau-levenshtein"];
  const found = await compare({ a: "ab".repeat(2500), b: "ba".repeat(2500), measures });
  expect(found?.scores).toEqual({ "damerau-levenshtein": 2 });
});

test.each<[string, Partial<Input>]>([
  ["a", { a: "a".repeat(5001) }],
  ["measures", { measures: [] }],
])("refuses %s", async (path, input) => {
  await expect(compare({ a: "", b: "", ...input })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    issues: [{ path }],
  });
});
