/**
 * Similarity of two names: their common words in relation to the differing ones (Tversky's index), each weighted by its
 * significance. If each name has a word that the other lacks, they contradict each other, which counts several times;
 * words that only one has are often just omitted.
 */
import { type Alignment, align, type Likeness, type WordPair } from "./alignment.js";
import type { Comparable } from "./comparable.js";
import { editDistance } from "./edit-distance.js";
import { formsFactor } from "./forms-factor.js";
import { numbersShare } from "./numerals.js";
import { isLight, priorOf } from "./weights.js";
import { isInitial, SAME_WORD } from "./word-likeness.js";
import type { Token } from "./words.js";

export interface NameRules {
  isPerson: boolean;
  /** Significance of a word, 0 to 1. */
  weightOf: (token: Token) => number;
  likeness: Likeness;
  /** Whether other names contain a word, so that it is not a typing error. */
  isKnown?: (token: Token) => boolean;
  /** Whether names that differ only in their legal forms are different. */
  formsCount: boolean;
}

export interface NameVerdict extends Alignment {
  /** 0 to 1. */
  score: number;
}

const CONTRADICTION = 4;
/** Deduction for contradicting words, independent of the names' length. */
const CONTRADICTED = 0.3;
const MORE_OF_COMPANY = 0.65;
/** Lists contain patronymics and further given names of persons, which few people write. */
const MORE_OF_PERSON = 0.33;
const FATHERS_NAME = 0.3;
/** A single common word is weak evidence if the other name has more significant words. */
const MORE_OF_ONE_WORD = 1.1;
const MORE_LIGHT_WORDS_ASKED = 0.7;
const MORE_LIGHT_WORDS = 0.5;
const MORE_NUMBERS = 0.5;
const OTHER_BEARER = 0.6;
const SECOND_SLIP = 0.75;
const OTHER_GIVEN_NAME = 0.75;
/** In a company's name this short, a changed letter in a short word is another company: Iran Air, Iraq Air. */
const FEW_LETTERS = 5;

export function judge(asked: Comparable, listed: Comparable, rules: NameRules): NameVerdict {
  const found = withoutForms(slipless(align(asked.tokens, listed.tokens, rules.likeness), rules), asked, listed);
  const slips = found.pairs.filter(isSlip);
  const score =
    shareOf(found, asked, listed, rules) *
    SECOND_SLIP ** Math.max(0, slips.length - 1) *
    numbersFactor(asked, listed) *
    (isOtherGivenName(found, asked, listed) ? OTHER_GIVEN_NAME : 1) *
    formsFactor(asked, listed, { ...found, hasSlips: slips.length > 0, ...rules });
  return { ...found, score };
}

/** A person requested by several words does not match another given name. */
const isOtherGivenName = ({ listedOnly }: Alignment, asked: Comparable, { given }: Comparable): boolean =>
  given !== undefined && asked.tokens.length > 1 && listedOnly.some(({ text }) => text === given);

const isSlip = ({ asked, listed, similarity }: WordPair): boolean =>
  similarity < SAME_WORD && !isInitialPair({ asked, listed });

function isInitialPair({ asked, listed }: Pick<WordPair, "asked" | "listed">): boolean {
  const [[own, ...more], [other, ...others]] = [asked, listed];
  return own !== undefined && other !== undefined && more.length + others.length === 0 && isInitial(own, other);
}

/** A word that other names contain is not a typing error, nor is a change in a short company name. */
function slipless({ pairs, askedOnly, listedOnly }: Alignment, { isPerson, isKnown }: NameRules): Alignment {
  const exact = pairs.reduce((sum, { listed, similarity }) => sum + (similarity === 1 ? lettersOf(listed) : 0), 0);
  const kept: WordPair[] = [];
  for (const pair of pairs) {
    const [own] = pair.asked;
    if (
      isLoose(pair, askedOnly, listedOnly) ||
      (!isPerson && isSlip(pair) && exact > 0 && exact < FEW_LETTERS && lettersOf(pair.listed) < FEW_LETTERS)
    ) {
      askedOnly.push(...pair.asked);
      listedOnly.push(...pair.listed);
    } else if (isSlip(pair) && pair.asked.length === 1 && own && isKnown?.(own))
      kept.push({ ...pair, similarity: pair.similarity * OTHER_BEARER });
    else kept.push(pair);
  }
  return { pairs: kept, askedOnly, listedOnly };
}

