/** XML to values and back: attributes are members with @, text beside them is #text, and what repeats is a list. */

import { parseXml, type XmlElement } from "../../lib/xml/parse.js";
import { has, isObject, type Members, setMember } from "../json/members.js";
import { ExactNumber } from "../json/text.js";
import { inferred } from "./cells.js";
import type { DataReadOptions } from "./formats.js";

export function readXml(text: string, options: Pick<DataReadOptions, "types" | "note">): Members {
  const root = parseXml(text);
  const members: Members = {};
  setMember(members, root.name, elementValue(root, options));
  return members;
}

function elementValue(element: XmlElement, options: Pick<DataReadOptions, "types" | "note">): unknown {
  const textValue = (text: string) => (options.types === "infer" ? inferred(text) : text);
  const children = element.children.filter((child): child is XmlElement => typeof child !== "string");
  const texts = element.children.filter((child) => typeof child === "string");
  if (children.length === 0 && element.attributes.length === 0) return textValue(texts.join(""));
  const members: Members = {};
  for (const [name, value] of element.attributes) setMember(members, `@${name}`, textValue(value));
  const text = texts.join("").trim();
  if (text !== "") {
    setMember(members, "#text", textValue(text));
    if (children.length > 0) options.note(`<${element.name}> has text between its elements, whose order is lost`);
  }
  const lists = new Map<string, unknown[]>();
  for (const child of children) {
    const value = elementValue(child, options);
    const list = lists.get(child.name);
    if (list) list.push(value);
    else if (!has(members, child.name)) setMember(members, child.name, value);
    else {
      const both = [members[child.name], value];
      lists.set(child.name, both);
      setMember(members, child.name, both);
    }
  }
  return members;
}

const XML_NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_.\-·]*(?::[\p{L}_][\p{L}\p{N}\p{M}_.\-·]*)?$/u;

/** XML text. A value without one root element gets `root`, rows of a list `item`; names are made ones that XML has. */
export function writeXml(value: unknown, indent: number, note: (message: string) => void): string {
  const [only, ...more] = isObject(value) ? Object.entries(value) : [];
  const isRoot = only && more.length === 0 && !Array.isArray(only[1]) && XML_NAME.test(only[0]);
  if (!isRoot) note("the value has no single root, and became <root>");
  const lines: string[] = ['<?xml version="1.0" encoding="UTF-8"?>'];
  const [name, content] = isRoot ? only : ["root", Array.isArray(value) ? { item: value } : value];
  writeElement(name, content, { indent, depth: 0, note, lines });
  return `${lines.join(indent > 0 ? "\n" : "")}\n`;
}

interface Writing {
  indent: number;
  depth: number;
  note: (message: string) => void;
  lines: string[];
}

function writeElement(name: string, value: unknown, writing: Writing): void {
  if (Array.isArray(value)) {
    for (const one of value) writeElement(name, Array.isArray(one) ? { item: one } : one, writing);
    return;
  }
  const { indent, depth, note, lines } = writing;
  const tag = tagOf(name, note);
  const margin = " ".repeat(indent * depth);
  if (isMembers(value)) writeMembers(tag, Object.entries(value), writing);
  else {
    const text = textOf(value, note);
    lines.push(text === "" ? `${margin}<${tag}/>` : `${margin}<${tag}>${text}</${tag}>`);
  }
}

const isMembers = (value: unknown): value is Members => isObject(value) && !(value instanceof ExactNumber);

function writeMembers(tag: string, entries: [string, unknown][], writing: Writing): void {
  const { indent, depth, note, lines } = writing;
  const margin = " ".repeat(indent * depth);
  const isAttribute = ([key, one]: [string, unknown]) => /^@./.test(key) && !isMembers(one) && !Array.isArray(one);
  const attributes = entries
    .filter(isAttribute)
    .map(([key, one]) => ` ${tagOf(key.slice(1), note)}="${attributeOf(one, note)}"`);
  const inner = entries.filter((entry) => !isAttribute(entry));
  const start = `${margin}<${tag}${attributes.join("")}`;
  const [first] = inner;
  if (!first) lines.push(`${start}/>`);
  else if (inner.length === 1 && first[0] === "#text") lines.push(`${start}>${textOf(first[1], note)}</${tag}>`);
  else {
    lines.push(`${start}>`);
    for (const [key, one] of inner)
      if (key === "#text") lines.push(textOf(one, note));
      else writeElement(key, one, { ...writing, depth: depth + 1 });
    lines.push(`${margin}</${tag}>`);
  }
}

const attributeOf = (value: unknown, note: (message: string) => void): string =>
  textOf(value, note).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");

function tagOf(name: string, note: (message: string) => void): string {
  if (XML_NAME.test(name)) return name;
  const made = `_${name.replace(/[^\p{L}\p{N}_.-]/gu, "_")}`;
  note(`${JSON.stringify(name).slice(0, 60)} is not a name of XML and became ${made.slice(0, 60)}`);
  return made;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters.
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

function textOf(value: unknown, note: (message: string) => void): string {
  const text = value instanceof ExactNumber ? value.text : value === null ? "" : String(value);
  if (text.search(FORBIDDEN) >= 0) note("characters that XML does not allow were left out");
  return text
    .replace(FORBIDDEN, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}
