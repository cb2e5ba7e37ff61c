import type { Palette } from "gifenc";
import { parseColor } from "../colors/color.js";
import { encoder } from "./encoder.js";

/** Straight RGBA, four bytes a pixel, row by row. */
export type Rgba = Uint8ClampedArray;

const MAX_COLORS = 48;
const EXACT_COLORS = 8;

export interface PalettePicker {
  palette: Palette;
  /** Index of uncovered pixels. */
  transparentIndex: number;
  /** The index of the nearest colour for each pixel. */
  toIndexes(pixels: Rgba): Uint8Array;
}

/**
 * The best colours for a picture, ignoring uncovered pixels: a fifth of GIF's maximum, which is not visible and halves
 * the file.
 */
export function createPalette(sample: Rgba): PalettePicker {
  // Quantization changes colours slightly, but a background must match the page around the picture.
  const exact = commonest(sample, EXACT_COLORS);
  const room = MAX_COLORS - exact.length - 1;
  const opaque = [...exact, ...encoder.quantize(sample, room, { format: "rgb565" })];
  const transparentIndex = opaque.length;
  const palette: Palette = [...opaque, [0, 0, 0]];
  // Text has few colours, so each is looked up once for a GIF.
  const known = new Map<number, number>();

  function indexOf(value: number): number {
    return value >>> 24 < 128 ? transparentIndex : nearest(opaque, toRgb(value));
  }

  return {
    palette,
    transparentIndex,
    toIndexes(pixels) {
      const values = colorsOf(pixels);
      const indexes = new Uint8Array(values.length);
      eachRun(values, (value, start, end) => {
        let index = known.get(value);
        if (index === undefined) {
          index = indexOf(value);
          known.set(value, index);
        }
        for (let pixel = start; pixel < end; pixel++) indexes[pixel] = index;
      });
      return indexes;
    },
  };
}

/** Pixels covered less than this, of 255, are left out. */
const LEAST_COVER = 40;

/** A drawing with partly covered pixels mixed with the page's colour, so that each is fully covered or uncovered. */
export function flatten(pixels: Rgba, matte: string): Rgba {
  const page = parseColor(matte) ?? { r: 255, g: 255, b: 255 };
  const flat = new Uint8ClampedArray(pixels.length);
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha < LEAST_COVER) continue;
    const mix = (channel: number, below: number) => ((pixels[at + channel] ?? 0) * alpha + below * (255 - alpha)) / 255;
    flat[at] = mix(0, page.r);
    flat[at + 1] = mix(1, page.g);
    flat[at + 2] = mix(2, page.b);
    flat[at + 3] = 255;
  }
  return flat;
}

/** The most frequent colours. */
function commonest(pixels: Rgba, count: number): Palette {
  const seen = new Map<number, number>();
  eachRun(colorsOf(pixels), (value, start, end) => seen.set(value, (seen.get(value) ?? 0) + end - start));
  const ranked = [...seen].sort(([, one], [, other]) => other - one).slice(0, count);
  return ranked.map(([value]) => toRgb(value));
}

/** Visits runs of equal pixels, of which pictures of text mostly consist. */
function eachRun(values: Int32Array, visit: (value: number, start: number, end: number) => void): void {
  let start = 0;
  for (let end = 1; end <= values.length; end++) {
    if (end < values.length && values[end] === values[start]) continue;
    visit(values[start] ?? 0, start, end);
    start = end;
  }
}

/**
 * One number a pixel: alpha in its highest byte, red in its lowest (little-endian). Signed, because a Map is slow with
 * keys above 2^31.
 */
function colorsOf(pixels: Rgba): Int32Array {
  return new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
}

const toRgb = (value: number): Palette[number] => [value & 255, (value >> 8) & 255, (value >> 16) & 255];

function nearest(palette: Palette, [r, g, b]: Palette[number]): number {
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let index = 0; index < palette.length; index++) {
    const color = palette[index] ?? [0, 0, 0];
    const distance = (color[0] - r) ** 2 + (color[1] - g) ** 2 + (color[2] - b) ** 2;
    if (distance >= bestDistance) continue;
    best = index;
    bestDistance = distance;
  }
  return best;
}
