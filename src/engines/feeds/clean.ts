/** HTML of a feed, cleaned by what is allowed: every tag is written anew. */
import { type Base, isSafe, resolve } from "./addresses.js";
import {
  attributes as allowedAttributes,
  elements,
  isAddress,
  isRelative,
  isVoid,
  keywords,
  properties,
} from "./allowed.js";
import { decodeReferences, entityNamed } from "./entities.js";
import { type FeedToken, tokensOf } from "./tokens.js";

export interface CleanOptions {
  base: Base;
  /** Whether `<b/>` is an element without content, as XML has it. */
  isXml?: boolean;
}

/** Elements whose text goes with them. */
const WITH_TEXT = /^(?:applet|script|style)$/;

export function cleanHtml(html: string, { base, isXml = false }: CleanOptions): string {
  const pieces: string[] = [];
  let hidden = 0;
  const source = html
    .replaceAll("&#39;", "'")
    .replaceAll("&#34;", '"')
    .replace(/<!(?!doctype|--)/gi, "&lt;!");
  for (const token of tokensOf(source)) {
    const isTag = token.kind === "start" || token.kind === "end";
    if (isTag && WITH_TEXT.test(token.name)) hidden = Math.max(0, hidden + stepOf(token));
    else if (isTag) pieces.push(tagOf(token, base, isXml));
    else if (hidden === 0) pieces.push(token.kind === "text" ? escapedText(token.text) : reference(token.text));
  }
  return pieces.join("").trim().replaceAll("\r\n", "\n");
}

type Tag = FeedToken & { kind: "start" | "end" };

const stepOf = (tag: Tag): number => (tag.kind === "end" ? -1 : tag.isClosed ? 0 : 1);

function tagOf(tag: Tag, base: Base, isXml: boolean): string {
  if (!elements().has(tag.name)) return "";
  if (tag.kind === "start") return startOf(tag, base, isXml);
  return isVoid(tag.name) ? "" : `</${tag.name}>`;
}

/** A lone & between blanks is what it is. */
const escapedText = (text: string): string => text.replace(/&(?=[a-z#])/gi, "&amp;").replaceAll("<", "&lt;");

function startOf({ name, attributes, isClosed }: FeedToken & { kind: "start" }, base: Base, isXml: boolean): string {
  const kept = [...attributes]
    .filter(([key]) => allowedAttributes().has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value]) => {
      const clean = cleanValue(name, key, value, base);
      return clean === undefined ? [] : [` ${key}="${quoted(clean)}"`];
    });
  if (isVoid(name)) return `<${name}${kept.join("")} />`;
  const isEmpty = isClosed && (isXml || attributes.size === 0);
  return `<${name}${kept.join("")}>${isEmpty ? `</${name}>` : ""}`;
}

/** Undefined for an attribute that is left out. */
function cleanValue(element: string, key: string, value: string, base: Base): string | undefined {
  if (key === "style") return cleanStyle(decodeReferences(value)) || undefined;
  if (key === "rel" || key === "type") return value.toLowerCase();
  if (!isAddress(key)) return value;
  const address = isRelative(element, key) ? resolve(value, base) : value;
  // guard: addresses in a feed run no code | always | feed
  return isSafe(address) ? address : "";
}

const quoted = (value: string): string =>
  value
    .replace(/&(?!#\d+;|#x[0-9a-f]+;|\w+;)/gi, "&amp;")
    .replaceAll(">", "&gt;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");

/** Numbers of Windows' characters become those of Unicode; names that HTML does not know become text. */
function reference(text: string): string {
  const [, hex, decimal, name] = /^&(?:#x([0-9a-f]+)|#(\d+)|(\w+));$/i.exec(text) ?? [];
  if (name !== undefined) return entityNamed(name) === undefined ? `&amp;${name};` : text;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const mapped = windowsCharacter(code);
  return mapped === undefined ? text.toLowerCase() : `&#x${mapped.codePointAt(0)?.toString(16)};`;
}

/** The characters that Windows has between 128 and 159. */
export function windowsCharacter(code: number): string | undefined {
  if (code < 128 || code > 159) return undefined;
  const char = new TextDecoder("windows-1252").decode(Uint8Array.of(code));
  return char.charCodeAt(0) === code ? undefined : char;
}

const MAX_STYLE = 2_000;
const VALUE = /^(?:#[0-9a-f]+|rgb\(\d+%?,\d*%?,?\d*%?\)?|\d{0,2}\.?\d{0,2}(?:cm|em|ex|in|mm|pc|pt|px|%|,|\))?)$/;
const CHARACTERS = /^(?:[:,;#%.\s!a-zA-Z0-9]|(?<=\w)-(?=\w)|'[\s\w]+'|"[\s\w]+"|\([\d,\s]+\))*$/;

/** Properties that only colour and place; "" for a style that is not written right, or says more. */
function cleanStyle(style: string): string {
  if (style.length > MAX_STYLE) return "";
  const plain = style.replace(/url\s{0,9}\([^)]{0,500}\)\s{0,9}/g, " ");
  if (!CHARACTERS.test(plain)) return "";
  const rules = plain.split(";").map((rule) => /^\s*([-\w]+)\s*:\s*([^:]*)$/.exec(rule));
  if (rules.some((rule, place) => rule === null && plain.split(";")[place]?.trim() !== "")) return "";
  const kept = rules.flatMap((rule) => {
    const [, property = "", value = ""] = rule ?? [];
    return value !== "" && isHarmless(property.toLowerCase(), value) ? [`${property}: ${value};`] : [];
  });
  return kept.join(" ");
}

function isHarmless(property: string, value: string): boolean {
  if (properties().has(property)) return true;
  if (!/^(?:background|border|margin|padding)(?:-|$)/.test(property)) return false;
  return value.split(/\s+/).every((word) => word === "" || keywords().has(word) || VALUE.test(word));
}
