import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../../src/engines/names/edit-distance.js";
import { Vocabulary } from "../../../src/engines/names/vocabulary.js";
import { createPacer } from "../../../src/lib/pacer.js";

const build = (words: string[]) => Vocabulary.build(words, createPacer());
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** One letter changed, added, removed or swapped with the next. */
function slips(word: string): string[] {
  return [...word].flatMap((letter, i) => [
    `${word.slice(0, i)}q${word.slice(i + 1)}`,
    `${word.slice(0, i)}q${word.slice(i)}`,
    word.slice(0, i) + word.slice(i + 1),
    word.slice(0, i) + (word[i + 1] ?? "") + letter + word.slice(i + 2),
  ]);
}

describe("a vocabulary", () => {
  it("finds a word by every single slip in it", async () => {
    for (const word of ["putin", "vladimir", "khoroshev", "petroleum", "transportation"]) {
      const vocabulary = await build(["other", word, "wordings"]);
      for (const slip of slips(word).filter((one) => one.length > 4))
        expect(vocabulary.similarTo(slip), slip).toMatchObject([{ id: 1 }]);
    }
  });

  it("finds what a look at each word finds", async () => {
    // Neighbouring letters differ, as folding leaves them.
    const word = fc
      .array(fc.constantFrom(...LETTERS.slice(0, 8)), { minLength: 5, maxLength: 8 })
      .map((letters) => letters.join("").replace(/(.)\1+/g, "$1"))
      .filter((text) => text.length >= 5 && new Set(text).size >= 4);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { minLength: 1, maxLength: 60 }), word, async (words, asked) => {
        const near = words.flatMap((one, id) => (editDistance(asked, one, 1) <= 1 ? [id] : []));
        const found = (await build(words)).similarTo(asked).map(({ id }) => id);
        expect(found.sort()).toEqual(near.sort());
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["iran", "iraq"],
    ["air", "aid"],
    ["boeing737", "boeing747"],
    ["petro", "metru"],
  ])("keeps %s and %s apart", async (one, other) => {
    expect((await build([one])).similarTo(other)).toEqual([]);
  });

  it("counts the share of letters that are the same, squared", async () => {
    const similar = (await build(["putin", "putan"])).similarTo("putin");
    expect(similar).toEqual([
      { id: 0, similarity: 1 },
      { id: 1, similarity: expect.closeTo(0.64) },
    ]);
  });
});
