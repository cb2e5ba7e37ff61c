/** Signs that stand apart from their number: a currency's to the left of it, a per cent's or a bracket's behind it. */
import type { Piece } from "../page/pieces.js";
import { spend } from "../page/work.js";

const CURRENCY = /^(?:[A-Z]{0,2}[$€£¥₹]|\()$/u;
const BEHIND = /^[)%*†‡]{1,3}$/u;
const STARTS_NUMBER = /^[(+\-−–—]?[\d.,—–-]/;
const ENDS_NUMBER = /\d[)%*]*$/;
/** A sign behind a number stands so near, in font sizes. */
const NEAR = 1.5;

const textOf = ({ spans }: Piece): string => spans.map(({ text }) => text).join("");

/** Rows in which each sign is one piece with its number, unless a head stands over the sign alone. */
export function withSigns(rows: readonly Piece[][]): Piece[][] {
  const others = rows.flat().filter((piece) => !CURRENCY.test(textOf(piece)));
  return rows.map((row) => {
    const joined: Piece[] = [];
    for (const piece of row) {
      const last = joined.at(-1);
      if (last && (isBefore(last, piece, others) || isBehind(last, piece)))
        joined[joined.length - 1] = { x: last.x, right: piece.right, spans: [...last.spans, ...piece.spans] };
      else joined.push(piece);
    }
    return joined;
  });
}

function isBefore(sign: Piece, number: Piece, others: readonly Piece[]): boolean {
  if (!CURRENCY.test(textOf(sign)) || !STARTS_NUMBER.test(textOf(number))) return false;
  spend("steps", others.length);
  return !others.some(
    ({ x, right }) => x < sign.right && right > sign.x && x > sign.x - 3 * (sign.right - sign.x) && right < number.x,
  );
}

function isBehind(number: Piece, sign: Piece): boolean {
  const size = sign.spans[0]?.size ?? 10;
  return BEHIND.test(textOf(sign)) && ENDS_NUMBER.test(textOf(number)) && sign.x - number.right < NEAR * size;
}
