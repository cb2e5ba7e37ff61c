/** GS1 data as people write it, in brackets, and as scanners send it, with FNC1 between elements. */
import { entryAt, entryOf, maxLength } from "./dictionary.js";
import {
  type Element,
  type ElementFault,
  MAX_ELEMENTS,
  unreadable,
  valueFinding,
  wholeValueFinding,
} from "./element.js";

export interface ReadElements {
  elements: Element[];
  faults: ElementFault[];
}

/** `(01)09521234543213(10)ABC`; a bracket inside a value stands behind a backslash. Throws Unreadable. */
export function readBrackets(data: string, year: number): ReadElements {
  const read: ReadElements = { elements: [], faults: [] };
  for (let at = 0; at < data.length; ) {
    const end = data.indexOf(")", at);
    if (data[at] !== "(" || end < 0) throw unreadable("AI_PARSE_FAILED", at);
    const ai = data.slice(at + 1, end);
    const entry = entryOf(ai);
    if (!entry) throw unreadable("AI_UNRECOGNISED", at + 1, ai.slice(0, 4));
    if (end + 1 === data.length) throw unreadable("AI_PARSE_FAILED", end, ai);
    const { value, next } = bracketValue(data, end + 1);
    add(read, { entry, value, at: end + 1 });
    const caret = value.indexOf("^");
    const found =
      caret >= 0 ? { code: "AI_CONTAINS_ILLEGAL_CARAT_CHARACTER", at: caret } : wholeValueFinding(entry, value, year);
    if (found) read.faults.push({ code: found.code, ai, position: end + 1 + found.at });
    at = next;
  }
  return read;
}

function bracketValue(data: string, from: number): { value: string; next: number } {
  let value = "";
  for (let at = from; ; ) {
    const bracket = data.indexOf("(", at);
    if (bracket < 0) return { value: value + data.slice(at), next: data.length };
    if (data[bracket - 1] !== "\\" || bracket === from)
      return { value: value + data.slice(at, bracket), next: bracket };
    value += `${data.slice(at, bracket - 1)}(`;
    at = bracket + 1;
  }
}

function add({ elements }: ReadElements, element: Element): void {
  // guard: a label has a largest number of elements | gone | product/gs1
  if (elements.length >= MAX_ELEMENTS) throw unreadable("TOO_MANY_AIS", element.at, element.entry.ai);
  elements.push(element);
}

/** Symbology identifiers of the codes that carry GS1 data; scanners send them instead of the first FNC1. */
const SYMBOLOGY = /^\](?:C1|e0|d2|Q3|J1)/;
const FNC1 = "^";

/** FNC1 is `^` or the control character GS, also the first character. Throws Unreadable. */
export function readMessage(data: string, year: number): ReadElements {
  const start = SYMBOLOGY.test(data) ? 3 : 1;
  const message = data.replaceAll("\x1d", FNC1);
  if (start === 1 && !message.startsWith(FNC1)) throw unreadable("MISSING_FNC1_IN_FIRST_POSITION", 0);
  if (message.length === start) throw unreadable("AI_DATA_EMPTY", start);
  const read: ReadElements = { elements: [], faults: [] };
  for (let at = start; at < message.length; ) at = readNext(read, message, at, year);
  return read;
}

/** Reads the element at a place, and answers where the next one begins. */
function readNext(read: ReadElements, message: string, at: number, year: number): number {
  const entry = entryAt(message, at);
  if (!entry) throw unreadable("NO_AI_FOR_PREFIX", at);
  const { ai } = entry;
  const from = at + ai.length;
  const fnc1 = message.indexOf(FNC1, from);
  const longest = from + maxLength(entry);
  const end = Math.min(fnc1 < 0 ? message.length : fnc1, longest);
  const value = message.slice(from, end);
  if (value === "") throw unreadable("AI_DATA_IS_EMPTY", from, ai);
  const found = valueFinding(entry, value, year);
  if (found?.code === "AI_DATA_HAS_INCORRECT_LENGTH") throw unreadable(found.code, from + found.at, ai);
  add(read, { entry, value, at: from });
  if (found) read.faults.push({ code: found.code, ai, position: from + found.at });
  if (end === message.length || message[end] === FNC1) return end + 1;
  if (entry.separator) throw unreadable("AI_DATA_IS_TOO_LONG", longest, ai);
  return end;
}

/** The identifiers and values of a message, whatever their values are; empty where an identifier is unknown. */
export function splitMessage(message: string): { ai: string; value: string }[] {
  const parts: { ai: string; value: string }[] = [];
  for (let at = 0; at < message.length; ) {
    const entry = entryAt(message, at);
    if (!entry) return [];
    const from = at + entry.ai.length;
    const gs = message.indexOf("\x1d", from);
    const until = gs < 0 ? message.length : gs;
    const end = entry.separator ? until : Math.min(until, from + maxLength(entry));
    parts.push({ ai: entry.ai, value: message.slice(from, end) });
    at = message[end] === "\x1d" ? end + 1 : end;
  }
  return parts;
}

const escaped = (value: string): string => value.replaceAll("(", "\\(");

export const bracketed = (elements: readonly Element[]): string =>
  elements.map(({ entry, value }) => `(${entry.ai})${escaped(value)}`).join("");

export const humanReadable = (elements: readonly Element[]): string[] =>
  elements.map(({ entry, value }) => `(${entry.ai}) ${value}`);

/** With `^` for FNC1, which stands first and behind elements that need a separator. */
export function barcodeMessage(elements: readonly Element[]): string {
  let message = FNC1;
  for (const [index, { entry, value }] of elements.entries()) {
    const before = elements[index - 1];
    message += `${before?.entry.separator ? FNC1 : ""}${entry.ai}${value}`;
  }
  return message;
}
