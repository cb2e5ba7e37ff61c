/** Books (EPUB 3.3, W3C): their chapters in the order of the spine. */
import type { RootContent } from "mdast";
import { invalid } from "../../errors.js";
import { decodePage } from "../../lib/text/charset.js";
import { findElement, parseHtml, toDocument } from "../markdown/from-html.js";
import { type Hidden, hiddenNote, removeHidden } from "../markdown/hidden/hidden.js";
import { plainText } from "../markdown/write.js";
import { attribute, charactersIn, childAt, childrenNamed, inside, type Members, xmlPart } from "../xml/parts.js";
import { type Picture, paragraph, type ReadDocument, textNode } from "./document.js";

export function readEpub(members: Members): ReadDocument {
  const rootfile = childAt(xmlPart(members, "META-INF/container.xml"), "rootfiles", "rootfile");
  const part = attribute(rootfile, "full-path");
  const book = part === undefined ? undefined : xmlPart(members, part);
  if (!book || part === undefined)
    throw invalid("", "is not a book that can be read: META-INF/container.xml names no index");
  if (members.has("META-INF/encryption.xml") && members.has("META-INF/rights.xml"))
    throw invalid("", "is protected against copies: send a book without that");
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const items = new Map(childrenNamed(childAt(book, "manifest"), "item").map((item) => [attribute(item, "id"), item]));
  // Each once: to read one again costs as much.
  const chapters = distinct(
    childrenNamed(childAt(book, "spine"), "itemref")
      .map((reference) => items.get(attribute(reference, "idref")))
      // A table of contents repeats what follows.
      .filter((item) => item && !/\bnav\b/.test(attribute(item, "properties") ?? ""))
      .map((item) => inside(folder, decoded(attribute(item, "href") ?? ""))),
  );
  const metadata = childAt(book, "metadata");
  const facts = (name: string) =>
    childrenNamed(metadata, name)
      .map((one) => charactersIn(one).trim())
      .filter(Boolean);
  const [title = null] = facts("title");
  const authors = facts("creator");
  const blocks: RootContent[] = [
    ...factLine("Title", title ? [title] : []),
    ...factLine("Authors", authors),
    ...factLine("Publisher", facts("publisher")),
    ...factLine("Date", facts("date")),
    ...factLine("Description", facts("description").map(asText)),
  ];
  const missing = chapters.filter((name) => !members.has(name));
  const hidden: Hidden = { blocks: 0, characters: 0 };
  for (const name of chapters) blocks.push(...chapterOf(name, members, hidden));
  const images = picturesIn(items.values(), folder, members);
  const notes = [
    ...(missing.length > 0 ? [`${missing.length} of ${chapters.length} chapters are missing in the file`] : []),
    ...hiddenNote(hidden),
  ];
  return { title, author: authors.join(", ") || null, blocks, images, notes };
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

/** Publishers write descriptions in HTML. */
const asText = (description: string): string =>
  /<\w/.test(description) ? plainText(toDocument(parseHtml(description))).replace(/\s+/g, " ") : description;

function chapterOf(name: string, members: Members, hidden: Hidden): RootContent[] {
  const bytes = members.get(name);
  if (!bytes) return [];
  const page = parseHtml(decodePage(bytes, ""));
  const { blocks, characters } = removeHidden(page);
  hidden.blocks += blocks;
  hidden.characters += characters;
  return toDocument(findElement(page, "body") ?? page).children;
}

function factLine(name: string, values: readonly string[]): RootContent[] {
  if (values.length === 0) return [];
  return [paragraph([{ type: "strong", children: [textNode(`${name}:`)] }, textNode(` ${values.join(", ")}`)])];
}

function picturesIn(items: Iterable<Parameters<typeof attribute>[0]>, folder: string, members: Members): Picture[] {
  return [...items]
    .filter((item) => attribute(item, "media-type")?.startsWith("image/"))
    .map((item) => {
      const name = inside(folder, decoded(attribute(item, "href") ?? ""));
      return { name: name.replace(/^.*\//, ""), alt: "", bytes: members.get(name)?.length ?? 0 };
    });
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address.replace(/#.*$/, ""));
  } catch {
    return address;
  }
}
