/** Columns that look like two: a head left or right of its numbers, and words that a justified line sets wide apart. */

import type { Piece } from "../page/pieces.js";
import { spend } from "../page/work.js";
import type { Column } from "./gutters.js";

/** A head has so many lines at most. */
const MAX_HEAD = 3;

/** Columns of which one has texts in the head alone, and its neighbour none there, as one. */
export function withoutOffsets(rows: readonly Piece[][], columns: readonly Column[]): Column[] {
  const several = rows.filter(({ length }) => length > 1);
  const filled = columns.map((column) => rowsOf(column, several));
  const merged: Column[] = [];
  let last: Set<number> | undefined;
  columns.forEach((column, i) => {
    const own = filled[i] ?? new Set<number>();
    const before = merged.at(-1);
    if (before && last && (isHeadOf(last, own) || isHeadOf(own, last))) {
      merged[merged.length - 1] = { x: before.x, right: column.right };
      last = new Set([...last, ...own]);
    } else {
      merged.push(column);
      last = own;
    }
  });
  return merged;
}

function rowsOf({ x, right }: Column, rows: readonly Piece[][]): Set<number> {
  const filled = new Set<number>();
  rows.forEach((row, i) => {
    spend("steps", row.length);
    if (row.some((piece) => piece.x < right && piece.right > x)) filled.add(i);
  });
  return filled;
}

const isHeadOf = (head: ReadonlySet<number>, body: ReadonlySet<number>): boolean => {
  const last = Math.max(...head);
  return head.size > 0 && last < MAX_HEAD && body.size > 0 && Math.min(...body) > last;
};

/** In font sizes. */
const NARROW = 0.9;
/** Share of the rows that show a narrow gap, at least, if it divides columns. */
const LEAST_SHARE = 0.5;

/** Without narrow gaps that few rows show. */
export function withoutRareGaps(rows: readonly Piece[][], columns: readonly Column[], size: number): Column[] {
  const several = rows.filter(({ length }) => length > 1);
  const merged: Column[] = [];
  for (const column of columns) {
    const before = merged.at(-1);
    if (before && isRare(several, before, column, size))
      merged[merged.length - 1] = { x: before.x, right: column.right };
    else merged.push(column);
  }
  return merged;
}

function isRare(rows: readonly Piece[][], left: Column, right: Column, size: number): boolean {
  let count = 0;
  for (const row of rows) {
    spend("steps", row.length);
    const before = row.findLast((piece) => piece.x < left.right && piece.right > left.x);
    const after = row.find((piece) => piece.x < right.right && piece.right > right.x);
    if (!before || !after || before === after) continue;
    if (after.x - before.right >= NARROW * size) return false;
    count++;
  }
  return count > 0 && count < rows.length * LEAST_SHARE;
}

/** Lines end at one place, and words begin at one, if they differ by no more, in font sizes. */
const SAME_PLACE = 0.2;
/** Fewer lines show no edge. */
const LEAST_LINES = 2;

/**
 * Without the ends of justified lines: words that all end at the right edge and begin at many places, where other lines of the
 * column before them run on over the gap.
 */
export function withoutStretched(rows: readonly Piece[][], columns: readonly Column[], size: number): Column[] {
  const merged: Column[] = [];
  for (const column of columns) {
    const before = merged.at(-1);
    if (before && isStretched(rows, before, column, size * SAME_PLACE))
      merged[merged.length - 1] = { x: before.x, right: column.right };
    else merged.push(column);
  }
  return merged;
}

function isStretched(rows: readonly Piece[][], left: Column, right: Column, same: number): boolean {
  const ends: Piece[] = [];
  let crossing = 0;
  for (const row of rows) {
    spend("steps", row.length);
    for (const piece of row) {
      const isWithin = piece.right > right.x + same && piece.x < right.right;
      if (isWithin && piece.x > left.x + same) ends.push(piece);
      else if (isWithin && piece.x > left.x - same && piece.right < right.right + same) crossing++;
    }
  }
  return (
    ends.length >= LEAST_LINES &&
    crossing >= Math.max(LEAST_LINES, ends.length / 2) &&
    ends.every((piece) => Math.abs(piece.right - right.right) < same && !hasDigit(piece)) &&
    ends.some((piece) => Math.abs(piece.x - (ends[0] as Piece).x) > same)
  );
}

const hasDigit = ({ spans }: Piece): boolean => spans.some(({ text }) => /\d/.test(text));
