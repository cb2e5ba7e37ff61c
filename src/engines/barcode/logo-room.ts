/** Checks whether error correction can restore a QR code with a hole in its middle, block by block (ISO/IEC 18004). */
import type { Level } from "./symbol.js";

// Table 9: blocks, and error correction codewords in each, of versions 1 to 40.
export const BLOCKS: Record<Level, string> = {
  L: "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25",
  M: "1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49",
  Q: "1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68",
  H: "1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81",
};
export const CORRECTION_CODEWORDS: Record<Level, string> = {
  L: "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
  M: "10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28",
  Q: "13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
  H: "17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
};

/** Part of the error correction that a hole may use: the rest is for dirt, bad light and bent paper. */
const USABLE = 0.9;

export interface QrLayout {
  version: number;
  level: Level;
  /** Modules along a side. */
  side: number;
  /** Row by row, 1 for a module of a function pattern. */
  fixed: ArrayLike<number>;
}

/** The smallest version whose corners stay free: finder, separator and format information take 9 modules each. */
export function smallestVersionAround(hiddenShare: number): number {
  return Math.max(1, Math.ceil((18 / (1 - hiddenShare) - 17) / 4));
}

/** Whether every block can be restored if the middle `hiddenShare` of the side is hidden. */
export function isRestorable(layout: QrLayout, hiddenShare: number): boolean {
  const blocks = entryFor(BLOCKS, layout);
  const correction = entryFor(CORRECTION_CODEWORDS, layout);
  const restorable = Math.floor(correction / 2) * USABLE;
  // A quick refusal: a hole consists mostly of data, eight modules each.
  if (((layout.side * hiddenShare) ** 2 / 8) * 0.8 > restorable * blocks) return false;
  const { hidden, total } = hiddenCodewords(layout, hiddenShare);
  const lostIn = new Array<number>(blocks).fill(0);
  for (const codeword of hidden) {
    const block = blockOf(codeword, { blocks, correction, total });
    lostIn[block] = (lostIn[block] ?? 0) + 1;
  }
  return Math.max(...lostIn) <= restorable;
}

/** The entry of a table above for a version and a level. */
export function entryFor(table: Record<Level, string>, { level, version }: { level: Level; version: number }): number {
  return Number(table[level].split(" ")[version - 1]);
}

/** The codewords with a module in the hole. */
function hiddenCodewords({ side, fixed }: QrLayout, hiddenShare: number): { hidden: number[]; total: number } {
  const free = (side * (1 - hiddenShare)) / 2;
  const inHole = (index: number) => index + 1 > free && index < side - free;
  const hidden: number[] = [];
  let bits = 0;
  inPlacementOrder(side, (row, column) => {
    if (fixed[row * side + column] === 1) return;
    if (inHole(row) && inHole(column) && hidden.at(-1) !== bits >> 3) hidden.push(bits >> 3);
    bits++;
  });
  return { hidden, total: bits >> 3 };
}

/** 7.7.3: codewords lie in columns two modules wide, up and down in turn, from the right. */
function inPlacementOrder(side: number, visit: (row: number, column: number) => void): void {
  let upwards = true;
  for (let right = side - 1; right > 0; right -= 2) {
    // The column of the vertical timing pattern contains no data.
    if (right === 6) right--;
    for (let step = 0; step < side; step++) {
      const row = upwards ? side - 1 - step : step;
      visit(row, right);
      visit(row, right - 1);
    }
    upwards = !upwards;
  }
}

/**
 * 7.6: codewords are distributed in turn, first data, of which the last blocks have one more, then error correction.
 */
function blockOf(codeword: number, of: { blocks: number; correction: number; total: number }): number {
  const data = of.total - of.blocks * of.correction;
  const inTurns = data - (data % of.blocks);
  if (codeword < inTurns) return codeword % of.blocks;
  if (codeword < data) return of.blocks - (data - codeword);
  return (codeword - data) % of.blocks;
}
