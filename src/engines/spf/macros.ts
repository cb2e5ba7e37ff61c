/** Macros of SPF (RFC 7208 section 7): `%{i}`, `%{l2r-}`, `%%`, `%_`, `%-`. */

/** Values of macros, by their letters. */
export interface MacroValues {
  /** s l o d i p v h, and in explanations c r t. */
  of(letter: string): Promise<string>;
}

const IN_DOMAINS = "slodipvh";
const IN_EXPLANATIONS = `${IN_DOMAINS}crt`;
/** Longest text of one macro. */
const MAX_MACRO = 250;
const MAX_TEXT = 5_000;
const MAX_NAME = 253;

const macro = (letters: string) => `%(?:[%_-]|\\{[${letters}](?:[1-9]\\d{0,2})?r?[.\\-+,/_=]*\\})`;
const PART = new RegExp(macro(IN_EXPLANATIONS), "gi");
const PARTS = { domain: new RegExp(macro(IN_DOMAINS), "gi"), explanation: PART };
const TOP_LABEL = /\.(?:[a-z0-9]*[a-z][a-z0-9]*|[a-z0-9]+-[a-z0-9-]*[a-z0-9])\.?$/i;

/** Whether every % of a text begins a macro. */
const isWellFormed = (text: string, kind: keyof typeof PARTS): boolean => !text.replace(PARTS[kind], "").includes("%");

export const isMacroString = (text: string): boolean => isWellFormed(text, "explanation");

/** A text of macros that ends with a top-level label or with a macro. */
export function isDomainSpec(text: string): boolean {
  if (!isWellFormed(text, "domain")) return false;
  const rest = text.replace(PARTS.domain, "%");
  return rest.endsWith("%") || TOP_LABEL.test(text);
}

/** A domain; from the left, labels of a name that is too long are left out. */
export async function expandDomain(text: string, values: MacroValues): Promise<string> {
  let name = (await expand(text, values)).replace(/\.$/, "");
  while (name.length > MAX_NAME && name.includes(".")) name = name.slice(name.indexOf(".") + 1);
  return name;
}

/** Undefined for a text whose macros are not written right. */
export const expandExplanation = async (text: string, values: MacroValues): Promise<string | undefined> =>
  isMacroString(text) ? expand(text, values) : undefined;

async function expand(text: string, values: MacroValues): Promise<string> {
  let expanded = "";
  let from = 0;
  for (const found of text.matchAll(PART)) {
    expanded += text.slice(from, found.index) + (await valueFor(found[0], values));
    from = found.index + found[0].length;
    if (expanded.length > MAX_TEXT) return expanded.slice(0, MAX_TEXT);
  }
  return (expanded + text.slice(from)).slice(0, MAX_TEXT);
}

const SIGNS: Record<string, string> = { "%%": "%", "%_": " ", "%-": "%20" };

async function valueFor(text: string, values: MacroValues): Promise<string> {
  const sign = SIGNS[text];
  if (sign !== undefined) return sign;
  const [, letter = "", count, reverse, delimiters] = /^%\{(.)(\d*)(r?)(.*)\}$/i.exec(text) ?? [];
  const value = await values.of(letter.toLowerCase());
  const marks = delimiters || ".";
  let parts = [""];
  for (const char of value) {
    if (marks.includes(char)) parts.push("");
    else parts[parts.length - 1] += char;
  }
  if (reverse) parts = parts.reverse();
  const kept = count ? parts.slice(-Number(count)) : parts;
  const joined = kept.join(".").slice(0, MAX_MACRO);
  return letter === letter.toLowerCase() ? joined : escaped(joined);
}

/** As in an address: all but letters, digits and `-._~`. */
const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
