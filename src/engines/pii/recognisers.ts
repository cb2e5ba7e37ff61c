/** Finds personal data of fixed format by pattern and check digits, so that no model can miss it. */

import { isUrl } from "../../lib/http/url.js";
import { cardsIn } from "./cards.js";
import { ibanLengths, isIban } from "./iban.js";

export interface PersonalFinding {
  type: string;
  /** As in the text. */
  value: string;
}

export interface Recogniser {
  type: string;
  /** Linear in the text: every repetition is bounded and none is nested. */
  pattern: RegExp;
  /** The matching parts, if the pattern alone cannot decide. */
  partsOf?(match: string): readonly string[];
}

const only = (holds: (value: string) => boolean) => (value: string) => (holds(value) ? [value] : []);

const LETTER = "a-z0-9\\p{Script=Latin}";
const LABEL = `[${LETTER}](?:[${LETTER}-]{0,61}[${LETTER}])?`;
/** At a word's beginning an apostrophe is a quotation mark. */
const LOCAL = `[${LETTER}_+-][${LETTER}_.+&'’-]{0,63}`;

const IPV4 = "(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
/** Network prefix of an address. */
const prefix = (most: string) => `(?:/(?:${most})(?![\\w/]))?`;

/**
 * In code `::` stands between names: without a digit only an address of several groups is one, since `abc::def`, `::add` and `::`
 * itself are names or nothing.
 */
const isIpv6 = (value: string): boolean =>
  (/\d/.test(value) || (value.match(/[0-9a-f]+/gi) ?? []).length > 2) &&
  isUrl(`http://[${value.replace(/[%/].*/, "")}]/`);

const SSN_WORDS =
  "(?<![a-z])(?:ssns?|ss ?#|s\\.s\\.n\\.?|soc(?:ial)?[ ._-]{0,2}sec(?:urity)?)(?:[ ._-]{0,2}(?:numbers?|nos?|num|nr|id))?(?![a-z])";
const NINE = "(?<![\\w-])\\d{9}(?![\\w-])";
/** Words that say of what else a number is: the nearest tells. */
const OTHER_NUMBER =
  "\\b(?:invoice|order|account|acct|phone|tel|telephone|fax|routing|aba|reference|ref|case|ticket|zip|claim|policy|tracking|employee|customer)\\b";
/** The text between word and number: of one line, or a break between two lines of a form. */
const SSN_GAP = `(?:(?:(?!${OTHER_NUMBER})[^\\d\\n]){0,40}|[^\\w\\n]{0,10}\\r?\\n[^\\w\\n]{0,10})`;
const SSN_BESIDE = new RegExp(`${SSN_WORDS}\\d?${SSN_GAP}${NINE}(?:[^\\d\\n]{1,8}${NINE}){0,30}`, "gi");
/** `SSN536902399`, `ssn_536902399`. */
const SSN_TIED = new RegExp(`${SSN_WORDS}[_-]?\\d{9}(?![\\w-])`, "gi");
const SSN_BEFORE = new RegExp(`${NINE}[^\\d\\n]{1,20}${SSN_WORDS}`, "gi");

/** Of those that can be given: no area 000, 666 or 900 to 999, no group 00, no serial 0000. */
const ssnsIn = (match: string): readonly string[] =>
  match.match(/(?<!\d)(?!000|666|9\d\d|078051120|219099999)\d{3}(?!00)\d{2}(?!0000)\d{4}(?!\d)/g) ?? [];

export const RECOGNISERS: readonly Recogniser[] = [
  {
    type: "email",
    pattern: new RegExp(
      `(?<![${LETTER}_.+-])${LOCAL}@(?:${LABEL}\\.){1,20}(?:xn--[a-z0-9-]{1,59}|[\\p{Script=Latin}]{2,24})(?![${LETTER}_-])`,
      "giu",
    ),
  },
  { type: "credit_card", pattern: /(?<![\d-])(?<!\d[.,])\d(?:[ -]?\d){11,59}(?![\d-])/g, partsOf: cardsIn },
  // The length depends on the country, because following capitals do not belong to it.
  {
    type: "iban",
    pattern: new RegExp(
      `(?<![A-Z0-9])(?:${[...ibanLengths()]
        .map(([country, length]) => `${country}\\d{2}(?:[ \\u00a0-]?[A-Z0-9]){${length - 4}}`)
        .join("|")})(?![A-Za-z0-9])`,
      "g",
    ),
    partsOf: only(isIban),
  },
  {
    type: "ssn",
    pattern:
      /(?<![\w-])(?<!\d[ .])(?!000|666|9\d\d|078-05-1120|219-09-9999)\d{3}([- .])(?!00)\d{2}\1(?!0000)\d{4}(?![\w-]|[ .]\d)/g,
  },
  // Nine digits are a number of many things; the words beside them tell.
  { type: "ssn", pattern: SSN_BESIDE, partsOf: ssnsIn },
  { type: "ssn", pattern: SSN_TIED, partsOf: ssnsIn },
  { type: "ssn", pattern: SSN_BEFORE, partsOf: ssnsIn },
  { type: "ip_address", pattern: new RegExp(`(?<![\\w.])${IPV4}${prefix("3[0-2]|[12]?\\d")}(?!\\w|[\\d.]*\\d)`, "g") },
  {
    type: "ip_address",
    pattern: new RegExp(
      `(?<![\\w:.]|[\\w)\\]]\\[)(?:[0-9a-f]{0,4}:){2,8}(?:${IPV4}|[0-9a-f]{0,4})(?:%[\\w.-]{1,15})?${prefix("12[0-8]|1[01]\\d|\\d?\\d")}(?![\\w:]|\\.\\d)`,
      "gi",
    ),
    partsOf: only(isIpv6),
  },
  // The unspecified address, where the words before it tell that it is an address.
  {
    type: "ip_address",
    pattern:
      /(?<=(?<![a-z])(?:ip|ipv6|addr|address|src|dst|source|host|listen|bind|peer|from|unspecified)[ \t:=]{1,3})::(?![\w:.%])/gi,
  },
];

export interface FoundSpan {
  type: string;
  value: string;
  /** Offset in UTF-16 units, and that after the last unit. */
  from: number;
  to: number;
  /** Whether a check digit decided. Default: by its type. */
  hasCheck?: boolean;
}

/** All that recognisers find, with its place; parts of longer findings, too. */
export function spansIn(text: string, recognisers: readonly Recogniser[] = RECOGNISERS): FoundSpan[] {
  const spans: FoundSpan[] = [];
  for (const { type, pattern, partsOf } of recognisers)
    for (const { 0: match, index } of text.matchAll(pattern)) {
      let after = 0;
      for (const value of partsOf?.(match) ?? [match]) {
        const at = match.indexOf(value, after);
        after = at + value.length;
        spans.push({ type, value, from: index + at, to: index + after });
      }
    }
  return spans;
}

/** All findings of the recognisers, each value once; no parts of longer findings. */
export function recognise(text: string): PersonalFinding[] {
  const found = new Map<string, PersonalFinding>();
  let end = 0;
  for (const { type, value, to } of spansIn(text).sort((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= end) continue;
    end = to;
    found.set(`${type} ${value}`, { type, value });
  }
  return [...found.values()];
}