/** An initial does not match if the other name has another candidate: "Luis Clark" is not "CONTRERAS, Luis C." */
function isLoose(pair: WordPair, askedOnly: readonly Token[], listedOnly: readonly Token[]): boolean {
  if (!isInitialPair(pair)) return false;
  const rest = lettersOf(pair.asked) === 1 ? askedOnly : listedOnly;
  return rest.some(({ text }) => text.length > 1);
}

const lettersOf = (tokens: readonly Token[]) => sum(tokens, ({ text }) => text.length);

/** A misspelt legal form is not a word of the name. */
function withoutForms({ pairs, askedOnly, listedOnly }: Alignment, asked: Comparable, listed: Comparable): Alignment {
  const without = (tokens: Token[], forms: readonly string[]) =>
    tokens.filter(
      ({ text }) =>
        text.length < 2 ||
        !forms.some((form) => form.split(" ").some((word) => word.length > 2 && editDistance(text, word, 1) <= 1)),
    );
  return { pairs, askedOnly: without(askedOnly, listed.forms), listedOnly: without(listedOnly, asked.forms) };
}

function shareOf({ pairs, askedOnly, listedOnly }: Alignment, asked: Comparable, listed: Comparable, rules: NameRules) {
  const told = pairs.filter((pair) => !isInitialPair(pair));
  const isOne = sum(told, (pair) => Math.max(pair.asked.length, pair.listed.length)) < 2;
  // One rare name identifies a person; a company's single word must be its whole name.
  const isNamed = rules.isPerson && askedOnly.length === 0 && told.some(isTelling);
  const weightOf = isOne && !isNamed ? priorOf : rules.weightOf;
  const hasNumbers = asked.numbers.length > 0 && listed.numbers.length > 0;
  const weigh = (token: Token) => (token.isNumber ? (hasNumbers ? 0 : MORE_NUMBERS) : weightOf(token));
  const [common, found] = [
    sum(pairs, (pair) => pair.similarity * sum(pair.listed, weightOf)),
    sum(pairs, (pair) => sum(pair.listed, weightOf)),
  ];
  if (common === 0) return 0;
  const [own, other] = [sum(askedOnly, weigh), sum(listedOnly, weigh)];
  const contradiction = Math.min(own, other);
  const [more, side] = own > other ? [askedOnly, asked] : [listedOnly, listed];
  const costOf = isOne && weightOf === priorOf ? costOfOne(side === asked) : costOfMore(side, rules);
  const cost = sum(more, (token) => weigh(token) * costOf(token));
  const surplus = own === other ? 0 : cost * (1 - contradiction / Math.max(own, other));
  // guard: names: words that contradict each other count, however long the names | CONTRADICTED -> 0 | name-classes
  return (common / (found + CONTRADICTION * contradiction + surplus)) * (1 - CONTRADICTED * Math.min(1, contradiction));
}

const isTelling = ({ listed, similarity }: WordPair) => similarity === 1 && lettersOf(listed) >= FEW_LETTERS - 1;

/** Cost of a word that only one of the names has. */
function costOfMore({ fathers }: Comparable, { isPerson }: NameRules) {
  if (!isPerson) return () => MORE_OF_COMPANY;
  return ({ text }: Token) => MORE_OF_PERSON * (fathers.includes(text) ? FATHERS_NAME : 1);
}

const costOfOne = (isAsked: boolean) => (token: Token) =>
  isLight(token) ? (isAsked ? MORE_LIGHT_WORDS_ASKED : MORE_LIGHT_WORDS) : MORE_OF_ONE_WORD;

const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);

function numbersFactor(asked: Comparable, listed: Comparable): number {
  if (asked.numbers.join() === listed.numbers.join()) return 1;
  return Math.min(numbersShare(asked.numbers, listed.numbers), numbersShare(listed.numbers, asked.numbers));
}
