import type { SKRSContext2D } from "@napi-rs/canvas";

/** Size of a text relative to its font size. */
export interface Extent {
  /** From its start to the start of a following text. */
  width: number;
  /** Width of the visible part. */
  inkWidth: number;
  ascent: number;
  descent: number;
}

// Measured at a large size, so that rounding to whole pixels does not matter.
const MEASURED_PX = 200;

/** Measures a text with letter spacing (in parts of the font size) between its characters. */
export function measure(
  ctx: SKRSContext2D,
  text: string,
  { font, spacing = 0 }: { font: (sizePx: number) => string; spacing?: number },
): Extent {
  ctx.font = font(MEASURED_PX);
  ctx.letterSpacing = "0px";
  const metrics = ctx.measureText(text);
  return {
    width: metrics.width / MEASURED_PX + gapsIn(text) * spacing,
    inkWidth: (metrics.actualBoundingBoxLeft + metrics.actualBoundingBoxRight) / MEASURED_PX,
    ascent: metrics.actualBoundingBoxAscent / MEASURED_PX,
    descent: metrics.actualBoundingBoxDescent / MEASURED_PX,
  };
}

function gapsIn(text: string): number {
  return Math.max(0, [...text].length - 1);
}
