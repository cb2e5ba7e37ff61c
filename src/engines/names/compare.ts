/**
 * How alike two names are, and why. The measure of the index for two names alone, where words weigh by what they are in
 * companies' names and not by how rare they are in a list.
 */
import { once } from "../../lib/lazy.js";
import { numbersShare } from "./numerals.js";
import { foldSpelling } from "./spellings.js";
import { likeness } from "./vocabulary.js";
import { type Name, skeletonsOf } from "./words.js";

export type Confidence = "high" | "medium" | "low";

const HIGH = 0.9;
const MEDIUM = 0.75;

/** From 0.9 the same name, from 0.75 a likely variant; below it is another name until somebody says otherwise. */
export const confidenceOf = (score: number): Confidence =>
  score >= HIGH ? "high" : score >= MEDIUM ? "medium" : "low";

export interface Judgement {
  /** 0 to 1, of three decimals. */
  score: number;
  confidence: Confidence;
  /** What speaks for and against, as short phrases. */
  reasons: string[];
}

/** The other name has more words than people write: what is missing from the name asked for costs half. */
const MISSING_WEIGHT = 0.5;
/** What half of all companies have in their names says little of one of them. */
const LIGHT_WORDS: [weight: number, words: string][] = [
  [0.3, "group holdings international global corporate worldwide"],
  [
    0.6,
    "services technologies systems solutions industries trading enterprises management partners investments motors",
  ],
  [0.3, "bin ibn ben bint al el van von der den ter la le"],
];
const lightWords = once(
  () =>
    new Map(
      LIGHT_WORDS.flatMap(([weight, words]) =>
        words.split(" ").map((word): [string, number] => [foldSpelling(word), weight]),
      ),
    ),
);
const weightOf = (word: string) => lightWords().get(word) ?? 1;

/** How alike `other` is to the name that is `asked` for. Legal forms and numbers that contradict each other count. */
export function compareNames(asked: Name, other: Name): Judgement {
  const reasons: string[] = [];
  const base = baseScore(asked, other, reasons);
  const score =
    Math.round(base * numbersFactor(asked, other, reasons) * formsFactor(asked, other, reasons) * 1000) / 1000;
  return { score, confidence: confidenceOf(score), reasons };
}

function baseScore(asked: Name, other: Name, reasons: string[]): number {
  if (asked.written === other.written) {
    reasons.push("the same name");
    return 1;
  }
  const bySkeleton = asked.consonantsOnly !== other.consonantsOnly;
  const [own, listed] = bySkeleton ? [skeletonsOf(asked), skeletonsOf(other)] : [asked.untitled, other.untitled];
  const paired = pairUp(own, listed);
  const words = wordScore(own, listed, paired);
  const joined = joinedScore(own, listed);
  const initials = initialsScore(asked, other);
  const best = Math.max(words, joined, initials);
  if (best === initials && initials > words && initials > joined) reasons.push("one is the initials of the other");
  else if (joined > words) reasons.push("blanks are set differently");
  else explainWords(own, listed, paired, reasons);
  if (bySkeleton) reasons.push("compared by consonants");
  // Without vowels different names look alike.
  return bySkeleton ? best * 0.95 : best;
}

interface Pair {
  position: number;
  similarity: number;
}

/** For each word of the first name its counterpart in the second; every word has one at most. */
function pairUp(own: readonly string[], listed: readonly string[]): (Pair | undefined)[] {
  const candidates = own.flatMap((word, index) =>
    listed.flatMap((other, position) => {
      const similarity = likeness(word, other);
      return similarity > 0 ? [{ index, position, similarity }] : [];
    }),
  );
  candidates.sort((a, b) => b.similarity - a.similarity);
  const pairs: (Pair | undefined)[] = own.map(() => undefined);
  const taken = new Set<number>();
  for (const { index, position, similarity } of candidates) {
    if (pairs[index] || taken.has(position)) continue;
    pairs[index] = { position, similarity };
    taken.add(position);
  }
  return pairs;
}

function wordScore(own: readonly string[], listed: readonly string[], pairs: readonly (Pair | undefined)[]): number {
  let [common, found, alone] = [0, 0, 0];
  own.forEach((word, index) => {
    const pair = pairs[index];
    if (!pair) alone += weightOf(word);
    else {
      const weight = weightOf(listed[pair.position] ?? "");
      common += pair.similarity * weight;
      found += weight;
    }
  });
  const missing = listed.reduce((sum, word) => sum + weightOf(word), 0) - found;
  return common === 0 ? 0 : common / (found + alone + MISSING_WEIGHT * missing);
}

/** Blanks elsewhere. With as many words, words that differ say more than letters that do not. */
function joinedScore(own: readonly string[], listed: readonly string[]): number {
  if (own.length === listed.length) return 0;
  return likeness(own.join(""), listed.join("")) * 0.98;
}

/** "IBM" for International Business Machines. */
function initialsScore(asked: Name, other: Name): number {
  const isShort = ({ words }: Name) => words.length === 1 && /^[a-z]{3,6}$/.test(coreOf(words));
  const [short, long] = isShort(asked) ? [asked, other] : [other, asked];
  if (!isShort(short) || long.words.length < 3) return 0;
  const letters = short.written.split(" ")[0] ?? "";
  return long.initials === letters ? 0.8 : 0;
}
const coreOf = (words: readonly string[]) => words[0] ?? "";

function explainWords(
  own: readonly string[],
  listed: readonly string[],
  pairs: readonly (Pair | undefined)[],
  reasons: string[],
): void {
  const found = pairs.filter((pair) => pair !== undefined);
  const alike = found.filter(({ similarity }) => similarity < 1).length;
  const [alone, missing] = [own.length - found.length, listed.length - found.length];
  if (found.length === 0) return void reasons.push("no word in common");
  const count = (words: number, what: string) => `${words} ${words === 1 ? "word" : "words"} ${what}`;
  if (alone === 0 && missing === 0 && alike === 0) reasons.push("the same words");
  if (alike > 0) reasons.push(count(alike, "spelt differently"));
  if (alone > 0) reasons.push(count(alone, "not in the name found"));
  if (missing > 0) reasons.push(count(missing, "more in the name found"));
}

function numbersFactor(asked: Name, other: Name, reasons: string[]): number {
  if (asked.numbers.join() === other.numbers.join()) return 1;
  reasons.push(`numbers differ: ${asked.numbers.join(", ") || "none"} and ${other.numbers.join(", ") || "none"}`);
  return Math.min(numbersShare(asked.numbers, other.numbers), numbersShare(other.numbers, asked.numbers));
}

function formsFactor(asked: Name, other: Name, reasons: string[]): number {
  if (asked.written === other.written) return 1;
  if ((asked.forms.length === 0) !== (other.forms.length === 0)) {
    reasons.push("one has no legal form");
    return 0.98;
  }
  if ((asked.kinds & other.kinds) !== 0) return 0.99;
  reasons.push(`legal forms differ: ${asked.forms.join(" ")} and ${other.forms.join(" ")}`);
  return 0.88;
}
