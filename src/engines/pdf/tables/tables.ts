/** Tables of a page: those that lines divide first, then those whose columns white space divides. */

import { boundsOf, joinHyphens, linesOf, lineText, type PdfLine } from "../page/lines.js";
import { type Spacing, spacingOf, withBlank } from "../page/pieces.js";
import type { Rules } from "../page/rules.js";
import type { Span } from "../page/spans.js";
import { spend } from "../page/work.js";
import { type Candidate, candidatesIn } from "./candidates.js";
import type { Box, Grid, GridCell } from "./grid.js";
import { gridsOf } from "./grid.js";
import { alignedTable } from "./white-space.js";

export interface PdfTable {
  rows: string[][];
  /** Left, top, right and bottom, in points from the upper left corner. */
  bbox: [number, number, number, number];
  /** Whether lines divide its cells. */
  ruled: boolean;
  /** The texts that it took. */
  spans: ReadonlySet<Span>;
}

/** Fewer lines are no table under a title. */
const MIN_ROWS = 3;

/** From top to bottom. Spans run from left to right. */
export function findTables(spans: readonly Span[], rules: Rules): PdfTable[] {
  const tables: PdfTable[] = [];
  const left = new Set(spans);
  const spacing = spacingOf(spans);
  for (const grid of gridsOf(rules)) {
    spend("steps", left.size);
    const inside = [...left].filter((span) => contains(grid, span));
    const found = tableOfGrid(grid, inside, rules, spacing);
    if (!found) continue;
    tables.push(found);
    for (const span of found.spans) left.delete(span);
  }
  for (const candidate of candidatesIn(linesOf([...left]), rules, spacing)) {
    const found = tableUnderTitle(candidate, rules);
    if (found) tables.push(found);
  }
  return tables.sort((a, b) => a.bbox[1] - b.bbox[1]);
}

const isBeside = (box: Box, { y, h }: Span): boolean => y + h / 2 > box.y - 1 && y + h / 2 < box.bottom + 1;

const contains = (box: Box, span: Span): boolean => {
  const across = span.x + span.w / 2;
  return across > box.x - 1 && across < box.right + 1 && isBeside(box, span);
};

function tableOfGrid(grid: Grid, spans: readonly Span[], rules: Rules, spacing: Spacing): PdfTable | undefined {
  const spansIn = spansByCell(spans);
  const cells = grid.cells.map((cell) => ({ cell, lines: linesOf(spansIn(cell)) }));
  const filled = cells.filter(({ lines }) => lines.length > 0);
  // Frames around a text, and bars of diagrams.
  if (filled.length < 4 && !isDividedFurther(filled)) return undefined;
  if (isDividedFurther(filled)) {
    const lines = linesOf(spans);
    return whiteSpaceTable({ lines, spacing: withBlank(lines, spacing) }, rules, true);
  }
  const rows = Array.from({ length: grid.rowCount }, () => Array<string>(grid.columnCount).fill(""));
  for (const { cell, lines } of filled) {
    const row = rows[cell.row];
    if (row) row[cell.column] = textOfLines(lines);
  }
  const kept = withoutEmpty(rows);
  if (kept.length < 2 || (kept[0]?.length ?? 0) < 2) return undefined;
  return { rows: kept, bbox: [grid.x, grid.y, grid.right, grid.bottom], ruled: true, spans: new Set(spans) };
}

/** Cells of a row stand at the same height: of all spans they share out those that stand there. */
function spansByCell(spans: readonly Span[]): (cell: GridCell) => Span[] {
  const rows = new Map<string, Span[]>();
  return (cell) => {
    const key = `${cell.y},${cell.bottom}`;
    const known = rows.get(key);
    if (!known) spend("steps", spans.length);
    const row = known ?? spans.filter((span) => isBeside(cell, span));
    rows.set(key, row);
    spend("steps", row.length);
    return row.filter((span) => contains(cell, span));
  };
}

type Filled = readonly { cell: GridCell; lines: PdfLine[] }[];

/** Whether cells of a grid hold rows and columns of their own: its lines divide only a part of the table. */
function isDividedFurther(filled: Filled): boolean {
  const divided = filled.flatMap(({ lines }) => lines.filter(({ segments }) => segments.length > 1));
  return divided.length >= 2 || rowsInRows(filled);
}

/** Whether cells beside each other have several lines each, at the same heights. */
function rowsInRows(filled: Filled): boolean {
  const rows = new Map<number, PdfLine[][]>();
  for (const { cell, lines } of filled) if (cell.rows === 1) rows.set(cell.row, [...(rows.get(cell.row) ?? []), lines]);
  return [...rows.values()].some((cells) => {
    const tall = cells.filter((lines) => lines.length >= 3);
    const [first] = tall;
    const aligned = tall.filter(
      (lines) => lines.filter((line, i) => Math.abs(line.bottom - (first?.[i]?.bottom ?? 0)) < 2).length >= 3,
    );
    const short = aligned.flat().filter((line) => lineText(line).length <= 25);
    return aligned.length >= 2 && aligned.length >= cells.length * 0.6 && short.length >= aligned.flat().length * 0.7;
  });
}

/** Lines of a title that a table may have above its columns. */
const MAX_TITLE = 3;

/** A title with gaps of its own hides the columns below it: without these, its lines are left out, one by one. */
function tableUnderTitle({ lines, spacing }: Candidate, rules: Rules): PdfTable | undefined {
  for (let first = 0; first === 0 || (first <= MAX_TITLE && lines.length - first >= MIN_ROWS); first++) {
    const found = whiteSpaceTable({ lines: lines.slice(first), spacing }, rules);
    if (found) return found;
  }
  return undefined;
}

function whiteSpaceTable(
  { lines, spacing }: Candidate,
  { horizontal, vertical }: Rules,
  isFramed = false,
): PdfTable | undefined {
  const rows = alignedTable(lines, { across: horizontal, down: vertical, spacing });
  if (!rows) return undefined;
  const kept = withoutEmpty(rows);
  if (kept.length < 2 || (kept[0]?.length ?? 0) < 2) return undefined;
  const { x, y, right, bottom } = boundsOf(lines);
  const spans = new Set(lines.flatMap(({ segments }) => segments.flatMap((segment) => segment.spans)));
  return { rows: kept, bbox: [x, y, right, bottom], ruled: isFramed, spans };
}

const textOfLines = (lines: readonly PdfLine[]): string => joinHyphens(lines.map(lineText));

function withoutEmpty(rows: readonly string[][]): string[][] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, i) => i).filter((i) => rows.some((row) => row[i]));
  return rows.filter((row) => row.some(Boolean)).map((row) => columns.map((i) => row[i] ?? ""));
}
