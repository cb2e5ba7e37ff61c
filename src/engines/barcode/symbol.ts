/** A code before it is drawn. */

export type SymbolFormat = "qr" | "aztec" | "datamatrix" | "pdf417";
export type Level = "L" | "M" | "Q" | "H";

export interface Matrix {
  columns: number;
  rows: number;
  /** Height of a row in modules: 1, but 3 in PDF417. */
  rowHeight: number;
  /** Row by row, 1 for a dark module. */
  dark: ArrayLike<number>;
  /** Row by row, 1 where a QR code has its finder, timing and other function patterns. */
  fixed?: ArrayLike<number>;
}
