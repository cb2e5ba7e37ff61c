/** Tables without lines between their cells: columns stand under each other, with white space between them. */
import { boundsOf, type Line, lineText, type Segment } from "./lines.js";
import type { Rule, Rules } from "./rules.js";
import { type Cells, mergedRows } from "./white-space-rows.js";
import { spend } from "./work.js";

/** Lines further apart than so many font sizes belong to different parts of a page. */
const MAX_GAP = 2.4;
/** Lines of one segment that a table may have between its rows. */
const MAX_SINGLE = 2;
/** On average, cells are shorter than lines of prose. */
const MAX_CELL_CHARACTERS = 45;
/** Columns of prose have lines of so many characters at least. */
const MIN_PROSE_CHARACTERS = 22;
/** Share of the lines that may run over the space between two columns, such as a heading of both. */
const MAX_CROSSING = 0.12;
const MIN_SPACE = 2;
/** No number is longer, and a search in a longer text takes its time. */
const MAX_NUMBER = 100;

/** Runs of lines that may be a table. */
export function candidatesIn(lines: readonly Line[], rules: Rules): Line[][] {
  const candidates: Line[][] = [];
  let run: Line[] = [];
  let single = 0;
  const end = () => {
    const trimmed = trimSingle(run);
    if (isTable(trimmed, rules)) candidates.push(trimmed);
    [run, single] = [[], 0];
  };
  for (const line of lines) {
    const last = run.at(-1);
    const isFar = last !== undefined && line.y - last.bottom > MAX_GAP * Math.max(line.size, last.size);
    if (isFar) end();
    single = line.segments.length > 1 ? 0 : single + 1;
    if (single > MAX_SINGLE) end();
    else if (run.length > 0 || single === 0) run.push(line);
  }
  end();
  return candidates;
}

function trimSingle(run: readonly Line[]): Line[] {
  const first = run.findIndex(({ segments }) => segments.length > 1);
  const last = run.findLastIndex(({ segments }) => segments.length > 1);
  return first < 0 ? [] : run.slice(first, last + 1);
}

function isTable(lines: readonly Line[], { horizontal }: Rules): boolean {
  const several = lines.filter(({ segments }) => segments.length > 1);
  const { y, bottom } = boundsOf(lines);
  spend("steps", horizontal.length);
  const ruled = horizontal.filter(
    (rule) => rule.at > y - 20 && rule.at < bottom + 20 && rule.to - rule.from > 60,
  ).length;
  if (several.length < (ruled >= 2 ? 2 : 3) || several.length < lines.length * 0.5) return false;
  const segments = several.flatMap((line) => line.segments);
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0) / segments.length;
  if (characters > MAX_CELL_CHARACTERS) return false;
  // Columns of prose: long lines, and hardly a number of its own.
  const numbers = segments.filter(
    ({ text }) => text.length <= MAX_NUMBER && /^[\s$€£%(.,\d)+–-]*\d[\s%.,\d)*]*$/.test(text),
  ).length;
  const isProse = characters > MIN_PROSE_CHARACTERS && numbers < segments.length * 0.12 && several.length >= 6;
  return !isProse || ruled >= 3;
}

export interface Dividers {
  across: readonly Rule[];
  down: readonly Rule[];
  /** Whether lines surround the table: then fewer rows and longer cells are one. */
  isFramed?: boolean;
}

/** Rows of cells; undefined if the lines have no columns. */
export function alignedTable(lines: readonly Line[], { across, down }: Dividers): string[][] | undefined {
  const spaces = spacesOf(lines, down);
  if (spaces.length === 0) return undefined;
  const rows = lines.map((line): Cells => ({ line, cells: cellsOf(line, spaces) }));
  return mergedRows(rows, across);
}

/** Places between columns: where almost no line has text. */
function spacesOf(lines: readonly Line[], down: readonly Rule[]): number[] {
  const { x, right, y, bottom } = boundsOf(lines);
  const several = lines.filter(({ segments }) => segments.length > 1);
  const size = several.reduce((sum, line) => sum + line.size, 0) / Math.max(1, several.length);
  const allowed = Math.floor(several.length * MAX_CROSSING);
  const spaces = freeRuns(coverage(several, { x, right }), allowed)
    .filter(({ from, to }) => from > 0 && to - from >= Math.max(MIN_SPACE, size * 0.35))
    .map(({ from, to }) => x + (from + to) / 2);
  const drawn = down.filter(
    (rule) => rule.from < y + 10 && rule.to > bottom - 10 && rule.at > x + 5 && rule.at < right - 5,
  );
  return withDrawn(
    spaces,
    drawn.map(({ at }) => at),
    size,
  );
}

