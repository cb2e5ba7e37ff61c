/** The pages of a PDF for a model: what they say as text, and which ones are pictures. The work of a thread. */
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { writeMarkdown } from "../markdown/write.js";
import { textTable } from "../office/document.js";
import type { PageContent } from "./blocks.js";
import { markdownOf, readPage } from "./markdown.js";
import { openPage, type PdfInput, withPdf } from "./open.js";
import { pdfjs } from "./page/library.js";
import { selectPages } from "./pages.js";
import { factsOf, pageText } from "./text.js";

export interface PdfLayersTask extends PdfInput {
  /** Characters after which no further page is read. */
  enough?: number | undefined;
}

export interface PageLayer {
  page: number;
  text: string;
  /** Whether the page is a picture, beside a stamp or a number at most. */
  isScan: boolean;
}

export interface PdfLayers {
  pageCount: number;
  title: string | null;
  /** Of the text layers. */
  markdown: string;
  /** Those that were read. */
  pages: PageLayer[];
  /** How many of the document's or the caller's pages were not. */
  left: number;
  /** As Markdown. */
  tables: string[];
}

/** Fewer letters than these on a picture are those of a stamp, or of whoever made the scan. */
const MIN_LETTERS = 24;

export const pdfLayers = ({ enough = Number.POSITIVE_INFINITY, ...input }: PdfLayersTask): Promise<PdfLayers> =>
  withPdf(input, async (document) => {
    const { numbers } = selectPages(input.pages, document.numPages);
    const contents: PageContent[] = [];
    const pages: PageLayer[] = [];
    let length = 0;
    for (const number of numbers) {
      const { content, layer } = await readLayer(document, number);
      contents.push(content);
      pages.push(layer);
      length += layer.text.length;
      if (length >= enough) break;
    }
    const { metadata } = await factsOf(document);
    const { markdown, title } = markdownOf(contents);
    return {
      pageCount: document.numPages,
      title: metadata.title ?? title,
      ...{ markdown, pages },
      left: (input.pages === undefined ? document.numPages : numbers.length) - pages.length,
      tables: contents.flatMap(({ tables }) =>
        tables.map(({ rows }) => writeMarkdown({ type: "root", children: [textTable(rows)] }).trim()),
      ),
    };
  });

async function readLayer(document: PDFDocumentProxy, number: number) {
  const page = await openPage(document, number);
  const { content, read } = await readPage(page, number, true);
  const text = pageText(read);
  const layer = { page: number, text, isScan: await isPicture(page, text) };
  page.cleanup();
  return { content, layer };
}

/** Letters may also be drawn as outlines; a page that paints nothing is blank. */
async function isPicture(page: PDFPageProxy, text: string): Promise<boolean> {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters >= MIN_LETTERS) return false;
  const { OPS } = await pdfjs();
  const painting = new Set<number>([
    ...[OPS.paintImageXObject, OPS.paintImageXObjectRepeat, OPS.paintInlineImageXObject],
    ...[OPS.paintInlineImageXObjectGroup, OPS.paintImageMaskXObject, OPS.paintImageMaskXObjectRepeat],
    OPS.paintImageMaskXObjectGroup,
    ...(letters === 0 ? [OPS.constructPath] : []),
  ]);
  const { fnArray } = await page.getOperatorList();
  return fnArray.some((operator) => painting.has(operator));
}
