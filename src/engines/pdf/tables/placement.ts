/** Over which columns each piece of a row stands: most over one, heads of several columns over these. */

import type { PdfLine } from "../page/lines.js";
import type { Piece } from "../page/pieces.js";
import type { RuledLine } from "../page/rules.js";
import { spend } from "../page/work.js";
import type { Column } from "./gutters.js";

/** The first and the last column. */
export interface Placed {
  piece: Piece;
  from: number;
  to: number;
}

/** Centres so many font sizes apart are the same to a reader. */
const SAME_CENTRE = 0.6;

export function placed(
  line: PdfLine,
  pieces: readonly Piece[],
  columns: readonly Column[],
  across: readonly RuledLine[],
): Placed[] {
  spend("steps", pieces.length * (columns.length + across.length));
  if (pieces.length < columns.length) {
    const grouped = inGroups(line, pieces, columns);
    if (grouped) return grouped;
  }
  return pieces.map((piece) => {
    const over = overlapped(piece, columns);
    const isFull = pieces.length >= columns.length;
    const [from, to] = (isFull ? undefined : ruledUnder(line, piece, columns, across)) ?? over;
    if (isFull && to > from) {
      const mostly = mainColumn(piece, columns);
      return { piece, from: mostly, to: mostly };
    }
    return { piece, from, to };
  });
}

const shared = (a: Column, b: Column): number => Math.min(a.right, b.right) - Math.max(a.x, b.x);
const centre = ({ x, right }: Column): number => (x + right) / 2;

/** Columns that a piece touches; one in the space between two is over both. */
function overlapped(piece: Piece, columns: readonly Column[]): [number, number] {
  const touched = columns.flatMap((column, i) => {
    const least = 0.1 * Math.min(piece.right - piece.x, column.right - column.x);
    return shared(piece, column) > least ? [i] : [];
  });
  const [first] = touched;
  const last = touched.at(-1);
  if (first !== undefined && last !== undefined) return [first, last];
  const after = columns.findIndex(({ x }) => x > centre(piece));
  if (after === 0) return [0, 0];
  if (after < 0) return [columns.length - 1, columns.length - 1];
  const [left, right] = [columns[after - 1] as Column, columns[after] as Column];
  const [toLeft, toRight] = [piece.x - left.right, right.x - piece.right];
  const isBetween = Math.abs(centre(piece) - (left.x + right.right) / 2) < (piece.right - piece.x) / 2;
  if (isBetween) return [after - 1, after];
  return toLeft <= toRight ? [after - 1, after - 1] : [after, after];
}

function mainColumn(piece: Piece, columns: readonly Column[]): number {
  let best = 0;
  columns.forEach((column, i) => {
    if (shared(piece, column) > shared(piece, columns[best] as Column)) best = i;
  });
  return best;
}

/** The columns of a short line that is drawn close below a piece. */
function ruledUnder(
  line: PdfLine,
  piece: Piece,
  columns: readonly Column[],
  across: readonly RuledLine[],
): [number, number] | undefined {
  const rule = across.find(
    ({ at, from, to }) =>
      at > line.bottom - 0.3 * line.size &&
      at < line.bottom + 0.9 * line.size &&
      from < piece.x + 1 &&
      to > piece.right - 1,
  );
  if (!rule) return undefined;
  const under = columns.flatMap((column, i) => (centre(column) > rule.from && centre(column) < rule.to ? [i] : []));
  const [first, last] = [under[0], under.at(-1)];
  return first === undefined || last === undefined || under.length === columns.length ? undefined : [first, last];
}

/** Two heads or more, each over as many columns as the others, and in their middle. */
function inGroups(line: PdfLine, pieces: readonly Piece[], columns: readonly Column[]): Placed[] | undefined {
  if (pieces.length < 2) return undefined;
  for (const stub of [0, 1, 2]) {
    const labels = pieces.filter(({ right }) => stub > 0 && right <= (columns[stub]?.x ?? 0));
    const heads = pieces.slice(labels.length);
    const each = (columns.length - stub) / heads.length;
    if (heads.length < 2 || each < 2 || !Number.isInteger(each)) continue;
    const groups = heads.map((piece, i) => ({ piece, from: stub + i * each, to: stub + (i + 1) * each - 1 }));
    const areCentred = groups.every(({ piece, from, to }) => {
      const group = { x: (columns[from] as Column).x, right: (columns[to] as Column).right };
      return Math.abs(centre(piece) - centre(group)) < SAME_CENTRE * line.size;
    });
    if (!areCentred) continue;
    return [
      ...labels.map((piece) => ({ piece, from: overlapped(piece, columns)[0], to: overlapped(piece, columns)[0] })),
      ...groups,
    ];
  }
  return undefined;
}
