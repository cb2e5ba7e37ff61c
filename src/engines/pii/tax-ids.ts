/** Tax numbers in a text: their check digits decide, and words beside them where numbers have none, or weak ones. */
import { kindOf, rulesOf } from "../numbers/registry.js";
import { judgeNumber, type NumberRule } from "../numbers/rule.js";
import type { FoundSpan } from "./recognisers.js";

interface Form {
  /** Linear in the text: every repetition is bounded and none is nested. */
  pattern: RegExp;
  country: string | ((match: string) => string);
  /** Default: the VAT number. */
  kind?: string;
  /** Words that must stand before it. */
  words?: RegExp;
}

/** Signs before a number in which its words stand. */
const BEFORE = 60;

const wordsOf = (words: string) => new RegExp(`(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`, "iu");

const DIGITS = (count: string) => new RegExp(`(?<![\\w.,-])(?<!\\d )\\d(?:[ .-]?\\d){${count}}(?![\\w-]|[.,]\\d)`, "g");

const FORMS: readonly Form[] = [
  // VAT numbers of the European Union, whose letters are their words.
  {
    pattern:
      /(?<!\w)(?:ATU\d{8}|BE ?[01]\d{9}|BG\d{9,10}|CY\d{8}[A-Z]|CZ\d{8,10}|DE ?\d{9}|DK\d{8}|EE\d{9}|EL\d{9}|ES[A-Z0-9]\d{7}[A-Z0-9]|FI\d{8}|FR[A-Z0-9]{2} ?\d{9}|HR\d{11}|HU\d{8}|IE\d[A-Z0-9+*]\d{5}[A-Z]{1,2}|IT\d{11}|LT(?:\d{12}|\d{9})|LU\d{8}|LV\d{11}|MT\d{8}|NL\d{9}B\d{2}|PL\d{10}|PT\d{9}|RO\d{6,10}|SE\d{12}|SI\d{8}|SK\d{10}|XI\d{9}|GB\d{9})(?!\w)/g,
    country: (match) => match.slice(0, 2),
  },
  // No check digits, or one that every tenth number has: EINs and such of other countries.
  {
    pattern: /(?<![\w-])\d{2}-\d{7}(?![\w-])/g,
    ...{ country: "US", kind: "ein" },
    words: wordsOf(
      "F?EIN|TIN|W-?9|employer (?:identification|id)|(?:federal )?tax(?:payer)?(?:[- ]?(?:id|identification|number|no))?",
    ),
  },
  { pattern: /(?<![\w-])9\d{2}-\d{2}-\d{4}(?![\w-])/g, country: "US", kind: "itin" },
  {
    pattern: DIGITS("10"),
    ...{ country: "DE", kind: "idnr" },
    words: wordsOf("Steuer-?(?:ID|Identifikationsnummer)|IdNr|tax id"),
  },
  { pattern: DIGITS("9"), ...{ country: "PL", kind: "nip" }, words: wordsOf("NIP") },
  { pattern: DIGITS("10"), ...{ country: "PL", kind: "pesel" }, words: wordsOf("PESEL") },
  { pattern: DIGITS("9"), ...{ country: "GB", kind: "utr" }, words: wordsOf("UTR|unique taxpayer") },
  { pattern: DIGITS("8"), ...{ country: "CA", kind: "sin" }, words: wordsOf("SIN|NAS|social insurance") },
  { pattern: DIGITS("7,8"), ...{ country: "AU", kind: "tfn" }, words: wordsOf("TFN|tax file") },
  { pattern: DIGITS("10"), ...{ country: "AU", kind: "abn" }, words: wordsOf("ABN|business number") },
  { pattern: DIGITS("7,8"), ...{ country: "NL", kind: "bsn" }, words: wordsOf("BSN|burgerservicenummer") },
  { pattern: DIGITS("8"), ...{ country: "PT", kind: "nif" }, words: wordsOf("NIF|contribuinte") },
  {
    pattern: /(?<![\w-])(?:\d{8}|[XYZ]\d{7})-?[A-Z](?![\w-])/g,
    ...{ country: "ES", kind: "nif" },
    words: wordsOf("NIF|DNI|NIE|identificaci[oó]n fiscal"),
  },
  {
    pattern: /(?<![\w-])[A-Z]{5}\d{4}[A-Z](?![\w-])/g,
    ...{ country: "IN", kind: "pan" },
    words: wordsOf("PAN|income tax"),
  },
  // Their form and two check digits, or one and a date, are not met by chance.
  {
    pattern: /(?<![\w-])[A-Z]{6}[A-Z0-9]{2}[A-Z][A-Z0-9]{2}[A-Z][A-Z0-9]{3}[A-Z](?![\w-])/g,
    country: "IT",
    kind: "codicefiscale",
  },
  { pattern: /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/g, country: "BR", kind: "cpf" },
  {
    pattern: /(?<![\w.-])[A-Z0-9]{2}\.[A-Z0-9]{3}\.[A-Z0-9]{3}\/[A-Z0-9]{4}-\d{2}(?![\w-])/g,
    country: "BR",
    kind: "cnpj",
  },
  { pattern: /(?<![\w-])CHE-?\d{3}\.?\d{3}\.?\d{3}(?![\w-])/g, country: "CH", kind: "uid" },
  { pattern: /(?<![\w-])\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z](?![\w-])/g, country: "IN", kind: "gstin" },
];

/** Numbers that are right, with their places. Those without a check digit are right by their words. */
export async function taxIdsIn(text: string, now: Date): Promise<FoundSpan[]> {
  const spans: FoundSpan[] = [];
  for (const form of FORMS)
    for (const { 0: value, index } of text.matchAll(form.pattern)) {
      if (form.words && !form.words.test(text.slice(Math.max(0, index - BEFORE), index))) continue;
      const rule = await ruleOf(value, form);
      // guard: offline: a tax number has words or a check that hold |
      //   - || !judgeNumber(rule, value, now).valid | redact
      if (!rule || !judgeNumber(rule, value, now).valid) continue;
      const hasCheck = rule.check !== undefined && !UNCHECKED.includes(form.kind ?? "");
      spans.push({ type: "tax_id", value, from: index, to: index + value.length, hasCheck });
    }
  return spans;
}

/** Kinds whose rule judges parts, but no check digit. */
const UNCHECKED = ["ein", "itin", "pan"];

async function ruleOf(value: string, { country, kind = "vat" }: Form): Promise<NumberRule | undefined> {
  const rules = await rulesOf(typeof country === "string" ? country : country(value));
  return rules && kindOf(rules, kind)?.[1];
}
