import type { SKRSContext2D } from "@napi-rs/canvas";
import type { Box } from "./box.js";
import type { Design } from "./design.js";
import { type CountdownSizes, contentArea, fitCells, largestScale, totalHeight, totalWidth } from "./fit.js";
import { fontOf, isJoined } from "./fonts.js";
import { type Extent, measure } from "./ruler.js";

/** Position and style of a text: `x` is its middle, `y` its baseline. */
export interface TextLine {
  font: string;
  letterSpacing: number;
  x: number;
  y: number;
}

/** Positions on a picture of digits. */
export interface Layout {
  digitSize: number;
  /** Each cell with its padding: a panel, if the template has them. */
  boxes: Box[];
  digits: TextLine[];
  /** One for each cell, or none. */
  labels: TextLine[];
  /** One fewer than cells. */
  dividers: TextLine[];
}

/** Letter spacing of small capitals, relative to their size, for legibility. */
const LABEL_SPACING = 0.06;

/** Centres the cells. `longest` has, for each cell, its largest number of digits. */
export function layOutCells(ctx: SKRSContext2D, design: Design, longest: string[]): Layout {
  const digitFont = fontOf(design.fonts.digits);
  const labelFont = fontOf(design.fonts.labels);
  const spacing = design.labels.some(isJoined) ? 0 : LABEL_SPACING;
  const digit = measure(ctx, "0", { font: digitFont });
  const divider = measure(ctx, design.divider, { font: digitFont });
  const label = largest(design.labels.map((text) => measure(ctx, text, { font: labelFont, spacing })));

  const sizes = fitCells(design, { digit, divider, label, counts: longest.map((digits) => digits.length) });
  const { digitSize, labelSize, letterSpacing } = sizes;
  const boxes = placeBoxes(design, sizes);
  const digitsTop = (design.height - totalHeight(sizes)) / 2 + sizes.inset;
  const digitsFoot = digitsTop + (sizes.digitHeight + digit.ascent * digitSize) / 2;
  const labelsFoot = digitsTop + sizes.digitHeight + sizes.labelGap + sizes.labelHeight - label.descent * labelSize;
  const dividersFoot = digitsFoot - dividerLift(design.divider, divider, digit) * digitSize;

  const middles = boxes.map(({ x, width }) => x + width / 2);
  const gutters = boxes.slice(1).map(({ x }) => x - sizes.gutter / 2);
  return {
    digitSize,
    boxes,
    digits: middles.map((x) => ({ font: digitFont(digitSize), letterSpacing, x, y: digitsFoot })),
    labels: middles
      .slice(0, design.labels.length)
      .map((x) => ({ font: labelFont(labelSize), letterSpacing: spacing * labelSize, x, y: labelsFoot })),
    dividers: gutters.map((x) => ({ font: digitFont(digitSize), letterSpacing: 0, x, y: dividersFoot })),
  };
}

/** Centres one line of text, at most as large as digits. */
export function layOutText(ctx: SKRSContext2D, design: Design, text: string): TextLine {
  const { digitFontSize } = design;
  const letterSpacing = isJoined(text) ? 0 : design.letterSpacing;
  const font = fontOf(design.fonts.expired);
  const extent = measure(ctx, text, { font, spacing: letterSpacing / digitFontSize });
  const area = contentArea(design);
  const fits = (size: number) =>
    Math.max(extent.width, extent.inkWidth) * size <= area.width &&
    (extent.ascent + extent.descent) * size <= area.height;
  const scale = largestScale((factor) => fits(digitFontSize * factor));
  const size = digitFontSize * scale;
  const y = (design.height + (extent.ascent - extent.descent) * size) / 2;
  return { font: font(size), letterSpacing: letterSpacing * scale, x: design.width / 2, y };
}

function placeBoxes(design: Design, sizes: CountdownSizes): Box[] {
  const height = totalHeight(sizes);
  const y = (design.height - height) / 2;
  let x = (design.width - totalWidth(sizes)) / 2;
  return sizes.cellWidths.map((width) => {
    const box = { x, y, width, height };
    x += width + sizes.gutter;
    return box;
  });
}

function largest(extents: Extent[]): Extent {
  const max = (key: keyof Extent) => Math.max(0, ...extents.map((extent) => extent[key]));
  return { width: max("width"), inkWidth: max("inkWidth"), ascent: max("ascent"), descent: max("descent") };
}

/** How far to raise a divider so that a colon is at half the digits' height; a full stop stays at the baseline. */
function dividerLift(text: string, divider: Extent, digit: Extent): number {
  if (/[.,_]/.test(text)) return 0;
  return (digit.ascent - (divider.ascent - divider.descent)) / 2;
}