/** How many lines have text, at each point from the left to the right edge. */
function coverage(lines: readonly Line[], { x, right }: { x: number; right: number }): Int32Array {
  const covered = new Int32Array(Math.ceil(right - x) + 1);
  // First by how much the count changes at each point.
  for (const part of lines.flatMap(({ segments }) => segments.flatMap(partsOf))) {
    const [from, to] = [Math.max(0, Math.floor(part.x - x)), Math.min(covered.length, Math.ceil(part.right - x))];
    if (to <= from) continue;
    covered[from] = (covered[from] ?? 0) + 1;
    if (to < covered.length) covered[to] = (covered[to] ?? 0) - 1;
  }
  for (let at = 1; at < covered.length; at++) covered[at] = (covered[at] ?? 0) + (covered[at - 1] ?? 0);
  return covered;
}

function freeRuns(covered: Int32Array, allowed: number): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  covered.forEach((count, at) => {
    const last = runs.at(-1);
    if (count > allowed) return;
    if (last?.to === at) last.to++;
    else runs.push({ from: at, to: at + 1 });
  });
  return runs.filter(({ to }) => to < covered.length);
}

/** A line between two columns says it as white space does. */
function withDrawn(spaces: readonly number[], drawn: readonly number[], size: number): number[] {
  const more = drawn.filter((at) => spaces.every((space) => Math.abs(space - at) > size * 1.5));
  return [...spaces, ...more].sort((a, b) => a - b);
}

/** A segment's texts with their places; narrow columns stand nearer to each other than segments do. */
function partsOf(segment: Segment): { x: number; right: number }[] {
  const parts: { x: number; right: number }[] = [];
  for (const { x, w, size } of [...segment.spans].sort((a, b) => a.x - b.x)) {
    const last = parts.at(-1);
    // Blanks between words are not the space of a column.
    if (last && x - last.right < size * 0.45) last.right = Math.max(last.right, x + w);
    else parts.push({ x, right: x + w });
  }
  return parts;
}

/** The text of each column; one that runs over several stands in the first. */
function cellsOf(line: Line, spaces: readonly number[]): string[] {
  spend("steps", spaces.length * line.segments.reduce((sum, { spans }) => sum + spans.length, 1));
  const columns: Segment["spans"][] = Array.from({ length: spaces.length + 1 }, () => []);
  for (const { spans } of line.segments) {
    let before: { column: number; right: number } | undefined;
    for (const span of [...spans].sort((a, b) => a.x - b.x)) {
      const own = columnOf(span, spaces);
      // A text that goes on over the space between columns is one.
      const goesOn = before && before.column !== own && span.x - before.right < span.size * 0.3;
      const column = goesOn && before ? before.column : own;
      columns[column]?.push(span);
      before = { column, right: span.x + span.w };
    }
  }
  return columns.map((spans) => (spans.length === 0 ? "" : textOfSpans(spans, line)));
}

function columnOf({ x, w }: { x: number; w: number }, spaces: readonly number[]): number {
  const [from, to] = [spaces.findIndex((space) => space > x + 1), spaces.findIndex((space) => space > x + w - 1)];
  const [first, last] = [from < 0 ? spaces.length : from, to < 0 ? spaces.length : to];
  if (first === last) return first;
  // It lies mostly in one of two columns, or runs over several.
  const middle = spaces.findIndex((space) => space > x + w / 2);
  return last - first === 1 ? (middle < 0 ? spaces.length : middle) : first;
}

function textOfSpans(spans: Segment["spans"], line: Line): string {
  const { x, right } = boundsOf(spans.map((one) => ({ ...one, right: one.x + one.w, bottom: one.y + one.h })));
  const wanted = new Set(spans);
  spend(
    "steps",
    line.segments.reduce((sum, segment) => sum + segment.spans.length, 0),
  );
  const segments = line.segments
    .map((segment) => ({ ...segment, spans: segment.spans.filter((span) => wanted.has(span)) }))
    .filter((segment) => segment.spans.length > 0)
    .map((segment) => ({ ...segment, text: joinedText(segment.spans, line.isRtl) }));
  return lineText({ ...line, segments, x, right });
}

function joinedText(spans: Segment["spans"], isRtl: boolean): string {
  const ordered = [...spans].sort((a, b) => (isRtl ? b.x - a.x : a.x - b.x));
  const texts = ordered.map((span, i) => {
    const before = ordered[i - 1];
    const gap = before ? (isRtl ? before.x - (span.x + span.w) : span.x - (before.x + before.w)) : 0;
    return (before && gap > 0.16 * span.size && !/\s$/.test(before.text) ? " " : "") + span.text;
  });
  return texts.join("").replace(/\s+/g, " ").trim();
}
