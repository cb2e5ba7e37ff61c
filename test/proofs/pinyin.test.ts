/**
 * Readings of Chinese beside lists and sentences from outside, in the folder `PINYIN_LISTS` or `../shared/pinyin-lists`:
 * scripts/generate-phrase-readings.mjs says which, and under which licences. `test.sent` and `test.lb` of CPP
 * (github.com/kakaobrain/g2pM, commit 170526e, Apache-2.0) are only measured with.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  hasLists,
  LISTS,
  numbered,
  readList,
  readSentences,
  renderPhraseReadings,
  TABLE_PATH,
} from "../../scripts/generate-phrase-readings.mjs";
import { readSyllables } from "../../src/engines/chinese/pinyin.js";

const say = (text: string) => process.stdout.write(`${text}\n`);
const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
if (!hasLists()) say(`Skipped: the lists of readings are not in ${LISTS} (PINYIN_LISTS names another folder).`);

const withoutNeutral = (syllable: string) => {
  const text = numbered(syllable);
  return { letters: text.slice(0, -1), isNeutral: text.endsWith("5") };
};

describe.runIf(hasLists())("outside lists", () => {
  it("the committed readings are what the lists agree on", { timeout: 300_000 }, () => {
    expect(readFileSync(TABLE_PATH, "utf8")).toBe(renderPhraseReadings());
  });

  it("reads the words of CC-CEDICT", { timeout: 300_000 }, async () => {
    const counts = { words: 0, right: 0, lenient: 0 };
    for (const [word, readings] of readList("cc_cedict.txt")) {
      if (!/^\p{Script=Han}{2,}$/u.test(word)) continue;
      const read = (await readSyllables(word, "symbol")).syllables.map(({ pinyin }) => pinyin);
      if (!readings.some(({ length }) => length === read.length)) continue;
      const matches = (isSame: (one: string, other: string) => boolean) =>
        readings.some((reading) =>
          reading.every((one, at) => /[一不]/.test([...word][at] ?? "") || isSame(one, read[at] ?? "")),
        );
      counts.words++;
      if (matches((one, other) => one === other)) counts.right++;
      const isAlike = (one: string, other: string) => {
        const [a, b] = [withoutNeutral(one), withoutNeutral(other)];
        return one === other || (a.letters === b.letters && (a.isNeutral || b.isNeutral));
      };
      if (matches(isAlike)) counts.lenient++;
    }
    const { words, right, lenient } = counts;
    say(
      `CC-CEDICT: ${words} words, ${percent(right / words)} right, ${percent(lenient / words)} neutral tones set aside`,
    );
    expect(right / words).toBeGreaterThan(0.973);
    expect(lenient / words).toBeGreaterThan(0.983);
  });

  it("reads more than 93 % of the polyphones of CPP's test split", { timeout: 300_000 }, async () => {
    const sentences = readSentences("test");
    let right = 0;
    for (const { text, at, label } of sentences) {
      const { syllables } = await readSyllables(text, "symbol");
      // Of the characters before it those that are read, so that places can be compared.
      const before = (await readSyllables([...text].slice(0, at).join(""), "symbol")).syllables.length;
      if (numbered(syllables[before]?.pinyin ?? "") === label) right++;
    }
    say(`CPP: ${sentences.length} polyphones, ${percent(right / sentences.length)} right`);
    expect(right / sentences.length).toBeGreaterThan(0.93);
  });
});
