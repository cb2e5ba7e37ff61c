/** PDFs as Markdown: the work of a thread. */

import type { RootContent } from "mdast";
import type { PDFPageProxy } from "pdfjs-dist";
import { writeMarkdown } from "../markdown/write.js";
import { heading, type ListLine, listsOf, paragraph, textNode, textTable } from "../office/document.js";
import { blocksOf, type PageContent, type PdfBlock, repeatedLines, sizesOf } from "./blocks.js";
import { openPage, type PdfInput, withPdf } from "./open.js";
import { readRules } from "./page/rules.js";
import { type PageText, readSpans, type Span } from "./page/spans.js";
import { selectPages } from "./pages.js";
import { findTables } from "./tables/tables.js";
import { factsOf, notesOf, upright } from "./text.js";

export interface PdfMarkdownTask extends PdfInput {
  /** Whether tables are looked for. */
  tables: boolean;
}

export interface PdfMarkdown {
  pageCount: number;
  /** How many were read, which is what a call costs. */
  pagesRead: number;
  markdown: string;
  title: string | null;
  tables: { page: number; rows: string[][]; bbox: number[]; ruled: boolean }[];
  notes: string[];
}

export const pdfToMarkdown = ({ tables: wantsTables, ...input }: PdfMarkdownTask): Promise<PdfMarkdown> =>
  withPdf(input, async (document) => {
    const { numbers, note } = selectPages(input.pages, document.numPages);
    const pages: PageContent[] = [];
    let unknown = 0;
    for (const number of numbers) {
      const page = await openPage(document, number);
      const { content, read } = await readPage(page, number, wantsTables);
      pages.push(content);
      unknown += read.unknown;
      page.cleanup();
    }
    const { markdown, title, repeated } = markdownOf(pages);
    const hasText = pages.some(({ spans }) => spans.length > 0);
    const { metadata } = await factsOf(document);
    return {
      pageCount: document.numPages,
      pagesRead: pages.length,
      markdown,
      title: metadata.title ?? title,
      tables: pages.flatMap(({ number, tables }) =>
        tables.map(({ rows, bbox, ruled }) => ({
          page: number,
          rows,
          bbox: bbox.map((at) => Math.round(at * 10) / 10),
          ruled,
        })),
      ),
      notes: [
        ...(note ? [note] : []),
        ...(repeated.size > 0
          ? [
              `headers and footers that pages repeat are left out: ${[...repeated].map(withoutPlace).join("; ").slice(0, 500)}`,
            ]
          : []),
        ...notesOf(hasText, unknown),
      ],
    };
  });

/** Pages as one document: the largest letters of all are its title, and what pages repeat is left out. */
export function markdownOf(pages: readonly PageContent[]) {
  const [sizes, repeated] = [sizesOf(pages), repeatedLines(pages)];
  const numbering = new Map<string, number>();
  const blocks = pages.flatMap((page) => blocksOf(page, sizes, repeated, numbering));
  return { markdown: writeMarkdown({ type: "root", children: treeOf(blocks) }), title: titleOf(blocks), repeated };
}

const withoutPlace = (key: string): string => key.replace(/^(?:top|bottom) /, "");

/** A page that is turned is read as its reader holds it; parts of another direction come last. */
export async function readPage(
  page: PDFPageProxy,
  number: number,
  wantsTables: boolean,
): Promise<{ content: PageContent; read: PageText }> {
  const read = await readSpans(page);
  const { spans, width, height } = read;
  const straight = spans.filter(({ angle }) => angle === 0);
  const rules = wantsTables && straight.length > 0 ? await readRules(page) : undefined;
  const tables = rules ? findTables(straight, rules) : [];
  return { content: { number, width, height, spans: [...straight, ...turned(spans, height)], tables }, read };
}

/** Texts that run in other directions, below the page. */
function turned(spans: readonly Span[], height: number): Span[] {
  return [90, 180, 270].flatMap((angle, i) => {
    const group = spans.filter((span) => span.angle === angle).map(upright);
    const top = Math.min(...group.map(({ y }) => y));
    return group.map((span) => ({ ...span, y: span.y - top + height * (i + 2) }));
  });
}

function titleOf(blocks: readonly PdfBlock[]): string | null {
  const first = blocks.find((block) => block.kind === "heading" && block.level === 1);
  return first?.kind === "heading" ? first.text : null;
}

function treeOf(blocks: readonly PdfBlock[]): RootContent[] {
  const tree: RootContent[] = [];
  let lines: ListLine[] = [];
  let last: number | undefined;
  const endList = () => {
    tree.push(...listsOf(lines));
    lines = [];
  };
  for (const block of blocks) {
    if (block.kind === "item") {
      // Markdown counts the items of a list itself.
      if (block.ordered && last !== undefined && block.start !== last + 1) endList();
      last = block.ordered ? block.start : undefined;
      lines.push({
        level: block.level,
        isOrdered: block.ordered,
        start: block.start,
        blocks: [paragraph([textNode(block.text)])],
      });
      continue;
    }
    endList();
    last = undefined;
    tree.push(...nodesOf(block));
  }
  endList();
  return tree;
}

function nodesOf(block: Exclude<PdfBlock, { kind: "item" }>): RootContent[] {
  if (block.kind === "heading") return [heading(block.level, [textNode(block.text)])];
  if (block.kind === "table") return [textTable(block.rows)];
  return block.text ? [paragraph([textNode(block.text)])] : [];
}
