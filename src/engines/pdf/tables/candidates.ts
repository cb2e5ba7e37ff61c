/** Runs of lines that may be a table without lines between its cells. */

import { boundsOf, type PdfLine, segmentOf } from "../page/lines.js";
import { hasSeveral, piecesOf, type Spacing, withBlank } from "../page/pieces.js";
import type { RuledLine, Rules } from "../page/rules.js";
import { spend } from "../page/work.js";
import { columnsOf } from "./gutters.js";

/** Lines further apart than so many font sizes belong to different parts of a page. */
const MAX_GAP = 2.4;
/** Lines of one cell that a table may have between its rows. */
const MAX_SINGLE = 2;
/** So near, in font sizes, stand a head and the rows below it, and the lines of a cell. */
const NEAR_HEAD = 1.2;
const NEAR = 0.7;
/** On average, cells are shorter than lines of prose. */
const MAX_CELL_CHARACTERS = 45;
/** Columns of prose have lines of so many characters at least. */
const MIN_PROSE_CHARACTERS = 22;
/** No number is longer, and a search in a longer text takes its time. */
const MAX_NUMBER = 100;

export interface Candidate {
  lines: PdfLine[];
  spacing: Spacing;
}

export function candidatesIn(lines: readonly PdfLine[], rules: Rules, page: Spacing): Candidate[] {
  return runsOf(lines, page)
    .flatMap((run) => {
      const spacing = withBlank(
        run.filter((line) => hasSeveral(line, page)),
        page,
      );
      return apart(run, spacing).map((part) => ({ lines: trimmed(part, spacing, rules.horizontal), spacing }));
    })
    .filter((candidate) => isTable(candidate, rules));
}

function runsOf(lines: readonly PdfLine[], spacing: Spacing): PdfLine[][] {
  const runs: PdfLine[][] = [];
  let run: PdfLine[] = [];
  let single = 0;
  let row: Row | undefined;
  const end = () => {
    if (run.length > 0) runs.push(run);
    [run, single, row] = [[], 0, undefined];
  };
  for (const line of lines) {
    if (isFar(run.at(-1), line)) end();
    const isRow = hasSeveral(line, spacing);
    if (isRow) [single, row] = [0, rowOf(line, row)];
    else if (!row || !goesOn(row, run.at(-1), line, spacing)) single++;
    if (single > MAX_SINGLE) {
      end();
      single = MAX_SINGLE;
    }
    run.push(line);
  }
  end();
  return runs;
}

const isFar = (last: PdfLine | undefined, line: PdfLine): boolean =>
  last !== undefined && line.y - last.bottom > MAX_GAP * Math.max(line.size, last.size);

/** Tables that follow each other: a line apart from the rows above it, and rows below it that do not fit theirs. */
function apart(run: readonly PdfLine[], spacing: Spacing): PdfLine[][] {
  const parts: PdfLine[][] = [[]];
  const gaps = run.slice(1).map((line, i) => line.y - (run[i] as PdfLine).bottom);
  const usual = [...gaps].sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
  run.forEach((line, i) => {
    const part = parts.at(-1) as PdfLine[];
    const isApart = (gaps[i - 1] ?? 0) > Math.max(usual * 1.5, usual + 0.3 * line.size);
    const below = run.slice(i + 1, i + 5).filter((one) => hasSeveral(one, spacing));
    const isTitle = isApart && part.length > 2 && below.length > 1 && !hasSeveral(line, spacing);
    if (isTitle && !fits(part, below, spacing)) parts.push([line]);
    else part.push(line);
  });
  return parts;
}

/** Whether the pieces of lines stand under one column each of the lines above, and some under the first. */
function fits(above: readonly PdfLine[], below: readonly PdfLine[], spacing: Spacing): boolean {
  const rows = above.map((line) => piecesOf(line, spacing));
  const columns = columnsOf(rows, [], above[0]?.size ?? 0) ?? [];
  const meeting = below.map((line) =>
    piecesOf(line, spacing).map(({ x, right }) => columns.findIndex((one) => one.x < right && one.right > x)),
  );
  spend("steps", columns.length * meeting.flat().length);
  return (
    meeting.flat().includes(0) && meeting.every((under) => !under.includes(-1) && new Set(under).size === under.length)
  );
}

