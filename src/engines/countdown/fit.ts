/** Computes the sizes of a countdown's parts: arithmetic only, in pixels. */
import type { Design } from "./design.js";
import type { Extent } from "./ruler.js";

/** Extents of all parts relative to their font size, and the digits of each cell. */
export interface Extents {
  digit: Extent;
  counts: number[];
  divider: Extent;
  /** Extent of all labels; width 0 without labels. */
  label: Extent;
}

export interface CountdownSizes {
  digitSize: number;
  letterSpacing: number;
  labelSize: number;
  /** Width of each cell's digits. */
  digitWidths: number[];
  /** Each cell with its padding. */
  cellWidths: number[];
  /** Distance between cells, where a divider stands. */
  gutter: number;
  /** Height of digits and dividers, which share a centre line. */
  digitHeight: number;
  /** From the digits' baseline to the labels' top. */
  labelGap: number;
  labelHeight: number;
  /** From a panel's edge to its content. */
  inset: number;
}

// Relative to the digits' size: minimum spacing, and the look of panels.
const MIN_CELL_PADDING = 0.1;
const MIN_LABEL_GAP = 0.15;
const CARD_INSET = 0.28;
const CARD_GUTTER = 0.36;
/** In pixels. */
const MIN_AREA = { width: 176, height: 64 };

/** The largest factor, from 1 down in hundredths, that fits. */
export function largestScale(fits: (scale: number) => boolean): number {
  for (let percent = 100; percent > 1; percent--) if (fits(percent / 100)) return percent / 100;
  return 0.01;
}

interface Area {
  width: number;
  height: number;
}

/** The area inside the padding, which is reduced if it would leave less than half a side, or too little to read. */
export function contentArea({ width, height, padding }: Design): Area {
  return {
    width: width - 2 * Math.min(padding, width / 4, (width - MIN_AREA.width) / 2),
    height: height - 2 * Math.min(padding, height / 4, (height - MIN_AREA.height) / 2),
  };
}

/**
 * Sizes with which all cells fit into the picture, as requested if there is room. Otherwise spacing is reduced first,
 * then the labels, and the digits last.
 */
export function fitCells(design: Design, extents: Extents): CountdownSizes {
  const area = contentArea(design);
  const tight = (digitScale: number, labelScale: number) => tightSizes(design, extents, { digitScale, labelScale });
  const both = largestScale((scale) => totalHeight(tight(scale, scale)) <= area.height);
  const digits = both * largestScale((scale) => totalWidth(tight(both * scale, 0)) <= area.width);
  const labels = both * largestScale((scale) => totalWidth(tight(digits, both * scale)) <= area.width);
  return loosen(tight(digits, labels), { design, area, scale: digits });
}

export function totalWidth({ cellWidths, gutter }: CountdownSizes): number {
  return cellWidths.reduce((total, width) => total + width, 0) + gutter * (cellWidths.length - 1);
}

export function totalHeight({ digitHeight, labelGap, labelHeight, inset }: CountdownSizes): number {
  return digitHeight + labelGap + labelHeight + 2 * inset;
}

/** All sizes at a scale, with minimum spacing. */
function tightSizes(
  design: Design,
  extents: Extents,
  { digitScale, labelScale }: { digitScale: number; labelScale: number },
): CountdownSizes {
  const { digit, divider, label } = extents;
  const digitSize = design.digitFontSize * digitScale;
  const letterSpacing = design.letterSpacing * digitScale;
  const labelSize = design.labelFontSize * labelScale;
  const digitWidths = extents.counts.map((count) => count * digit.width * digitSize + (count - 1) * letterSpacing);
  const padding = Math.min(design.cellPadding * digitScale, MIN_CELL_PADDING * digitSize);
  const { cards } = design.effects;
  return {
    digitSize,
    letterSpacing,
    labelSize,
    digitWidths,
    cellWidths: digitWidths.map((width) => Math.max(width, label.width * labelSize) + 2 * padding),
    gutter: (divider.inkWidth + (cards ? CARD_GUTTER : 0)) * digitSize,
    digitHeight: Math.max(digit.ascent, divider.ascent + divider.descent) * digitSize,
    labelGap: label.width > 0 ? Math.min(wantedGap(design, digitScale), MIN_LABEL_GAP * digitSize) : 0,
    labelHeight: (label.ascent + label.descent) * labelSize,
    inset: cards ? CARD_INSET * digitSize : 0,
  };
}

/**
 * Requested distance between digits and labels: a line of digits includes some space, which a negative padding removes.
 */
function wantedGap({ digitFontSize, digitPaddingY, labelPaddingY }: Design, scale: number): number {
  return Math.max(0.05 * digitFontSize, 0.1 * digitFontSize + digitPaddingY + labelPaddingY) * scale;
}

/** Distributes the remaining room to the spacing, up to the requested size. */
function loosen(
  sizes: CountdownSizes,
  { design, area, scale }: { design: Design; area: Area; scale: number },
): CountdownSizes {
  const minPadding = Math.min(design.cellPadding * scale, MIN_CELL_PADDING * sizes.digitSize);
  const room = (area.width - totalWidth(sizes)) / (2 * sizes.cellWidths.length);
  const morePadding = Math.max(0, Math.min(design.cellPadding * scale - minPadding, room));
  const spareHeight = Math.max(0, area.height - totalHeight(sizes));
  return {
    ...sizes,
    cellWidths: sizes.cellWidths.map((width) => width + 2 * morePadding),
    labelGap: sizes.labelHeight > 0 ? Math.min(wantedGap(design, scale), sizes.labelGap + spareHeight) : 0,
  };
}
