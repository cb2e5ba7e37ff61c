import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { phraseList, renderPhraseReadings, TABLE_PATH } from "../../../scripts/generate-phrase-readings.mjs";
import { convertText } from "../../../src/engines/chinese/convert.js";
import { readText } from "../../../src/engines/chinese/pinyin.js";

it("the committed readings are what the dictionaries give", () => {
  expect(readFileSync(TABLE_PATH, "utf8")).toBe(renderPhraseReadings());
});

/** 一 and 不 sound by what follows, which the dictionary shows in some phrases only. */
const soundsByNeighbour = (character = "") => /[一不]/.test(character);

describe("the phrase list of npm pinyin", () => {
  const phrases = phraseList();

  async function share(textOf: (phrase: string) => Promise<string>): Promise<number> {
    let [right, all] = [0, 0];
    for (const [phrase, expected] of phrases) {
      const { syllables } = await readText(await textOf(phrase), "symbol");
      for (const [index, syllable] of expected.entries()) {
        if (soundsByNeighbour([...phrase][index])) continue;
        all++;
        if (syllables[index]?.pinyin === syllable) right++;
      }
    }
    expect(all).toBeGreaterThan(120_000);
    return right / all;
  }

  it("is read rightly in simplified characters", async () => {
    expect(await share(async (phrase) => phrase)).toBeGreaterThan(0.995);
  });

  it("is read rightly in traditional characters", async () => {
    expect(await share((phrase) => convertText(phrase, "cn", "tw"))).toBeGreaterThan(0.995);
  }, 30_000);
});
