import gifenc, { type Palette } from "gifenc";

/** Straight RGBA, four bytes a pixel, row by row. */
export type Rgba = Uint8ClampedArray;

const MAX_COLORS = 256;
const EXACT_COLORS = 16;

export interface PalettePicker {
  palette: Palette;
  /** What a pixel without colour is drawn with; beyond the palette when there is none. */
  transparentIndex: number;
  /** The index of the nearest colour for each pixel. */
  toIndexes(pixels: Rgba): Uint8Array;
}

/**
 * The 256 colours that suit a picture best. With `transparent`, one of them is no colour, for all pixels that are less
 * than half opaque: GIF knows nothing between.
 */
export function createPalette(sample: Rgba, transparent: boolean): PalettePicker {
  // Quantizing moves a colour a little, and a background must be just the one around the picture on a page.
  const exact = commonest(sample, EXACT_COLORS);
  const room = MAX_COLORS - exact.length - (transparent ? 1 : 0);
  const opaque = [...exact, ...gifenc.quantize(sample, room, { format: "rgb565" })];
  const transparentIndex = opaque.length;
  const palette: Palette = transparent ? [...opaque, [0, 0, 0]] : opaque;
  // Text has few colours: each is looked up once in the life of a GIF.
  const known = new Map<number, number>();

  function indexOf(value: number): number {
    return transparent && value >>> 24 < 128 ? transparentIndex : nearest(opaque, toRgb(value));
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

/** The colours that most pixels have. */
function commonest(pixels: Rgba, count: number): Palette {
  const seen = new Map<number, number>();
  eachRun(colorsOf(pixels), (value, start, end) => seen.set(value, (seen.get(value) ?? 0) + end - start));
  const ranked = [...seen].sort(([, one], [, other]) => other - one).slice(0, count);
  return ranked.map(([value]) => toRgb(value));
}

/** Visits pixels of one colour that follow each other together: pictures of text are mostly such. */
function eachRun(values: Int32Array, visit: (value: number, start: number, end: number) => void): void {
  let start = 0;
  for (let end = 1; end <= values.length; end++) {
    if (end < values.length && values[end] === values[start]) continue;
    visit(values[start] ?? 0, start, end);
    start = end;
  }
}

/**
 * One number a pixel: alpha in its highest byte, red in its lowest, as every machine that Node runs on orders bytes.
 * Signed, because a Map is slow with keys above 2^31.
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
