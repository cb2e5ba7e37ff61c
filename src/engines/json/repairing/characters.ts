/** Kinds of characters, as people and models mix them up. Undefined is the end of the text. */
type Char = string | undefined;

const among =
  (characters: string) =>
  (char: Char): boolean =>
    char !== undefined && characters.includes(char);

export const isDelimiter = /* @__PURE__ */ among(",:[]/{}()\n+");
/** Signs that end a text without quotes. */
export const isEndOfWord = /* @__PURE__ */ among(",[]/{}\n+");
const isDoubleQuoteLike = /* @__PURE__ */ among('"\u201c\u201d');
const isSingleQuoteLike = /* @__PURE__ */ among("'\u2018\u2019`\u00b4");

export const isQuote = (char: Char): boolean => isDoubleQuoteLike(char) || isSingleQuoteLike(char);

/** Which quotes end a text that this one opened: a straight one wants the same, the others one of their kind. */
export function closersOf(opener: Char): (char: Char) => boolean {
  if (opener === '"' || opener === "'") return (char) => char === opener;
  return isSingleQuoteLike(opener) ? isSingleQuoteLike : isDoubleQuoteLike;
}

export const isDigit = (char: Char): boolean => char !== undefined && char >= "0" && char <= "9";
export const isHex = (char: Char): boolean => char !== undefined && /^[0-9A-Fa-f]$/.test(char);
export const isNameStart = (char: Char): boolean => char !== undefined && /^[A-Za-z_$]$/.test(char);
export const isNamePart = (char: Char): boolean => char !== undefined && /^[\w$]$/.test(char);
export const isStartOfValue = (char: Char): boolean => isQuote(char) || (char !== undefined && /^[[{\w-]$/.test(char));
export const isBlank = /* @__PURE__ */ among(" \n\t\r");

/** Unicode's blanks, which JSON does not know. */
export const isSpecialBlank = (char: Char): boolean =>
  char !== undefined && /^[\u00a0\u180e\u2000-\u200b\u202f\u205f\u3000\ufeff]$/.test(char);

const CONTROLS: Readonly<Record<string, string>> = { "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The escape of a control character that has a letter. */
export const escapeOf = (char: string): string | undefined => CONTROLS[char];

const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&apos;": "'",
};
/** The longest is `&#x10FFFF;`. */
const LONGEST_ENTITY = 12;

export interface Entity {
  char: string;
  length: number;
}

/** An HTML entity that stands at a place of a text. */
export function entityAt(text: string, at: number): Entity | undefined {
  if (text[at] !== "&") return undefined;
  const part = text.slice(at, at + LONGEST_ENTITY);
  const written = part.slice(0, part.indexOf(";") + 1);
  const known = Object.hasOwn(ENTITIES, written) ? ENTITIES[written] : undefined;
  if (known !== undefined) return { char: known, length: written.length };
  const [, hex, decimal] = /^&#(?:[xX]([0-9A-Fa-f]+)|(\d+));$/.exec(written) ?? [];
  const code = Number.parseInt(hex ?? decimal ?? "", hex ? 16 : 10);
  return code <= 0x10ffff ? { char: String.fromCodePoint(code), length: written.length } : undefined;
}

/** The start of an address, whose slashes are no comment. */
export const isUrlStart = (text: string): boolean => /^(?:https?|ftp|mailto|file|data|irc):\/\/$/.test(text);
export const isUrlPart = (char: Char): boolean => char !== undefined && /^[A-Za-z0-9-._~:/?#@!$&'()*+;=]$/.test(char);
