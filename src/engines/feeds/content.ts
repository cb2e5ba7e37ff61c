/** Texts of feeds: plain, escaped HTML, or elements, each in its own words. */
import type { XmlElement } from "../../lib/xml/parse.js";
import type { Base } from "./addresses.js";
import { elements } from "./allowed.js";
import { cleanHtml, windowsCharacter } from "./clean.js";
import { entityNamed } from "./entities.js";
import { type Named, type Namespaces, namedOf, usualName } from "./names.js";

export type TextKind = "text/plain" | "text/html" | "application/xhtml+xml";

export interface FeedText {
  /** Cleaned where it is HTML. */
  value: string;
  isHtml: boolean;
  /** As written: the kind of media, if it is none of text. */
  type: string;
}

export interface TextPlace {
  base: Base;
  namespaces: Namespaces;
  /** Atom says what a text is; in other formats HTML is guessed. */
  isAtom: boolean;
  /** Atom 1.0 puts elements into a div, which does not belong to them. */
  isAtom10: boolean;
}

const TYPES: Record<string, string> = {
  text: "text/plain",
  plain: "text/plain",
  html: "text/html",
  xhtml: "application/xhtml+xml",
};

export function readFeedText(element: XmlElement, named: Named, byDefault: TextKind, place: TextPlace): FeedText {
  const given = named.attributes.get("type")?.toLowerCase();
  const declared =
    given === undefined ? byDefault : ((Object.hasOwn(TYPES, given) ? TYPES[given] : undefined) ?? given);
  const { text, hasElements } = markupOf(element, declared, named.namespaces, place);
  let type = hasElements && !declared.endsWith("xml") ? "application/xhtml+xml" : declared;
  let value = text.trim();
  if (isBase64(named, type)) {
    const decoded = fromBase64(value);
    // Plain text, too, is taken for HTML.
    if (decoded !== undefined && !type.startsWith("text/") && !type.endsWith("xml")) type = "text/html";
    value = decoded ?? value;
  }
  if (!place.isAtom && type === "text/plain" && looksLikeHtml(value)) type = "text/html";
  value = withoutWindows(value);
  if (type === "text/html" || type === "application/xhtml+xml")
    return { value: cleanHtml(value, { base: place.base, isXml: type !== "text/html" }), isHtml: true, type };
  return { value: withoutDanger(value), isHtml: false, type };
}

/** The texts of an element alone. */
export const plainText = (element: XmlElement): string =>
  element.children
    .filter((child) => typeof child === "string")
    .join("")
    .trim();

/** Elements are written as they were, without their prefixes. */
function markupOf(element: XmlElement, declared: string, namespaces: Namespaces, { isAtom10 }: TextPlace) {
  const isXml = declared.endsWith("xml");
  const div = onlyDiv(element);
  const isDivOfText = div !== undefined && !isXml && hasOnlyText(div);
  if (isDivOfText || (hasOnlyText(element) && declared !== "application/xhtml+xml"))
    return { text: plainText(isDivOfText ? div : element), hasElements: false };
  const parts = div && (isAtom10 || !isXml) ? div.children : element.children;
  return { text: parts.map((part) => written(part, namespaces)).join(""), hasElements: !hasOnlyText(element) };
}

const hasOnlyText = ({ children }: XmlElement): boolean => children.every((child) => typeof child === "string");

/** The div that is all there is. */
function onlyDiv({ children }: XmlElement): XmlElement | undefined {
  const [only, ...others] = children.filter((child) => typeof child !== "string" || child.trim() !== "");
  const isDiv = typeof only === "object" && /^(?:[^:]+:)?div$/i.test(only.name);
  return isDiv && others.length === 0 ? only : undefined;
}

function written(part: XmlElement | string, around: Namespaces): string {
  if (typeof part === "string") return part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const { namespaces } = namedOf(part, around);
  const name = usualName(part.name, namespaces).split(":").at(-1) ?? "";
  const attributes = part.attributes
    .filter(([key]) => !key.startsWith("xmlns"))
    .map(
      ([key, value]) =>
        ` ${key}="${value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")}"`,
    );
  return `<${name}${attributes.join("")}>${part.children.map((child) => written(child, namespaces)).join("")}</${name}>`;
}

function isBase64({ attributes }: Named, type: string): boolean {
  const mode = attributes.get("mode");
  return mode === "base64" || !(mode !== undefined || type.startsWith("text/") || /[+/]xml$/.test(type) || type === "");
}

/** Undefined for other bytes. */
function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/=\s]*$/.test(text)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    return undefined;
  }
}

/** Whether a text that says nothing of itself is HTML: known tags and names alone, and one that closes or stands for a character. */
function looksLikeHtml(text: string): boolean {
  if (!/<\/\w+>|&#?\w+;/.test(text)) return false;
  for (const [, name = ""] of text.matchAll(/<\/?(\w+)/g)) if (!elements().has(name.toLowerCase())) return false;
  for (const [, name = ""] of text.matchAll(/&(\w+);/g)) if (entityNamed(name) === undefined) return false;
  return true;
}

const withoutWindows = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, (char) => windowsCharacter(char.charCodeAt(0)) ?? char);

const DANGER =
  /<\/?(?:applet|base|embed|form|frame|iframe|img|input|link|math|meta|object|script|style|svg)\b|<[^<>]{0,200}\bon\w{1,30}\s{0,9}=/i;

/** A plain text that would run something where it is taken for HTML has no tags. */
const withoutDanger = (text: string): string => (DANGER.test(text) ? text.replaceAll("<", "&lt;") : text);
