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
  const { pairs, askedOnly, listedOnly, hasSlips, isPerson, formsCount } = found;
  const isWhole = !hasSlips && askedOnly.length === 0 && listedOnly.length === 0;
  if (isPerson) {
    if (asked.forms.length === 0 || listed.forms.length > 0) return 1;
    return isWhole && pairs.every(({ similarity }) => similarity === 1) ? FORM_OF_PERSON : FORM_OF_PERSON_UNLIKE;
  }
  if (sameForms(asked.forms, listed.forms)) return asked.forms.join() === listed.forms.join() ? 1 : TRANSLATED;
  const words = pairs.flatMap((pair) => pair.listed);
  const letters = Math.max(0, ...words.map(({ text }) => text.length));
  if (asked.forms.length === 0 || listed.forms.length === 0) {
    if (!hasSlips) return ONLY_ONE_HAS;
    const isShort = words.length === 1 && letters <= SHORT_NAME;
    return ONLY_ONE_HAS * (isShort ? ONE_WORD_WITH_SLIPS_AND_WITHOUT : WITH_SLIPS_AND_WITHOUT);
  }
  const kind = (asked.kinds & listed.kinds) !== 0 ? TRANSLATED : OTHER_KIND;
  if (hasSlips) return kind * WITH_SLIPS;
  if (isWhole && words.length === 1 && letters <= ABBREVIATION_LETTERS && kind === OTHER_KIND) return ABBREVIATION;
  if (isWhole) return formsCount ? kind : TRANSLATED;
  const areSpecific = asked.kinds !== ANY_FORM && listed.kinds !== ANY_FORM;
  return words.length === 1 && areSpecific ? kind * ONE_WORD_IN_COMMON : kind;
}
