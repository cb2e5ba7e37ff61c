/** Headings, paragraphs and lists of pages, by the size of their letters, their distances and their first signs. */
import { inReadingOrder } from "./page/columns.js";
import { joinHyphens, linesOf, lineText, mainSize, type PdfLine } from "./page/lines.js";
import { type Mark, marksOf, type Numbering } from "./page/numbering.js";
import type { Span } from "./page/spans.js";
import { spend } from "./page/work.js";
import type { PdfTable } from "./tables/tables.js";

export interface PageContent {
  number: number;
  width: number;
  height: number;
  spans: Span[];
  tables: PdfTable[];
}

export type PdfBlock =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "item"; text: string; level: number; ordered: boolean; start: number }
  | { kind: "table"; rows: string[][] };

interface Part {
  y: number;
  line?: PdfLine;
  table?: PdfTable;
}

/** The size of most letters, and the larger sizes that headings have, the largest first. */
export interface Sizes {
  body: number;
  headings: number[];
}

/** A heading's letters are so much larger than the others. */
const LARGER = 1.12;
const MAX_HEADING = 200;
const MAX_LEVELS = 4;

export function sizesOf(pages: readonly PageContent[]): Sizes {
  const all = pages.flatMap(({ spans, tables }) => {
    const inTables = new Set(tables.flatMap((table) => [...table.spans]));
    return spans.filter((span) => !inTables.has(span));
  });
  const body = mainSize(all) || 10;
  const larger = new Map<number, number>();
  for (const { size, text } of all) {
    const rounded = Math.round(size);
    if (size > body * LARGER && /\p{L}/u.test(text)) larger.set(rounded, (larger.get(rounded) ?? 0) + text.length);
  }
  const headings = [...larger.keys()].sort((a, b) => b - a);
  return { body, headings: headings.slice(0, MAX_LEVELS) };
}

/** The blocks of a page, in reading order; tables stand where they begin. */
export function blocksOf(
  page: PageContent,
  sizes: Sizes,
  repeated: ReadonlySet<string>,
  numbering: Numbering = new Map(),
): PdfBlock[] {
  const inTables = new Set(page.tables.flatMap(({ spans }) => [...spans]));
  const lines = linesOf(page.spans.filter((span) => !inTables.has(span))).filter(
    (line) => !repeated.has(repeatedKey(line, page)),
  );
  const ordered = inReadingOrder(lines);
  return blocksIn(withTables(ordered, page.tables), { ...sizes, marks: marksOf(ordered, numbering) });
}

/** Tables between the lines above and below which they stand. */
function withTables(lines: readonly PdfLine[], tables: readonly PdfTable[]): Part[] {
  const parts: Part[] = lines.map((line) => ({ y: line.y, line }));
  for (const table of tables) {
    const top = table.bbox[1];
    spend("steps", parts.length);
    const after = parts.findIndex(
      ({ line, y }) => y > top && (!line || (line.right > table.bbox[0] && line.x < table.bbox[2])),
    );
    parts.splice(after < 0 ? parts.length : after, 0, { y: top, table });
  }
  return parts;
}

const BULLET = /^[•‣◦▪▫●○■□–—*·➢➤\uf0b7\uf0a7-]\s+(?=\S)/u;
const NUMBERED = /^(\d{1,3})\.\s+(?=\S)/;

/** Facts of the page that reading its lines takes. */
interface Known extends Sizes {
  /** Lines that a number or letter in parentheses makes part of a list. */
  marks: ReadonlyMap<PdfLine, Mark>;
}

function blocksIn(parts: readonly Part[], known: Known): PdfBlock[] {
  const blocks: PdfBlock[] = [];
  let open: { lines: PdfLine[]; build: (texts: string[]) => PdfBlock } | undefined;
  const end = () => {
    if (open) blocks.push(open.build(open.lines.map(lineText)));
    open = undefined;
  };
  for (const { line, table } of parts) {
    if (table) {
      end();
      blocks.push({ kind: "table", rows: table.rows });
    } else if (line) {
      const level = headingLevel(line, known);
      const build = level ? headingOf(level) : (itemOf(line, known) ?? paragraphOf);
      if (open && goesOn(open.lines, line, level, known)) open.lines.push(line);
      else {
        end();
        open = { lines: [line], build };
      }
    }
  }
  end();
  return blocks;
}

