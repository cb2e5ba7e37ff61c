/** Rows of a table without lines: a cell may have several lines of text. */
import { joinHyphens, type PdfLine } from "../page/lines.js";
import type { RuledLine } from "../page/rules.js";
import { spend } from "../page/work.js";

export interface Cells {
  line: PdfLine;
  cells: string[];
  /** The first and the last column of each piece. */
  ranges: readonly (readonly [number, number])[];
}

/** Lines nearer than so many font sizes may be one row. */
const NEAR = 0.7;
/** A head has so many lines at most. */
const MAX_HEAD = 5;

/** One row for the lines of text that a reader sees as one. */
export function mergedRows(lines: readonly Cells[], across: readonly RuledLine[]): string[][] {
  const rows = joinedWhere(lines, (last, row) => !isDivided(last.line, row.line, across) && isBeside(last, row));
  const head = headOf(rows, across);
  const goesOnAt = (last: Cells, row: Cells, i: number) =>
    !isDivided(last.line, row.line, across) && (head.has(i) || goesOn(last, row));
  return joinedWhere(rows, goesOnAt).map(({ cells }) => cells);
}

function joinedWhere(rows: readonly Cells[], isOne: (last: Cells, row: Cells, i: number) => boolean): Cells[] {
  const merged: Cells[] = [];
  rows.forEach((row, i) => {
    const last = merged.at(-1);
    if (last && isOne(last, row, i)) merged[merged.length - 1] = joined(last, row);
    else merged.push(row);
  });
  return merged;
}

/** Whether lines stand half beside each other: cells of one row whose texts are centred from top to bottom. */
const isBeside = ({ line: above }: Cells, { line: below }: Cells): boolean =>
  below.y < above.bottom - 0.2 * Math.min(above.size, below.size);

const isNear = (above: PdfLine, below: PdfLine): boolean =>
  below.y - above.bottom < NEAR * Math.max(above.size, below.size);

/** Whether a line is drawn between two lines of text. */
function isDivided(above: PdfLine, below: PdfLine, across: readonly RuledLine[]): boolean {
  spend("steps", across.length);
  const [top, bottom] = [(above.y + above.bottom) / 2, (below.y + below.bottom) / 2];
  return across.some((rule) => rule.at > top && rule.at < bottom && rule.from < below.right && rule.to > below.x);
}

/**
 * Lines of the head that go on with the line above: words, near each other, each over its column. Heads over several columns
 * and a title may stand above them.
 */
function headOf(rows: readonly Cells[], across: readonly RuledLine[]): ReadonlySet<number> {
  let until = rows.findIndex(({ cells }) => cells.filter(isNumber).length * 2 > cells.filter(Boolean).length);
  // The label of the rows that follow does not count to the head.
  while (until > 1 && isLabel(rows[until - 1] as Cells)) until--;
  const goingOn = new Set<number>();
  for (let i = until - 1; i > 0; i--) {
    const [above, below] = [rows[i - 1] as Cells, rows[i] as Cells];
    if (isOneHead(above, below, across)) goingOn.add(i);
    else if (!above.ranges.some(isWide)) break;
  }
  return goingOn.size >= MAX_HEAD ? new Set() : goingOn;
}

const isLabel = ({ cells }: Cells): boolean => cells.filter(Boolean).length === 1 && Boolean(cells[0]);

const isOneHead = (above: Cells, below: Cells, across: readonly RuledLine[]): boolean =>
  isNear(above.line, below.line) &&
  !isDivided(above.line, below.line, across) &&
  !isLabel(above) &&
  isOneWidth(above, below);

/** A text over several columns goes on in one line below it, and never in the cells of each. */
const isOneWidth = (above: Cells, below: Cells): boolean =>
  ![...above.ranges, ...below.ranges].some(isWide) ||
  (below.ranges.every((own) => above.ranges.some((other) => meet(own, other))) &&
    above.ranges.every((own) => below.ranges.filter((other) => meet(own, other)).length <= 1));

type Range = readonly [number, number];
const isWide = ([from, to]: Range): boolean => to > from;
const meet = (a: Range, b: Range): boolean => a[0] <= b[1] && a[1] >= b[0];

/** No number is longer, and a search in a longer text takes its time. */
const MAX_NUMBER = 100;

const isNumber = (text: string): boolean =>
  text.length <= MAX_NUMBER &&
  (/^[\s(+\-−–$€£%.,\d)*]*\d[\s)%.,\d*]*$/.test(text) || /^[-–—*.]+$/.test(text) || /^n\/?a$/i.test(text));

/** Whether a line goes on with the cells of the row above it. */
function goesOn(above: Cells, below: Cells): boolean {
  if (!isNear(above.line, below.line) || !isOneWidth(above, below)) return false;
  const filled = below.cells.flatMap((cell, i) => (cell ? [i] : []));
  const hasNumbers = filled.some((i) => isNumber(below.cells[i] ?? ""));
  const first = below.cells[0] ?? "";
  // A label that breaks, and whose numbers stand beside its first or its last line.
  if (filled.length === 1 && first && /^[\p{Ll}(&]/u.test(first)) return Boolean(above.cells[0]);
  if (first && above.cells.filter(Boolean).length === 1 && above.cells[0] && /^\p{Ll}/u.test(first)) return true;
  if (first || hasNumbers) return false;
  return (
    filled.length < above.cells.filter(Boolean).length &&
    filled.every((i) => Boolean(textOver(above, i)) && !isNumber(textOver(above, i)))
  );
}

/** The text of a cell, or the one that runs over it. */
function textOver({ cells, ranges }: Cells, column: number): string {
  const [at = column] = ranges.find((range) => isWide(range) && meet(range, [column, column])) ?? [];
  return cells[at] ?? "";
}

function joined(above: Cells, below: Cells): Cells {
  const cells = [...above.cells];
  below.cells.forEach((text, i) => {
    // It goes on with a text over several columns, which stands in the first of them.
    const [at = i] = above.ranges.find((range) => isWide(range) && meet(range, [i, i])) ?? [];
    if (text) cells[at] = joinHyphens([cells[at] ?? "", text]);
  });
  const bottom = Math.max(above.line.bottom, below.line.bottom);
  const ranges = [...above.ranges, ...below.ranges.filter((own) => !above.ranges.some((other) => meet(own, other)))];
  return { line: { ...below.line, y: above.line.y, bottom }, cells, ranges };
}
