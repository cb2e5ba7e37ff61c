import { describe, expect, it } from "vitest";
import { isSyllable } from "../../../scripts/generate-phrase-readings.mjs";
import { convertText } from "../../../src/engines/chinese/convert.js";
import { CHARACTER_READINGS, PHRASE_READINGS } from "../../../src/engines/chinese/phrase-readings.js";
import { readSyllables } from "../../../src/engines/chinese/pinyin.js";

const rowsOf = (table: string) =>
  table.split("\n").map((line) => {
    const [text = "", ...syllables] = line.split(" ");
    return { text, syllables };
  });

describe("the readings that are our own", () => {
  const phrases = rowsOf(PHRASE_READINGS);

  it("have no syllable that does not exist", () => {
    const all = [...phrases, ...rowsOf(CHARACTER_READINGS)];
    expect(phrases.length).toBeGreaterThan(4000);
    expect(all.flatMap(({ syllables }) => syllables.filter((one) => !isSyllable(one)))).toEqual([]);
  });

  it("have a syllable for each character, and each phrase once", () => {
    expect(phrases.filter(({ text, syllables }) => [...text].length !== syllables.length)).toEqual([]);
    expect(new Set(phrases.map(({ text }) => text)).size).toBe(phrases.length);
  });

  it("are what the text is read as", async () => {
    const read = await Promise.all(phrases.map(async ({ text }) => (await readSyllables(text, "symbol")).pinyin));
    const simplified = await Promise.all(
      phrases.map(async ({ text }) => (await convertText(text, "tw", "cn")) === text),
    );
    const otherwise = phrases.filter(({ syllables }, i) => simplified[i] && read[i] !== syllables.join(" "));
    expect(otherwise.map(({ text }) => text)).toEqual([]);
  });
});

it.each(["yiè", "mǒō", "chañg", "zhā1", "", "xx"])("%j is no syllable", (text) => {
  expect(isSyllable(text)).toBe(false);
});

describe("words that one list has wrongly", () => {
  it.each([
    ["为什么", "wèi shén me"],
    ["院长", "yuàn zhǎng"],
    ["审查", "shěn chá"],
    ["成家立业", "chéng jiā lì yè"],
    ["什么样的人", "shén me yàng de rén"],
    ["一丘之貉", "yì qiū zhī hé"],
    ["一刀切", "yì dāo qiē"],
    ["差不多", "chà bù duō"],
  ])("are read rightly: %s", async (text, expected) => {
    expect((await readSyllables(text, "symbol")).pinyin).toBe(expected);
  });
});

describe("words that older lists have wrongly", () => {
  it.each([
    ["释迦牟尼", "shì jiā móu ní"],
    ["釋迦牟尼", "shì jiā móu ní"],
    ["车行", "chē háng"],
    ["都柏林", "dū bó lín"],
    ["价格下调", "jià gé xià tiáo"],
    ["还款", "huán kuǎn"],
    ["洪都拉斯", "hóng dū lā sī"],
    ["乡长", "xiāng zhǎng"],
    ["乐句", "yuè jù"],
    ["重设", "chóng shè"],
    ["禁用", "jìn yòng"],
    ["故事", "gù shi"],
  ])("are read rightly: %s", async (text, expected) => {
    expect((await readSyllables(text, "symbol")).pinyin).toBe(expected);
  });
});

describe("characters that both scripts have, one of them otherwise", () => {
  it.each([
    ["显著", "xiǎn zhù"],
    ["顯著的進步", "xiǎn zhù de jìn bù"],
    ["原著", "yuán zhù"],
    ["土著人", "tǔ zhù rén"],
    ["著称于世", "zhù chēng yú shì"],
    ["看著我", "kàn zhe wǒ"],
    ["他帶著我", "tā dài zhe wǒ"],
    ["乾县", "qián xiàn"],
    ["幺麽小丑", "yāo mó xiǎo chǒu"],
  ])("are read after the script of the text: %s", async (text, expected) => {
    expect((await readSyllables(text, "symbol")).pinyin).toBe(expected);
  });
});

describe("neutral tones", () => {
  it.each([
    ["知识", "zhī shi"],
    ["丈夫", "zhàng fu"],
    ["收拾", "shōu shi"],
    ["这儿", "zhè er"],
    ["老头儿", "lǎo tóu er"],
    ["三个女儿", "sān gè nǚ ér"],
    ["孤儿院", "gū ér yuàn"],
  ])("are read where two lists have them, and not elsewhere: %s", async (text, expected) => {
    expect((await readSyllables(text, "symbol")).pinyin).toBe(expected);
  });
});

describe("a character whose phrase is in no list", () => {
  it.each([
    ["他咳得厉害", "咳", "ké"],
    ["王媛来了", "媛", "yuán"],
    ["喀什的天气", "什", "shí"],
  ])("has the reading that texts give it: %s", async (text, character, expected) => {
    const { syllables } = await readSyllables(text, "symbol");
    expect(syllables.find(({ char }) => char === character)?.pinyin).toBe(expected);
  });
});
