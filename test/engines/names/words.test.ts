import { describe, expect, it } from "vitest";
import { editDistance } from "../../../src/engines/names/edit-distance.js";
import { toLatin, wordsOf } from "../../../src/engines/names/words.js";

const words = async (name: string) => wordsOf(await toLatin(name)).sort();

describe("the words of a name", () => {
  it.each([
    ["case and order", "PUTIN, Vladimir", "vladimir putin"],
    ["accents", "Ángel Núñez Łukasz", "ANGEL NUNEZ LUKASZ"],
    ["Cyrillic", "Владимир Путин", "Vladimir Putin"],
    ["Greek", "Νίκος", "Nikos"],
    ["romanisations of Arabic", "Usama Qadhafi", "Osama Kadafi"],
    ["romanisations of Russian", "Sergey Khoroshev", "Sergei Khoroshyev"],
    ["German and English letters", "Wladimir Schröder", "Vladimir Shroder"],
    ["doubled letters", "Hassan", "Hasan"],
    ["apostrophes", "Qa'ida", "Qaida"],
    ["repetitions", "Ali Ali", "Ali"],
    ["legal forms", "Suex OTC, S.R.O.", "SUEX OTC LLC"],
    ["legal forms in words", "Rosneft Open Joint-Stock Company", "ROSNEFT PAO"],
    ["fillers", "Bank of Iran and the East", "Iran East Bank"],
    ["initials", "Roman A. Abramovich", "R.A. Roman Abramovich"],
  ])("are the same in spite of %s", async (_, one, other) => {
    expect(await words(one)).toEqual(await words(other));
  });

  it.each([
    ["Iran Air", "Iraq Air"],
    ["Boeing 737", "Boeing 747"],
    ["Mahan", "Mohan Dev"],
    ["Kim", "Kin"],
  ])("tell %s from %s", async (one, other) => {
    expect(await words(one)).not.toEqual(await words(other));
  });

  it.each(["LLC", "A", "The Company", "A & B"])("are kept where %s is all there is", async (name) => {
    expect(await words(name)).not.toEqual([]);
  });

  it("are none in a name without letters, and few in an endless one", async () => {
    expect(await words("--- ' ,")).toEqual([]);
    expect((await words(Array.from({ length: 10_000 }, (_, i) => `w${i}`).join(" "))).length).toBeLessThanOrEqual(24);
  });
});

describe("the distance of two spellings", () => {
  it.each([
    ["putin", "putin", 0],
    ["putin", "puttin", 1],
    ["putin", "putan", 1],
    ["putin", "putni", 1],
    ["putin", "uptni", 2],
    ["kitten", "sitting", 3],
    ["", "ab", 2],
  ])("from %s to %s is %d", (a, b, distance) => {
    expect(editDistance(a, b, 3)).toBe(distance);
    expect(editDistance(b, a, 3)).toBe(distance);
  });

  it("is not followed further than asked", () => {
    expect(editDistance("abcdefgh", "zyxwvuts", 2)).toBe(3);
    expect(editDistance("kitten", "sitting", 2)).toBe(3);
    expect(editDistance("a", "abcdef", 2)).toBe(3);
  });
});
