/** RSS in all its versions, RDF, Atom and CDF: one walk over the elements, which share their names. */
import { invalid } from "../../errors.js";
import { parseXml, type XmlElement } from "../../lib/xml/parse.js";
import { type Base, innerBase, resolve } from "./addresses.js";
import { plainText, readFeedText, type TextKind, type TextPlace } from "./content.js";
import { instantOf } from "./dates.js";
import { type Feed, type FeedEntry, type FeedFormat, MAX_ENTRIES } from "./feed.js";
import { Item } from "./item.js";
import { linkOf } from "./links.js";
import { type Named, type Namespaces, namedOf, ROOT_NAMESPACES } from "./names.js";
import { authorOf } from "./person.js";
import { preparedXml } from "./xml-text.js";

const FORMATS: Record<string, FeedFormat> = { rss: "rss", "rdf:rdf": "rdf", feed: "atom", channel: "cdf" };

/** Throws INVALID_INPUT for other documents. */
export function readXmlFeed(text: string, base: Base, limit: number): Feed {
  const root = parseXml(preparedXml(text));
  const named = namedOf(root, ROOT_NAMESPACES);
  const format = Object.hasOwn(FORMATS, named.name) ? FORMATS[named.name] : undefined;
  if (!format)
    throw invalid("", `is not a feed: its root is <${root.name.slice(0, 50)}>, not rss, rdf:RDF, feed or channel`);
  return new FeedReader(format, isAtom10(root)).read(root, base, limit);
}

const isAtom10 = ({ attributes }: XmlElement): boolean =>
  attributes.some(([name, uri]) => name.startsWith("xmlns") && uri.toLowerCase() === "http://www.w3.org/2005/atom");

interface Place {
  named: Named;
  base: Base;
  item: Item;
  depth: number;
}

/** By the usual names of elements. Those that are missing here are looked into. */
const TEXTS: Record<string, ["title" | "subtitle" | "summary" | "description" | "content", TextKind]> = {
  title: ["title", "text/plain"],
  "dc:title": ["title", "text/plain"],
  "media:title": ["title", "text/plain"],
  subtitle: ["subtitle", "text/plain"],
  tagline: ["subtitle", "text/plain"],
  "itunes:subtitle": ["subtitle", "text/plain"],
  summary: ["summary", "text/plain"],
  "itunes:summary": ["summary", "text/plain"],
  description: ["description", "text/html"],
  "dc:description": ["description", "text/html"],
  "media:description": ["description", "text/html"],
  abstract: ["description", "text/plain"],
  content: ["content", "text/plain"],
  "content:encoded": ["content", "text/html"],
  fullitem: ["content", "text/html"],
  body: ["content", "application/xhtml+xml"],
  "xhtml:body": ["content", "application/xhtml+xml"],
};
const DATES: Record<string, "published" | "updated"> = {
  ...{ published: "published", issued: "published", pubdate: "published", "dcterms:issued": "published" },
  ...{
    updated: "updated",
    modified: "updated",
    lastbuilddate: "updated",
    "dc:date": "updated",
    "dcterms:modified": "updated",
  },
};
const AUTHORS = new Set(["author", "managingeditor", "dc:author", "dc:creator", "itunes:author"]);
const LANGUAGES = new Set(["language", "dc:language"]);
/** Elements whose content is told of something else. */
const OTHERS = new Set(["image", "textinput", "source", "contributor", "dc:contributor", "itunes:owner", "cloud"]);
const of = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

class FeedReader {
  readonly #feed = new Item();
  readonly #entries: Item[] = [];

  constructor(
    private readonly format: FeedFormat,
    private readonly atom10: boolean,
  ) {}

  read(root: XmlElement, base: Base, limit: number): Feed {
    this.#visit(root, { namespaces: ROOT_NAMESPACES, base, item: this.#feed, depth: 0 });
    const feed = this.#feed;
    return {
      format: this.format,
      title: feed.value("title"),
      url: feed.url || null,
      description: feed.value("description") ?? feed.value("subtitle") ?? feed.value("summary"),
      language: feed.value("language"),
      updated: feed.value("updated") ?? feed.value("published"),
      entries: this.#entries.slice(0, Math.min(limit, MAX_ENTRIES)).map(entryOf),
    };
  }

