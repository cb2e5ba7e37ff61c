/** The text layer of a PDF, and what the document says of itself: the work of a thread. */
import type { PDFDocumentProxy } from "pdfjs-dist";
import { openPage, type PdfInput, withPdf } from "./open.js";
import { inReadingOrder } from "./page/columns.js";
import { pdfjs } from "./page/library.js";
import { linesOf, lineText } from "./page/lines.js";
import { type PageText, readSpans, type Span } from "./page/spans.js";
import { selectPages } from "./pages.js";

export interface PdfTextTask extends PdfInput {
  /** Whether words come with their places. */
  boxes?: boolean | undefined;
}

export interface Word {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface PdfText {
  pageCount: number;
  encrypted: boolean;
  hasTextLayer: boolean;
  metadata: { title: string | null; author: string | null; producer: string | null; created: string | null };
  outline: { title: string; level: number; page: number | null }[];
  text: string;
  pages: { page: number; text: string; width: number; height: number; rotation: number; words?: Word[] }[];
  attachments: string[];
  notes: string[];
}

export const pdfText = ({ boxes = false, ...input }: PdfTextTask): Promise<PdfText> =>
  withPdf(input, async (document) => {
    const { numbers, note } = selectPages(input.pages, document.numPages);
    const pages: PdfText["pages"] = [];
    let unknown = 0;
    for (const number of numbers) {
      const page = await openPage(document, number);
      const read = await readSpans(page);
      unknown += read.unknown;
      pages.push({
        page: number,
        text: pageText(read),
        ...{ width: rounded(read.width), height: rounded(read.height), rotation: read.rotation },
        ...(boxes ? { words: read.spans.flatMap(wordsOf) } : {}),
      });
      page.cleanup();
    }
    const hasTextLayer = pages.some(({ text }) => text.trim() !== "");
    return {
      pageCount: document.numPages,
      ...(await factsOf(document)),
      hasTextLayer,
      outline: await outlineOf(document),
      text: pages.map(({ text }) => text).join("\n\n"),
      pages,
      attachments: await attachmentsOf(document),
      notes: [...(note ? [note] : []), ...notesOf(hasTextLayer, unknown)],
    };
  });

export function notesOf(hasTextLayer: boolean, unknown: number): string[] {
  return [
    ...(hasTextLayer ? [] : ["the pages have no text layer, as in a scan: ai.ocr reads pictures of pages"]),
    ...(unknown > 0
      ? [`${unknown} characters have no meaning outside of their font, and stand as private characters`]
      : []),
  ];
}

/** Text that runs as the page does comes first; then what is turned. */
export function pageText({ spans }: PageText): string {
  return [0, 90, 180, 270]
    .map((angle) => spans.filter((span) => span.angle === angle))
    .filter((group) => group.length > 0)
    .map((group, i) =>
      inReadingOrder(linesOf(i === 0 && group[0]?.angle === 0 ? group : group.map(upright)))
        .map(lineText)
        .join("\n"),
    )
    .join("\n");
}

/** A turned span as a reader sees it who turns the page. */
export function upright(span: Span): Span {
  const { x, y, w, h, angle } = span;
  if (angle === 90) return { ...span, angle: 0, x: y, y: -x - w, w: h, h: w };
  if (angle === 270) return { ...span, angle: 0, x: -y - h, y: x, w: h, h: w };
  if (angle === 180) return { ...span, angle: 0, x: -x - w, y: -y - h };
  return span;
}

const rounded = (points: number): number => Math.round(points * 100) / 100;

/** A span's words; widths within a span go by the number of characters. */
function wordsOf({ text, x, y, w, h, angle }: Span): Word[] {
  const share = text.length > 0 ? 1 / text.length : 0;
  const runsDown = angle === 90 || angle === 270;
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const [from, length] = [index * share, word.length * share];
    const place = runsDown ? { x, y: y + h * from, w, h: h * length } : { x: x + w * from, y, w: w * length, h };
    return { text: word, x: rounded(place.x), y: rounded(place.y), w: rounded(place.w), h: rounded(place.h) };
  });
}

export async function factsOf(document: PDFDocumentProxy): Promise<Pick<PdfText, "encrypted" | "metadata">> {
  const { PDFDateString } = await pdfjs();
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const facts = info as Record<string, unknown>;
  const fact = (name: string): string | null => {
    const value = facts[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 2_000) : null;
  };
  const created = PDFDateString.toDateObject(fact("CreationDate") ?? "");
  return {
    encrypted: fact("EncryptFilterName") !== null,
    metadata: {
      ...{ title: fact("Title"), author: fact("Author"), producer: fact("Producer") },
      created: created && !Number.isNaN(created.getTime()) ? created.toISOString().replace(".000Z", "Z") : null,
    },
  };
}

const MAX_OUTLINE = 1_000;
type OutlineItem = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>[number];

async function outlineOf(document: PDFDocumentProxy): Promise<PdfText["outline"]> {
  const outline: PdfText["outline"] = [];
  const open: { items: OutlineItem[]; level: number }[] = [
    { items: (await document.getOutline().catch(() => null)) ?? [], level: 1 },
  ];
  for (let at = open.at(-1); at && outline.length < MAX_OUTLINE; at = open.at(-1)) {
    const item = at.items.shift();
    if (!item) {
      open.pop();
      continue;
    }
    outline.push({ title: item.title.trim(), level: at.level, page: await pageOf(document, item.dest) });
    if (item.items.length > 0 && at.level < 20) open.push({ items: [...item.items], level: at.level + 1 });
  }
  return outline;
}

async function pageOf(document: PDFDocumentProxy, destination: OutlineItem["dest"]): Promise<number | null> {
  try {
    const place = typeof destination === "string" ? await document.getDestination(destination) : destination;
    const [target] = place ?? [];
    if (typeof target === "number") return target + 1;
    return target ? (await document.getPageIndex(target)) + 1 : null;
  } catch {
    return null;
  }
}

async function attachmentsOf(document: PDFDocumentProxy): Promise<string[]> {
  const attachments = (await document.getAttachments().catch(() => null)) as Record<
    string,
    { filename?: string }
  > | null;
  return Object.entries(attachments ?? {})
    .slice(0, MAX_OUTLINE)
    .map(([key, { filename }]) => filename ?? key);
}
