/** Rows of a table without lines: a cell may have several lines of text. */
import type { Line } from "./lines.js";
import type { Rule } from "./rules.js";
import { spend } from "./work.js";

export interface Cells {
  line: Line;
  cells: string[];
}

/** Lines nearer than so many font sizes may be one row. */
const NEAR = 0.7;
/** A head has so many lines at most. */
const MAX_HEAD = 5;

/** One row for the lines of text that a reader sees as one. */
export function mergedRows(rows: readonly Cells[], across: readonly Rule[]): string[][] {
  const merged: Cells[] = [];
  const head = headOf(rows, across);
  rows.forEach((row, i) => {
    const last = merged.at(-1);
    if (last && !isDivided(last.line, row.line, across) && ((i > head.from && i < head.until) || goesOn(last, row)))
      merged[merged.length - 1] = joined(last, row);
    else merged.push(row);
  });
  return merged.map(({ cells }) => cells);
}

const isNear = (above: Line, below: Line): boolean => below.y - above.bottom < NEAR * Math.max(above.size, below.size);

/** Whether a line is drawn between two lines of text. */
function isDivided(above: Line, below: Line, across: readonly Rule[]): boolean {
  spend("steps", across.length);
  const [top, bottom] = [(above.y + above.bottom) / 2, (below.y + below.bottom) / 2];
  return across.some((rule) => rule.at > top && rule.at < bottom && rule.from < below.right && rule.to > below.x);
}

/** The lines of the head, from and until: words, near each other, each over its column; a title may stand above them. */
function headOf(rows: readonly Cells[], across: readonly Rule[]): { from: number; until: number } {
  const first = rows.findIndex(({ cells }) => cells.filter(isNumber).length * 2 > cells.filter(Boolean).length);
  let until = first;
  // The label of the rows that follow does not count to the head.
  while (until > 1 && isLabel(rows[until - 1] as Cells)) until--;
  let from = until - 1;
  while (from > 0 && isOneHead(rows[from - 1] as Cells, rows[from] as Cells, across)) from--;
  return until - from < 2 || until - from > MAX_HEAD ? { from: 0, until: 0 } : { from, until };
}

const isLabel = ({ cells }: Cells): boolean => cells.filter(Boolean).length === 1 && Boolean(cells[0]);

const isOneHead = (above: Cells, below: Cells, across: readonly Rule[]): boolean =>
  isNear(above.line, below.line) && !isDivided(above.line, below.line, across) && !isLabel(above);

/** No number is longer, and a search in a longer text takes its time. */
const MAX_NUMBER = 100;

const isNumber = (text: string): boolean =>
  text.length <= MAX_NUMBER &&
  (/^[\s(+\-−–$€£%.,\d)*]*\d[\s)%.,\d*]*$/.test(text) || /^[-–—*.]+$/.test(text) || /^n\/?a$/i.test(text));

/** Whether a line goes on with the cells of the row above it. */
function goesOn(above: Cells, below: Cells): boolean {
  if (!isNear(above.line, below.line)) return false;
  const filled = below.cells.flatMap((cell, i) => (cell ? [i] : []));
  const hasNumbers = filled.some((i) => isNumber(below.cells[i] ?? ""));
  const first = below.cells[0] ?? "";
  // A label that breaks, and whose numbers stand beside its first or its last line.
  if (filled.length === 1 && first && /^[\p{Ll}(&]/u.test(first)) return Boolean(above.cells[0]);
  if (first && above.cells.filter(Boolean).length === 1 && above.cells[0] && /^\p{Ll}/u.test(first)) return true;
  if (first || hasNumbers) return false;
  return (
    filled.length < above.cells.filter(Boolean).length &&
    filled.every((i) => Boolean(above.cells[i]) && !isNumber(above.cells[i] ?? ""))
  );
}

function joined(above: Cells, below: Cells): Cells {
  const cells = above.cells.map((cell, i) => [cell, below.cells[i]].filter(Boolean).join(" "));
  const bottom = Math.max(above.line.bottom, below.line.bottom);
  return { line: { ...below.line, y: above.line.y, bottom }, cells };
}