/** Without the lines above and below that have no cells, but for heads over some columns and second lines of a cell. */
function trimmed(run: readonly PdfLine[], spacing: Spacing, across: readonly RuledLine[]): PdfLine[] {
  let first = run.findIndex((line) => hasSeveral(line, spacing));
  let last = run.findLastIndex((line) => hasSeveral(line, spacing));
  if (first < 0) return [];
  const label = piecesOf(run[first] as PdfLine, spacing)[0]?.right ?? 0;
  const bounds = boundsOf(run.slice(first, last + 1));
  const isHead = (line: PdfLine | undefined, below: PdfLine) =>
    line &&
    below.y - line.bottom < NEAR_HEAD * line.size &&
    (line.x >= label || (line.right < bounds.right + 2 && isRuledAbove(line, bounds, across)));
  while (isHead(run[first - 1], run[first] as PdfLine)) first--;
  const { x: left } = boundsOf(run.slice(first, last + 1).filter((line) => hasSeveral(line, spacing)));
  const row = { line: run[last] as PdfLine, left };
  for (let line = run[last + 1]; line && goesOn(row, run[last], line, spacing); line = run[last + 1]) last++;
  return run.slice(first, last + 1);
}

/** Whether a line is drawn over a line of text, as wide as the table below. */
function isRuledAbove(
  line: PdfLine,
  { x, right }: Pick<PdfLine, "x" | "right">,
  across: readonly RuledLine[],
): boolean {
  spend("steps", across.length);
  return across.some(
    ({ at, from, to }) => at < line.y + 2 && at > line.y - 1.5 * line.size && to - from > 0.8 * (right - x),
  );
}

function isTable({ lines, spacing }: Candidate, { horizontal }: Rules): boolean {
  const several = lines.filter((line) => hasSeveral(line, spacing));
  const { y, bottom } = boundsOf(lines);
  spend("steps", horizontal.length);
  const ruled = horizontal.filter(
    (rule) => rule.at > y - 20 && rule.at < bottom + 20 && rule.to - rule.from > 60,
  ).length;
  if (several.length < (ruled >= 2 ? 2 : 3) || several.length < rowsIn(lines, spacing) * 0.5) return false;
  const texts = lines.flatMap((line) => textsOf(line, spacing));
  const characters = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  if (characters > MAX_CELL_CHARACTERS) return false;
  // Columns of prose: long lines, and hardly a number of its own.
  const numbers = texts.filter(
    (text) => text.length <= MAX_NUMBER && /^[\s$€£%(.,\d)+–-]*\d[\s%.,\d)*]*$/.test(text),
  ).length;
  const isProse = characters > MIN_PROSE_CHARACTERS && numbers < texts.length * 0.12 && several.length >= 6;
  return !isProse || ruled >= 3;
}

/** How many lines begin a row. */
function rowsIn(lines: readonly PdfLine[], spacing: Spacing): number {
  let row: Row | undefined;
  return lines.filter((line, i) => {
    const isRow = hasSeveral(line, spacing);
    const before = row;
    if (isRow) row = rowOf(line, row);
    return isRow || !before || !goesOn(before, lines[i - 1], line, spacing);
  }).length;
}

/** A line of cells, and where the first column of all rows so far begins. */
interface Row {
  line: PdfLine;
  left: number;
}

const rowOf = (line: PdfLine, before: Row | undefined): Row => ({
  line,
  left: Math.min(line.x, before?.left ?? line.x),
});

/** Whether a line goes on with a cell of a row, and not of the first column: close below, and from the same place on. */
function goesOn(row: Row, last: PdfLine | undefined, line: PdfLine, spacing: Spacing): boolean {
  if (!last || line.y - last.bottom > NEAR * line.size || line.x < row.left + 0.5 * line.size) return false;
  return piecesOf(row.line, spacing).some(({ x }) => Math.abs(x - line.x) < 0.2 * line.size);
}

const textsOf = (line: PdfLine, spacing: Spacing): string[] =>
  line.segments.length > 1
    ? line.segments.map(({ text }) => text)
    : piecesOf(line, spacing).map(({ spans }) => segmentOf(spans, line.isRtl).text);
