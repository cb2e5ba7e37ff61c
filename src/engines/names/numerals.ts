/** Numbers in names, which distinguish "Fund II" from "Fund III", and a bank's 13th branch from its 14th. */

const ROMAN = /^(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})$/;
const VALUES: Record<string, number> = { i: 1, v: 5, x: 10 };
/**
 * Numerals that are also names and initials: Xi Jinping, Malcolm X. They count only in names of series and companies.
 */
const AMBIGUOUS = new Set(["i", "v", "x", "vi", "xi"]);
const SERIES = new Set(
  "fund funds partners capital series phase class trust holding holdings ventures equity investors program project lot".split(
    " ",
  ),
);
const WRITTEN = new Map("one two three four five six seven eight nine ten".split(" ").map((word, i) => [word, i + 1]));

export interface WithNumbers {
  /** The words, with Roman numerals and ordinals in digits. */
  words: string[];
  numbers: string[];
}

/** Reads the numbers of a name. `company`: whether it has a legal form. */
export function readNumerals(words: readonly string[], company: boolean): WithNumbers {
  const series = company || words.some((word) => SERIES.has(word));
  const read = words.map((word, position) => numberOf(word, { first: position === 0, series }) ?? word);
  const numbers = read.flatMap((word) => word.match(/\d+/g) ?? []).map((digits) => String(BigInt(digits)));
  return { words: read, numbers: [...new Set(numbers)].sort() };
}

/** The number of a word, if it is one: "13th" and "xiii" for 13. A name never begins with one. */
function numberOf(word: string, { first, series }: { first: boolean; series: boolean }): string | undefined {
  const [, ordinal] = /^(\d+)(?:st|nd|rd|th)$/.exec(word) ?? [];
  if (ordinal) return ordinal;
  if (first) return undefined;
  if (ROMAN.test(word) && (series || !AMBIGUOUS.has(word))) return String(romanValue(word));
  return series && WRITTEN.has(word) ? String(WRITTEN.get(word)) : undefined;
}

function romanValue(roman: string): number {
  let sum = 0;
  for (let i = 0; i < roman.length; i++) {
    const value = VALUES[roman[i] ?? ""] ?? 0;
    sum += value < (VALUES[roman[i + 1] ?? ""] ?? 0) ? -value : value;
  }
  return sum;
}

/** Factor for a score if the numbers of two names differ. */
export function numbersShare(asked: readonly string[], listed: readonly string[]): number {
  if (asked.length === 0) return 1;
  if (listed.length === 0) return 0.85;
  return asked.every((number) => listed.includes(number)) ? 1 : 0.6;
}
