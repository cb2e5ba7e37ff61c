/** JSON Feed, versions 1 and 1.1. */
import { invalid } from "../../errors.js";
import { parseJson, plainValue } from "../json/text.js";
import { type Base, isSafe, resolve } from "./addresses.js";
import { cleanHtml } from "./clean.js";
import { instantOf } from "./dates.js";
import { type Enclosure, type Feed, type FeedEntry, MAX_ENCLOSURES, MAX_ENTRIES } from "./feed.js";

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;
const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Throws INVALID_INPUT for other JSON. */
export function readJsonFeed(text: string, base: Base, limit: number): Feed {
  const document = parsed(text);
  if (!isObject(document) || !/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//.test(String(document.version)))
    throw invalid("", "is not a feed: JSON Feed has a version such as https://jsonfeed.org/version/1.1");
  return {
    format: "jsonfeed",
    title: textOf(document.title),
    url: addressOf(document.home_page_url, base),
    description: textOf(document.description),
    language: textOf(document.language),
    updated: null,
    entries: listOf(document.items)
      .slice(0, Math.min(limit, MAX_ENTRIES))
      .map((item) => entryOf(item, base)),
  };
}

function parsed(text: string): unknown {
  try {
    // Some number their entries, by more digits than JavaScript keeps.
    return /:\s*-?\d{16}/.test(text) ? plainValue(parseJson(text, "", { mayRepeat: true })) : JSON.parse(text);
  } catch {
    throw invalid("", "is not well-formed JSON");
  }
}

function entryOf(item: Members, base: Base): FeedEntry {
  const html = textOf(item.content_html);
  const plain = textOf(item.content_text);
  return {
    id: typeof item.id === "number" ? String(item.id) : textOf(item.id),
    title: textOf(item.title),
    url: addressOf(item.url, base) ?? addressOf(item.external_url, base),
    published: instantOf(textOf(item.date_published) ?? ""),
    updated: instantOf(textOf(item.date_modified) ?? ""),
    author: authorOf(item),
    summary: textOf(item.summary) ?? plain,
    html: html === null ? escaped(plain) : cleanHtml(html, { base }),
    enclosures: listOf(item.attachments)
      .flatMap((one) => enclosureOf(one, base))
      .slice(0, MAX_ENCLOSURES),
  };
}

const escaped = (text: string | null): string | null =>
  text?.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") ?? null;

function addressOf(value: unknown, base: Base): string | null {
  const address = resolve(textOf(value) ?? "", base);
  return address !== "" && isSafe(address) ? address : null;
}

function authorOf(item: Members): string | null {
  const authors = [...listOf(item.authors), ...(isObject(item.author) ? [item.author] : [])];
  return authors.map(({ name }) => textOf(name)).find((name) => name !== null) ?? null;
}

function enclosureOf(attachment: Members, base: Base): Enclosure[] {
  const url = addressOf(attachment.url, base);
  const length = attachment.size_in_bytes;
  if (url === null) return [];
  return [{ url, type: textOf(attachment.mime_type), length: Number.isSafeInteger(length) ? Number(length) : null }];
}
