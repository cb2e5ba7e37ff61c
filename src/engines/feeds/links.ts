/** Links of feeds: to a page, or to a file that belongs to an entry. */
import type { XmlElement } from "../../lib/xml/parse.js";
import { type Base, isSafe, resolve } from "./addresses.js";
import { plainText } from "./content.js";
import type { Item } from "./item.js";
import type { Named } from "./names.js";

/** Kinds of media that are pages. */
const PAGES = new Set(["text/html", "application/xhtml+xml", "html", "xhtml"]);

export function linkOf(element: XmlElement, { named, base, item }: { named: Named; base: Base; item: Item }): void {
  const { attributes, name } = named;
  const rel = name === "enclosure" ? "enclosure" : (attributes.get("rel") ?? "alternate").toLowerCase();
  const type = attributes.get("type")?.toLowerCase();
  const given = attributes.get("url") ?? attributes.get("uri") ?? attributes.get("href");
  const address = safe(resolve(given ?? plainText(element), base));
  if (rel === "enclosure") {
    if (address !== "") item.enclose({ url: address, type: type ?? null, length: bytesIn(attributes.get("length")) });
    return;
  }
  const isPage = rel === "alternate" && PAGES.has(type ?? "text/html");
  if (isPage || given === undefined) item.link(address, { isPage });
}

const safe = (address: string): string => (isSafe(address) ? address : "");

function bytesIn(text: string | undefined): number | null {
  const bytes = Number(text?.trim() || Number.NaN);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}
