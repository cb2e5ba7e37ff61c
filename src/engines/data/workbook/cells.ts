/** Values of a workbook's cells: ECMA-376, part 1, section 18.3.1.4. */
import type { Loss } from "./losses.js";
import { momentOf, type Shown } from "./serials.js";

export interface RawCell {
  place: string;
  type: string;
  style: number;
  hasFormula: boolean;
  /** Undefined if the cell has no element of that name. */
  value: string | undefined;
  inline: string | undefined;
}

export interface Book {
  strings: readonly string[];
  shown: readonly (Shown | undefined)[];
  is1904: boolean;
  lose(loss: Loss, place: string): void;
  /** Makes a number of its text, which JavaScript can hold. */
  number(text: string): unknown;
}

/** A text, number, boolean, day or time as text, or null. Texts keep their blanks. */
export function cellValue(cell: RawCell, book: Book): unknown {
  const { value, inline, hasFormula, place } = cell;
  // Some programs write the text of a cell in it without saying so.
  const type = cell.type === "n" && value === undefined && inline !== undefined ? "inlineStr" : cell.type;
  // Programs that do not calculate write an empty value beside the formula.
  if (hasFormula && inline === undefined && (value === undefined || (value === "" && type !== "str"))) {
    book.lose("formula", place);
    return null;
  }
  const reader = Object.hasOwn(READERS, type) ? READERS[type] : numberValue;
  return reader?.(cell, book) ?? null;
}

const READERS: Record<string, (cell: RawCell, book: Book) => unknown> = {
  inlineStr: ({ inline, value = "" }) => unescaped(inline ?? value) || null,
  str: ({ value = "" }) => unescaped(value) || null,
  s: sharedText,
  b: ({ value }) => (value ? /^\s*(?:1|true)\s*$/.test(value) : null),
  d: ({ value }) => (value ? isoText(value.trim()) : null),
  e({ value, place }, { lose }) {
    if (value) lose("error", `${place}: ${value}`);
    return value || null;
  },
};

function sharedText({ value, place }: RawCell, { strings, lose }: Book): unknown {
  if (!value) return null;
  const text = /^\s*\d+\s*$/.test(value) ? strings[Number(value)] : undefined;
  if (text === undefined) lose("missing", place);
  return text || null;
}

function numberValue({ style, place, value }: RawCell, { shown, is1904, lose, number }: Book): unknown {
  const text = value?.trim();
  if (!text) return null;
  const serial = Number(text);
  if (Number.isNaN(serial)) return text;
  // Workbooks write numbers as 17 digits of a binary fraction.
  const plain = number(Number.isFinite(serial) ? String(serial) : text);
  const how = shown[style];
  if (!how) return plain;
  const moment = Number.isFinite(serial) ? momentOf(serial, how, is1904) : { text: undefined };
  if (moment.text === undefined) lose("beyond dates", place);
  else if ("note" in moment && moment.note) lose(moment.note, place);
  return moment.text ?? plain;
}

/** Days and times of ISO 8601, as the numbers of other cells become. */
const isoText = (text: string): string =>
  text
    .replace(/^(\d{4}-\d\d-\d\d)T00:00(?::00(?:\.0+)?)?Z?$/, "$1")
    .replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.0+)?Z?$/, "$1Z");

/** Characters that XML does not allow are written as _x000D_. */
export const unescaped = (text: string): string =>
  text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
