/** Columns of a table without lines: where the fullest of its rows leave a space free, all the way down. */
import type { Piece } from "../page/pieces.js";
import { spend } from "../page/work.js";

export interface Column {
  x: number;
  right: number;
}

/** Share of the fullest rows that may run over the space between two columns. */
const MAX_CROSSING = 0.12;
/** Steps of a point. */
const FINE = 4;

/** Undefined if there are not two. Heads over several columns, totals and second lines of a cell have no say. */
export function columnsOf(rows: readonly Piece[][], drawn: readonly number[], size: number): Column[] | undefined {
  const full = fullest(rows);
  const pieces = full.flat();
  const x = Math.min(...pieces.map((piece) => piece.x));
  const free = freeRuns(pieces, x, Math.floor(full.length * MAX_CROSSING));
  const spaces = withDrawn(
    free.map(({ from, to }) => x + (from + to) / 2 / FINE),
    drawn,
    size,
  );
  const columns = extentsOf(pieces, spaces);
  return columns.length > 1 ? columns : undefined;
}

/** The rows with as many pieces as the fuller quarter of all has. */
function fullest(rows: readonly Piece[][]): Piece[][] {
  const counts = rows.map(({ length }) => length).sort((a, b) => b - a);
  const least = counts[Math.min(counts.length - 1, Math.max(1, Math.floor(counts.length / 4)))] ?? 0;
  return rows.filter(({ length }) => length >= Math.max(2, least));
}

/** Where at most so many pieces stand, between the left edge and the right, in fine steps from the left. */
function freeRuns(pieces: readonly Piece[], x: number, allowed: number): { from: number; to: number }[] {
  // By how much the count of pieces changes at a step: a document says how far its texts reach, so steps are not gone through.
  const changes = new Map<number, number>();
  const change = (at: number, by: number) => changes.set(at, (changes.get(at) ?? 0) + by);
  for (const piece of pieces) {
    change(Math.floor((piece.x - x) * FINE), 1);
    change(Math.ceil((piece.right - x) * FINE), -1);
  }
  const edges = [...changes].sort(([a], [b]) => a - b);
  const runs: { from: number; to: number }[] = [];
  let count = 0;
  edges.forEach(([at, by], i) => {
    count += by;
    const to = edges[i + 1]?.[0];
    if (to === undefined || count > allowed) return;
    const last = runs.at(-1);
    if (last?.to === at) last.to = to;
    else runs.push({ from: at, to });
  });
  const end = edges.at(-1)?.[0];
  return runs.filter(({ from, to }) => from > 0 && to !== end);
}

/** A line between two columns says it as white space does. */
function withDrawn(spaces: readonly number[], drawn: readonly number[], size: number): number[] {
  const more = drawn.filter((at) => spaces.every((space) => Math.abs(space - at) > size * 1.5));
  return [...spaces, ...more].sort((a, b) => a - b);
}

/** From where to where the texts between two spaces reach. */
function extentsOf(pieces: readonly Piece[], spaces: readonly number[]): Column[] {
  const columns: (Column | undefined)[] = Array.from({ length: spaces.length + 1 });
  spend("steps", pieces.length * (spaces.length + 1));
  for (const { x, right } of pieces) {
    const found = spaces.findIndex((space) => space > (x + right) / 2);
    const at = found < 0 ? spaces.length : found;
    const column = columns[at];
    // A piece that reaches over a space is a cell of two columns, and says nothing of either.
    if (x < (spaces[at - 1] ?? x) || right > (spaces[at] ?? right)) continue;
    columns[at] = column ? { x: Math.min(column.x, x), right: Math.max(column.right, right) } : { x, right };
  }
  return columns.filter((column): column is Column => column !== undefined);
}
