/**
 * XML in one pass without a tree, for parts of millions of elements. It is as strict as `parse.ts` about document types, and
 * lets pass what does not change what is read.
 */
import { invalid } from "../../errors.js";

export interface XmlVisitor {
  /** `name` is without its prefix. An empty element is closed at once. */
  open(name: string, attributes: () => Attributes): void;
  close(name: string): void;
  /** Characters between two tags, which may come in pieces. */
  text(text: string): void;
}

export type Attributes = Record<string, string | undefined>;

/** A name begins behind a blank or a value, so that a long text is tried once and not at each of its characters. */
const ATTRIBUTE = /(?<![^\s"'/])([^\s=/]{1,64})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g;
const NAMED: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Throws INVALID_INPUT for what is not XML, and for document types. */
export function scanXml(xml: string, visitor: XmlVisitor): void {
  let at = 0;
  while (at < xml.length) {
    const next = xml.indexOf("<", at);
    const end = next < 0 ? xml.length : next;
    if (end > at) visitor.text(expanded(xml.slice(at, end)));
    if (next < 0) return;
    at = markup(xml, next, visitor);
  }
}

/** The place after a tag, comment, instruction or section. */
function markup(xml: string, at: number, visitor: XmlVisitor): number {
  const sign = xml[at + 1];
  if (sign === "?") return after(xml, "?>", at + 2);
  if (sign !== "!") return tag(xml, at, visitor);
  if (xml.startsWith("<!--", at)) return after(xml, "-->", at + 4);
  if (!xml.startsWith("<![CDATA[", at))
    throw invalid("", "has document types, which are not read: leave out <!DOCTYPE and its entities");
  const end = after(xml, "]]>", at + 9);
  visitor.text(xml.slice(at + 9, end - 3));
  return end;
}

function tag(xml: string, start: number, visitor: XmlVisitor): number {
  const end = endOfTag(xml, start + 1);
  const isEnd = xml[start + 1] === "/";
  const isEmpty = xml[end - 1] === "/";
  const body = xml.slice(start + (isEnd ? 2 : 1), isEmpty ? end - 1 : end);
  const blank = body.search(/\s/);
  const whole = blank < 0 ? body : body.slice(0, blank);
  const name = whole.slice(whole.indexOf(":") + 1);
  if (isEnd) visitor.close(name);
  else visitor.open(name, () => (blank < 0 ? {} : attributesOf(body.slice(blank))));
  if (isEmpty && !isEnd) visitor.close(name);
  return end + 1;
}

/** Values of attributes may hold `>`. */
function endOfTag(xml: string, start: number): number {
  let quote = "";
  for (let at = start; at < xml.length; at++) {
    const char = xml[at];
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at;
    else if (char === "<") break;
  }
  throw invalid("", "is not well-formed XML: a tag does not end");
}

function after(xml: string, mark: string, from: number): number {
  const end = xml.indexOf(mark, from);
  if (end < 0) throw invalid("", `is not well-formed XML: ${mark} is missing`);
  return end + mark.length;
}

/** By their names without prefix. */
function attributesOf(text: string): Attributes {
  const attributes: Attributes = Object.create(null);
  for (const [, name = "", double, single = ""] of text.matchAll(ATTRIBUTE))
    attributes[name.slice(name.indexOf(":") + 1)] = expanded(double ?? single);
  return attributes;
}

const expanded = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w{1,10}));/g, (whole, decimal, hex, name) =>
        name === undefined
          ? character(decimal ? Number(decimal) : Number.parseInt(hex, 16), whole)
          : (NAMED.get(name) ?? whole),
      )
    : text;

const character = (code: number, whole: string): string =>
  code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