const paragraphOf = (texts: string[]): PdfBlock => ({ kind: "paragraph", text: joinHyphens(texts) });
const headingOf =
  (level: number) =>
  (texts: string[]): PdfBlock => ({ kind: "heading", level, text: joinHyphens(texts) });

function itemOf(line: PdfLine, { marks }: Known): ((texts: string[]) => PdfBlock) | undefined {
  const text = lineText(line);
  const listed = marks.get(line);
  if (listed?.isLetter) return paragraphOf;
  const [mark] = BULLET.exec(text) ?? [];
  const [number, digits] = NUMBERED.exec(text) ?? [];
  if (!mark && !number && !listed) return undefined;
  const cut = mark?.length ?? number?.length ?? listed?.length;
  const start = digits ?? listed?.number;
  return (texts) => ({
    kind: "item",
    text: joinHyphens(texts).slice(cut),
    level: 0,
    ordered: !mark,
    start: Number(start ?? 1),
  });
}

function headingLevel(line: PdfLine, { body, headings }: Sizes): number | undefined {
  const text = lineText(line);
  if (text.length > MAX_HEADING || !/\p{L}/u.test(text)) return undefined;
  if (line.size <= body * LARGER) return undefined;
  const at = headings.findIndex((size) => Math.round(line.size) >= size);
  return at < 0 ? headings.length || undefined : at + 1;
}

/** Whether a line belongs to the block above it. */
function goesOn(above: readonly PdfLine[], line: PdfLine, level: number | undefined, known: Known): boolean {
  const last = above.at(-1) as PdfLine;
  const [first] = above as [PdfLine];
  const gap = line.y - last.bottom;
  // Another column, or another page.
  if (gap < -last.size || gap > 0.75 * Math.max(line.size, last.size)) return false;
  if ((level ?? 0) !== (headingLevel(last, known) ?? 0)) return false;
  if (itemOf(line, known)) return false;
  // A short line ends a paragraph where the next one begins with a capital or is indented.
  const isIndented = line.x - first.x > 1.2 * line.size && above.length > 1 && !itemOf(first, known);
  return !isIndented && !(endsEarly(last, line) && /^[\p{Lu}\d"“(]/u.test(lineText(line)) && !level);
}

function endsEarly(last: PdfLine, next: PdfLine): boolean {
  const width = Math.max(last.right, next.right) - Math.min(last.x, next.x);
  return /[.:!?]["”)]?$/.test(lineText(last)) && last.right < Math.min(last.x, next.x) + width * 0.8;
}

/** The part of a page in which headers and footers stand. */
const MARGIN = 0.09;

function repeatedKey(line: PdfLine, { height }: PageContent): string {
  const isAtEdge = line.bottom < height * MARGIN || line.y > height * (1 - MARGIN);
  return isAtEdge ? `${line.y < height / 2 ? "top" : "bottom"} ${lineText(line).replace(/\d+/g, "#")}` : "";
}

/** Where letters stand that may be a part of a line at an edge. */
const isNearEdge = ({ y, h, angle }: Span, { height }: PageContent): boolean =>
  angle === 0 && (y + h < height * MARGIN * 2 || y > height * (1 - MARGIN * 2));

/** Headers and footers: lines at the edges that most pages have, whatever number stands in them. */
export function repeatedLines(pages: readonly PageContent[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const keys = new Set(
      linesOf(page.spans.filter((span) => isNearEdge(span, page))).map((line) => repeatedKey(line, page)),
    );
    for (const key of keys) if (key) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = Math.max(3, pages.length * 0.5);
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}
