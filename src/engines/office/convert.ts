/** A document of any kind as Markdown: the work of a thread. */
import { toHtml } from "hast-util-to-html";
import { invalid } from "../../errors.js";
import { readZip } from "../../lib/text/zip-bounds.js";
import { findElement, parseHtml, toDocument } from "../markdown/from-html.js";
import { hiddenNote, removeHidden } from "../markdown/hidden/hidden.js";
import { plainText, writeMarkdown } from "../markdown/write.js";
import { isArticle, readArticleHtml } from "../pages/article.js";
import { type Decoded, decodeBytes } from "./charset.js";
import type { Picture, ReadDocument } from "./document.js";
import { type Kind, kindOfArchive, kindOfText } from "./kinds.js";

export interface DocumentTask {
  bytes: Uint8Array;
  /** By its first bytes. */
  isArchive: boolean;
}

export interface MarkdownDocument {
  kind: Kind;
  title: string | null;
  author: string | null;
  /** Of a text; null for an archive, whose parts name their own. */
  charset: string | null;
  markdown: string;
  images: Picture[];
  notes: string[];
}

const MAX_IMAGES = 2_000;

/** Throws INVALID_INPUT for what cannot be read, RESULT_TOO_LARGE for what is too large. */
export async function documentToMarkdown({ bytes, isArchive }: DocumentTask): Promise<MarkdownDocument> {
  const { kind, charset, document } = isArchive ? await readArchive(bytes) : await readText(bytes);
  const { title, author, blocks, images, notes } = document;
  return {
    kind,
    title: title ?? headingIn(document),
    ...{ author, charset },
    markdown: writeMarkdown({ type: "root", children: blocks }),
    images: images.slice(0, MAX_IMAGES),
    notes,
  };
}

interface Read {
  kind: Kind;
  charset: string | null;
  document: ReadDocument;
}

async function readArchive(bytes: Uint8Array): Promise<Read> {
  const members = await readZip(bytes, () => true, "");
  const kind = kindOfArchive(members);
  const read = {
    docx: async () => (await import("./docx.js")).readDocx(members),
    pptx: async () => (await import("./pptx.js")).readPptx(members),
    odt: async () => (await import("./odt.js")).readOdt(members),
    epub: async () => (await import("./epub.js")).readEpub(members),
    xlsx: async () => (await import("./sheets.js")).readWorkbookText(members),
  }[kind as "docx"];
  return { kind, charset: null, document: await read() };
}

/** Throws INVALID_INPUT for bytes that are no text. */
export function decodeDocument(bytes: Uint8Array): Decoded {
  if (isOldOffice(bytes))
    throw invalid("", "is of an Office before 2007, or has a password: save it as DOCX, PPTX or XLSX without one");
  const head = Buffer.from(bytes.subarray(0, 2_000)).toString("latin1");
  const decoded = decodeBytes(bytes, /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(head)?.[1]);
  if (decoded.text.includes("\0")) throw invalid("", "is not a document: its bytes are neither text nor an archive");
  return decoded;
}

async function readText(bytes: Uint8Array): Promise<Read> {
  const { text, charset } = decodeDocument(bytes);
  const kind = kindOfText(text);
  const read = {
    eml: async () => (await import("./eml.js")).readEml(bytes),
    csv: async () => (await import("./sheets.js")).readCsvText(text),
    ipynb: async () => (await import("./ipynb.js")).readIpynb(text),
    html: async () => readHtml(text),
  }[kind as "html"];
  return { kind, charset, document: await read() };
}

/** The article of a page that has one: menus are not a part of a document. */
function readHtml(text: string): ReadDocument {
  const page = parseHtml(text);
  const hidden = removeHidden(page);
  const title = findElement(page, "title");
  const words = title?.children.map((child) => ("value" in child ? child.value : "")).join("");
  const html = hidden.blocks + hidden.characters === 0 ? text : toHtml(page);
  const article = isArticle(html) ? readArticleHtml({ html }) : undefined;
  const shown = article ? parseHtml(article.content) : page;
  const blocks = toDocument(findElement(shown, "body") ?? shown).children;
  const notes = [
    ...(article
      ? ["menus and what else surrounds the article are left out: html.to-markdown takes the whole page"]
      : []),
    ...hiddenNote(hidden),
  ];
  return { title: words?.trim() || null, author: article?.byline ?? null, blocks, images: [], notes };
}

function headingIn({ blocks }: ReadDocument): string | null {
  const heading = blocks.find(({ type }) => type === "heading");
  return (heading && plainText(heading).trim()) || null;
}

/** The container of DOC, XLS, PPT and MSG, and of encrypted documents. */
const isOldOffice = (bytes: Uint8Array): boolean =>
  [0xd0, 0xcf, 0x11, 0xe0].every((byte, place) => bytes[place] === byte);
