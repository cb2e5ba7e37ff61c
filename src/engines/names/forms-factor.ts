/** Reduces a score for different legal forms. */
import type { Alignment } from "./alignment.js";
import type { Comparable } from "./comparable.js";
import { ANY_FORM, sameForms } from "./legal-forms.js";

/** A company's legal form in the name of a person. */
const FORM_OF_PERSON = 0.85;
const FORM_OF_PERSON_UNLIKE = 0.5;
const ONLY_ONE_HAS = 0.98;
const TRANSLATED = 0.99;
const OTHER_KIND = 0.88;
/** Similar names with different legal forms: each difference alone could be a mistake. */
const WITH_SLIPS = 0.7;
const WITH_SLIPS_AND_WITHOUT = 0.9;
const ONE_WORD_WITH_SLIPS_AND_WITHOUT = 0.7;
const ONE_WORD_IN_COMMON = 0.55;
const ABBREVIATION = 0.55;

/** In a one-word name of at most this length a changed letter makes another name. */
const SHORT_NAME = 8;
const ABBREVIATION_LETTERS = 3;

interface Found extends Alignment {
  hasSlips: boolean;
  isPerson: boolean;
  formsCount: boolean;
}

export function formsFactor(asked: Comparable, listed: Comparable, found: Found): number {
  if (found.isPerson) return factorOfPersons(asked, listed, found);
  if (sameForms(asked.forms, listed.forms)) return asked.forms.join() === listed.forms.join() ? 1 : TRANSLATED;
  return asked.forms.length === 0 || listed.forms.length === 0
    ? factorOfOneForm(found)
    : factorOfOtherForm(asked, listed, found);
}

function factorOfPersons(asked: Comparable, listed: Comparable, found: Found): number {
  if (asked.forms.length === 0 || listed.forms.length > 0) return 1;
  const isEqual = isWhole(found) && found.pairs.every(({ similarity }) => similarity === 1);
  return isEqual ? FORM_OF_PERSON : FORM_OF_PERSON_UNLIKE;
}

/** Only one of the names has a legal form. */
function factorOfOneForm({ pairs, hasSlips }: Found): number {
  if (!hasSlips) return ONLY_ONE_HAS;
  const isShort = isOneWord(pairs, SHORT_NAME);
  return ONLY_ONE_HAS * (isShort ? ONE_WORD_WITH_SLIPS_AND_WITHOUT : WITH_SLIPS_AND_WITHOUT);
}

/** Each name has a legal form of its own. */
function factorOfOtherForm(asked: Comparable, listed: Comparable, found: Found): number {
  const { pairs, hasSlips, formsCount } = found;
  const kind = (asked.kinds & listed.kinds) !== 0 ? TRANSLATED : OTHER_KIND;
  if (hasSlips) return kind * WITH_SLIPS;
  if (isWhole(found)) {
    if (kind === OTHER_KIND && isOneWord(pairs, ABBREVIATION_LETTERS)) return ABBREVIATION;
    return formsCount ? kind : TRANSLATED;
  }
  const areSpecific = asked.kinds !== ANY_FORM && listed.kinds !== ANY_FORM;
  return areSpecific && isOneWord(pairs) ? kind * ONE_WORD_IN_COMMON : kind;
}

/** Whether each word of both names has a counterpart, written without error. */
const isWhole = ({ hasSlips, askedOnly, listedOnly }: Found) =>
  !hasSlips && askedOnly.length === 0 && listedOnly.length === 0;

/** Whether the names have one word in common, of at most so many letters in the list. */
function isOneWord(pairs: Alignment["pairs"], maxLetters = Number.POSITIVE_INFINITY): boolean {
  const [pair, further] = pairs;
  const [word, part] = pair?.listed ?? [];
  return word !== undefined && !part && !further && word.text.length <= maxLetters;
}
