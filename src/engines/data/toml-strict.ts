/** The rules of TOML 1.0 that a parser of TOML 1.1 does not hold, checked on a document that it has taken. */
import { invalid } from "../../errors.js";

const BARE = /[^\s,=[\]{}#"']+/y;
const TIME = /^(?:\d{4}-\d\d-\d\d[Tt])?\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)?$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt]|$)/;

interface State {
  /** Brackets that are open: lists, inline tables, and headers of tables. */
  open: ("list" | "table" | "header")[];
  /** The last of what stood before: a sign, or "word" for a key or value. */
  last: string;
}

/** Rejects what TOML 1.1 brought, and days that no calendar has. `text` is well-formed TOML 1.1; one pass over it. */
export function assertToml10(text: string): void {
  const state: State = { open: [], last: "\n" };
  for (let at = 0; at < text.length; ) at = afterPiece(text, at, state);
}

/** The place after the string, comment, word or sign at `at`. */
function afterPiece(text: string, at: number, state: State): number {
  const sign = text.charAt(at);
  if (sign === "#") return endOf(text, "\n", at);
  if (/[\s,=[\]{}]/.test(sign)) {
    takeSign(text, at, state);
    return at + 1;
  }
  const isString = sign === '"' || sign === "'";
  const end = isString ? stringEnd(text, at) : at + wordAt(text, at).length;
  if (!isString) assertWord(text, at, isValueNext(state));
  state.last = "word";
  return end;
}

const isValueNext = ({ open, last }: State): boolean => last === "=" || open.at(-1) === "list";

function takeSign(text: string, at: number, state: State): void {
  const sign = text.charAt(at);
  if (state.open.at(-1) === "table") assertInline(text, at, state.last);
  if (sign === "{") state.open.push("table");
  if (sign === "[") state.open.push(isValueNext(state) ? "list" : "header");
  if (sign === "}" || sign === "]") state.open.pop();
  if (!/[ \t\r]/.test(sign)) state.last = sign;
}

function endOf(text: string, sign: string, at: number): number {
  const end = text.indexOf(sign, at);
  return end < 0 ? text.length : end;
}

function wordAt(text: string, at: number): string {
  BARE.lastIndex = at;
  return BARE.exec(text)?.[0] ?? text.charAt(at);
}

/** A sign within an inline table. */
function assertInline(text: string, at: number, last: string): void {
  const sign = text.charAt(at);
  if (sign === "\n") throw notToml(text, at, "an inline table must stand in one line");
  if (sign === "}" && last === ",") throw notToml(text, at, "an inline table must not end with a comma");
}

/** Where a string ends that begins at `start`. Escapes count between double quotes only. */
function stringEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  const isLong = text.startsWith(quote.repeat(3), start);
  const closing = isLong ? quote.repeat(3) : quote;
  for (let at = start + closing.length; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "\\" && quote === '"') {
      at += 1;
      if (/[xe]/.test(text.charAt(at)))
        throw notToml(text, at, `\\${text.charAt(at)} is not an escape: write \\u and four digits`);
    } else if (sign === quote && text.startsWith(closing, at)) {
      let end = at + closing.length;
      // Up to two more quotes belong to a long string that ends with them.
      while (isLong && text.charAt(end) === quote && end < at + 5) end += 1;
      return end;
    }
  }
  return text.length;
}

function assertWord(text: string, at: number, isValue: boolean): void {
  const word = wordAt(text, at);
  // No key and no number has a colon.
  if (word.includes(":") && !TIME.test(word)) throw notToml(text, at, `${word.slice(0, 40)} must have seconds`);
  if (isValue && !isDay(word)) throw notToml(text, at, `${word.slice(0, 10)} is not a day of the calendar`);
}

/** False for days such as 30 February, which parsers that stand on JavaScript's dates take for 2 March. */
function isDay(word: string): boolean {
  const [, year, month, day] = (DATE.exec(word) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return true;
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days;
}

function notToml(text: string, at: number, what: string): Error {
  const before = text.slice(0, at).split("\n");
  const place = `(line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
  return invalid("", `is not TOML 1.0: ${what} ${place}`);
}
