/** How a kind of number is judged: tables of rules beside this file say what holds for each. */

export type NumberFault = "format" | "length" | "checksum" | "component";
export type NumberType = "vat" | "company" | "person" | "bank" | "other";

export interface NumberRule {
  name: string;
  type: NumberType;
  /** Letters that it may begin with, and that do not belong to it. */
  prefix?: string | readonly string[];
  /** Characters that people write in between. Default: blanks, `-`, `.`, `,`, `/` and `:`. */
  drop?: string;
  /** True if upper and lower case differ. */
  keepCase?: boolean;
  /** Further work on the cleaned text, before it is judged. */
  tidy?(text: string): string;
  /** The lengths that it may have. */
  length?: number | readonly number[];
  /** Default: digits. */
  form?: RegExp;
  /** Undefined or true for a right number, false for a wrong check digit. */
  check?(number: string, now: Date): NumberFault | boolean | undefined;
  /** The normal form, if it is not the cleaned text. */
  normal?(number: string): string;
  /** How it is written: each # is the next character. By length, if that varies. */
  mask?: string | Readonly<Record<number, string>>;
  details?(number: string): Record<string, string | number | null>;
}

export type NumberRules = Readonly<Record<string, NumberRule>>;

export interface NumberVerdict {
  valid: boolean;
  normalized: string | null;
  formatted: string | null;
  reason: NumberFault | null;
  details: Record<string, string | number | null>;
}

/** Digits of all scripts become 0 to 9, and all dashes, blanks and slashes the plain ones. */
export function fold(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return text
    .normalize("NFKC")
    .replace(/\p{Nd}/gu, (character) => String(digitOf(character)))
    .replace(/[\p{Pd}\u2212\u00ad]/gu, "-")
    .replace(/[\u2044\u2215\u29f8]/g, "/")
    .replace(/[\u3002\uff61\u00b7\u2024\u2027\u30fb]/g, ".")
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/\s/g, " ");
}

/** Unicode keeps the ten digits of a script together, in order. */
function digitOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  let first = code;
  while (code - first < 9 && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return (code - first) % 10;
}

function clean(rule: NumberRule, value: string): string {
  const drop = rule.drop ?? " -.,/:";
  const folded = rule.keepCase ? fold(value) : fold(value).toUpperCase();
  let text = [...folded.trim()].filter((character) => !drop.includes(character)).join("");
  const prefixes = typeof rule.prefix === "string" ? [rule.prefix] : (rule.prefix ?? []);
  const prefix = prefixes.find((start) => text.startsWith(start));
  if (prefix !== undefined) text = text.slice(prefix.length);
  return rule.tidy?.(text) ?? text;
}

/** Why the cleaned text is wrong; undefined if it is right. */
function reasonAgainst(rule: NumberRule, number: string, now: Date): NumberFault | undefined {
  const lengths = rule.length === undefined ? undefined : [rule.length].flat();
  if (lengths && !lengths.includes([...number].length)) return "length";
  if (!(rule.form ?? /^\d+$/).test(number)) return "format";
  const found = rule.check?.(number, now);
  if (found === false) return "checksum";
  return found === true ? undefined : found;
}

export function judgeNumber(rule: NumberRule, value: string, now: Date): NumberVerdict {
  const number = clean(rule, value);
  const reason = reasonAgainst(rule, number, now);
  if (reason) return { valid: false, normalized: null, formatted: null, reason, details: {} };
  const normalized = rule.normal?.(number) ?? number;
  return {
    valid: true,
    normalized,
    formatted: masked(rule, normalized),
    reason: null,
    details: rule.details?.(number) ?? {},
  };
}

function masked({ mask }: NumberRule, number: string): string {
  const pattern = typeof mask === "object" ? mask[number.length] : mask;
  if (pattern === undefined) return number;
  let place = 0;
  return pattern.replace(/#/g, () => number.charAt(place++)) + number.slice(place);
}
