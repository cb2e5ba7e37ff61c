/** Spans of a page as PDF.js gives them, one a word: each character is 5 points wide, a blank 3, at a size of 10. */
import type { Span } from "../../src/engines/pdf/page/spans.js";

const [CHARACTER, BLANK, SIZE] = [5, 3, 10];

const widthOf = (text: string): number => {
  const words = text.split(" ");
  return words.join("").length * CHARACTER + (words.length - 1) * BLANK;
};

interface Place {
  left?: number;
  right?: number;
  centre?: number;
}

/** A text whose words stand apart by signs, or by their places alone. */
export function textOf(text: string, y: number, place: Place, hasSigns = true): Span[] {
  const { left, right = 0, centre } = place;
  let x = left ?? (centre === undefined ? right - widthOf(text) : centre - widthOf(text) / 2);
  return text
    .split(" ")
    .filter(Boolean)
    .map((word, i) => {
      const w = word.length * CHARACTER;
      const span = { text: word, x, y, w, h: SIZE, size: SIZE, font: "F1", isRtl: false, angle: 0 };
      x += w + BLANK;
      return { ...span, afterBlank: i > 0 && hasSigns };
    });
}

/** Rows from 100 points below the top on, one each 14 points; each column has a side and a place. */
export const rowsOf = (columns: readonly Place[], rows: readonly string[][], top = 100, pitch = 14): Span[] =>
  rows.flatMap((row, y) => row.flatMap((text, x) => (text ? textOf(text, top + pitch * y, columns[x] ?? {}) : [])));
