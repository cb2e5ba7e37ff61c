/**
 * Compares two names and explains the result. It uses the index's measure for two names alone, with general weights of
 * words instead of their rarity in a list.
 */
import { comparable, SKELETON_SHARE } from "./comparable.js";
import { nameFacts, reasonsOf, type WordMatch, wordMatches } from "./explain.js";
import { judge } from "./judge.js";
import { ANY_FORM } from "./legal-forms.js";
import { isLight, priorOf } from "./weights.js";
import { wordLikeness } from "./word-likeness.js";
import type { Name } from "./words.js";

export type Confidence = "high" | "medium" | "low";

const HIGH = 0.9;
const MEDIUM = 0.75;

/** From 0.9 the same name, from 0.75 a likely variant; below that a different name unless confirmed otherwise. */
export const confidenceOf = (score: number): Confidence =>
  score >= HIGH ? "high" : score >= MEDIUM ? "medium" : "low";

export interface Judgement {
  /** 0 to 1, with three decimals. */
  score: number;
  confidence: Confidence;
  /** Evidence for and against, as short phrases. */
  reasons: string[];
}

export interface Explained extends Judgement {
  /** The paired words and their weights. */
  words: WordMatch[];
}

/** Similarity of `other` to the requested name. Contradicting legal forms and numbers count. */
export function compareNames(asked: Name, other: Name): Judgement {
  const { words: _, ...judgement } = explainNames(asked, other);
  return judgement;
}

/** The same, word by word. */
export function explainNames(asked: Name, other: Name): Explained {
  const bySkeleton = asked.consonantsOnly !== other.consonantsOnly;
  const isPerson = !isCompany(asked) && !isCompany(other);
  const byEar = isPerson || asked.isTransliterated !== other.isTransliterated;
  const verdict = judge(comparable(asked, { isPerson, bySkeleton }), comparable(other, { isPerson, bySkeleton }), {
    isPerson,
    weightOf: priorOf,
    formsCount: true,
    likeness: (own, found) => wordLikeness(own, found, { isPerson, byEar }),
  });
  const { score, reasons } = isSame(asked, other)
    ? { score: 1, reasons: ["the same name"] }
    : better({ score: verdict.score * (bySkeleton ? SKELETON_SHARE : 1), reasons: reasonsOf(verdict) }, asked, other);
  if (bySkeleton) reasons.push("compared by consonants");
  reasons.push(...(isSame(asked, other) ? [] : nameFacts(asked, other)));
  const rounded = Math.round(score * 1000) / 1000;
  const words = wordMatches(verdict, { weightOf: priorOf });
  return { score: rounded, confidence: confidenceOf(rounded), reasons, words };
}

const isSame = (asked: Name, other: Name) => asked.written === other.written;

/** Both have a company's legal form, or words that persons rarely have. */
const isCompany = ({ kinds, tokens }: Name) => kinds !== ANY_FORM || tokens.some(isLight);

function better(by: { score: number; reasons: string[] }, asked: Name, other: Name) {
  const score = initialsScore(asked, other);
  return score > by.score ? { score, reasons: ["one is the initials of the other"] } : by;
}

const INITIALS = 0.8;
const formOfOne = (asked: Name, other: Name) =>
  (asked.forms.length === 0) !== (other.forms.length === 0) ? 0.98 : 0.99;

/** "IBM" for International Business Machines. */
function initialsScore(asked: Name, other: Name): number {
  const isShort = ({ words }: Name) => words.length === 1 && /^[a-z]{3,6}$/.test(coreOf(words));
  const [short, long] = isShort(asked) ? [asked, other] : [other, asked];
  if (!isShort(short) || long.words.length < 3) return 0;
  const letters = short.written.split(" ")[0] ?? "";
  return long.initials === letters ? INITIALS * formOfOne(asked, other) : 0;
}
const coreOf = (words: readonly string[]) => words[0] ?? "";