  #visit(element: XmlElement, around: { namespaces: Namespaces; base: Base; item: Item; depth: number }): void {
    const named = namedOf(element, around.namespaces);
    const { attributes } = named;
    const base = innerBase(attributes.get("xml:base") ?? attributes.get("base"), around.base);
    const place = { named, base, item: around.item, depth: around.depth };
    if (named.name === "item" || named.name === "entry") place.item = this.#newEntry(place);
    else if (this.#take(element, place)) return;
    this.#takeOwn(place);
    for (const child of element.children)
      if (typeof child !== "string")
        this.#visit(child, { namespaces: named.namespaces, base, item: place.item, depth: around.depth + 1 });
  }

  #newEntry({ named, base, depth }: Place): Item {
    const entry = new Item();
    this.#entries.push(entry);
    const about = named.attributes.get("rdf:about");
    if (about !== undefined) entry.set("id", resolve(about, base), depth + 1);
    return entry;
  }

  /** Facts that an element tells by its attributes: the language of a feed, and in CDF its address and date. */
  #takeOwn({ named: { name, attributes }, base, item, depth }: Place): void {
    const language = attributes.get("xml:lang") ?? attributes.get("lang");
    if (language && Object.hasOwn(FORMATS, name)) item.set("language", language.replaceAll("_", "-"), depth);
    if (name !== "channel" && name !== "item") return;
    const [href, modified] = [attributes.get("href"), attributes.get("lastmod")];
    if (href !== undefined) item.link(resolve(href, base), { isPage: true });
    if (modified !== undefined) item.set("updated", instantOf(modified) ?? "", depth);
  }

  /** True if nothing more is to be found inside. */
  #take(element: XmlElement, place: Place): boolean {
    const { named, item, depth } = place;
    const { name } = named;
    if (OTHERS.has(name)) return true;
    const text = of(TEXTS, name);
    if (text) this.#takeText(element, text, place);
    const date = of(DATES, name);
    if (date) item.set(date, instantOf(plainText(element)) ?? "", depth);
    if (AUTHORS.has(name)) item.set("author", authorOf(element, named), depth);
    if (LANGUAGES.has(name)) item.set("language", plainText(element), depth);
    if (name === "link" || name === "enclosure") linkOf(element, place);
    if (name === "guid" || name === "id") this.#takeId(element, place);
    return (text ?? date) !== undefined || AUTHORS.has(name) || name === "link";
  }

  #takeText(element: XmlElement, [key, byDefault]: (typeof TEXTS)[string], { named, base, item, depth }: Place): void {
    const isAtom = this.format === "atom";
    const place: TextPlace = { base, namespaces: named.namespaces, isAtom, isAtom10: this.atom10 };
    const value = readFeedText(element, named, byDefault, place);
    if (key === "title") {
      if (value.value === "") return;
      // A title of a picture counts where the entry has none.
      item.setFirst("title", value, named.name === "media:title" ? depth + 1_000 : depth);
    } else if (item === this.#feed) {
      if (named.name.startsWith("itunes:")) item.setFirst(key, value, depth);
      else item.set(key, value, depth);
    } else this.#takeEntryText(key, value, { named, base, item, depth });
  }

  /** A second text beside a summary is content. */
  #takeEntryText(key: (typeof TEXTS)[string][0], value: ReturnType<typeof readFeedText>, { item, depth }: Place): void {
    if (key === "content") {
      if (item.hasContent) return;
      item.hasContent = true;
      item.set("content", value, 0);
    } else if (key === "description" || key === "summary") {
      if (item.has("summary") && !item.hasContent && !item.has("content")) item.set("content", value, depth);
      else item.set("summary", value, depth);
    }
  }

  #takeId(element: XmlElement, { named, base, item, depth }: Place): void {
    const isLink = (named.attributes.get("ispermalink") ?? "true").toLowerCase() === "true";
    const written = plainText(element);
    const id = isLink ? resolve(written, base) : written;
    item.set("id", id, depth);
    if (isLink && id !== "" && item.url === undefined) item.link(id, { isPage: false });
  }
}

function entryOf(item: Item): FeedEntry {
  const content = item.text("content");
  const summary = item.text("summary");
  const html = content ?? (summary?.isHtml ? summary : undefined);
  return {
    id: item.value("id"),
    title: item.value("title"),
    url: item.url || null,
    published: item.value("published"),
    updated: item.value("updated"),
    author: item.value("author"),
    summary: summary?.value || (content && isText(content.type) ? content.value : null) || null,
    html: html && isText(html.type) ? asHtml(html) : null,
    enclosures: item.enclosures,
  };
}

const isText = (type: string): boolean =>
  type === "text/plain" || type === "text/html" || type === "application/xhtml+xml";

const asHtml = ({ value, isHtml }: { value: string; isHtml: boolean }): string | null =>
  (isHtml ? value : value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")) || null;
