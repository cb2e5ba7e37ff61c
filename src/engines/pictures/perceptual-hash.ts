/** A hash of 64 bits of what a picture shows: the lowest frequencies of its brightness at 32 by 32 pixels. */
import type { Pixels } from "./decode.js";

export interface Luma {
  /** Brightness from 0 to 255 on white paper. */
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

export function lumaOf({ data, width, height }: Pixels): Luma {
  const luma = new Uint8ClampedArray(width * height);
  for (let at = 0; at < luma.length; at++) {
    const from = at * 4;
    const light = 0.299 * (data[from] ?? 0) + 0.587 * (data[from + 1] ?? 0) + 0.114 * (data[from + 2] ?? 0);
    luma[at] = 255 + (light - 255) * ((data[from + 3] ?? 255) / 255);
  }
  return { data: luma, width, height };
}

const SIDE = 32;
const KEPT = 8;

/** From 0 for the same content to 64; sizes may differ. */
export function hashDistance(a: Luma, b: Luma): number {
  const [first, second] = [hashOf(a), hashOf(b)];
  return first.reduce((distance, bit, at) => distance + (bit === second[at] ? 0 : 1), 0);
}

function hashOf(luma: Luma): boolean[] {
  const frequencies = lowFrequencies(shrunk(luma));
  const sorted = [...frequencies].sort((p, q) => p - q);
  const median = ((sorted[31] ?? 0) + (sorted[32] ?? 0)) / 2;
  return frequencies.map((frequency) => frequency > median);
}

/** Each pixel is the mean of the area that it stands for. */
function shrunk({ data, width, height }: Luma): number[] {
  const small: number[] = [];
  for (let row = 0; row < SIDE; row++)
    for (let column = 0; column < SIDE; column++) {
      const [left, right] = bounds(column, width);
      const [top, bottom] = bounds(row, height);
      let sum = 0;
      for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += data[y * width + x] ?? 0;
      small.push(sum / ((right - left) * (bottom - top)));
    }
  return small;
}

function bounds(at: number, length: number): [number, number] {
  const from = Math.min(length - 1, Math.floor((at * length) / SIDE));
  return [from, Math.max(from + 1, Math.floor(((at + 1) * length) / SIDE))];
}

/** The first 8 by 8 terms of the discrete cosine transform, rounded so that flat pictures have the same. */
function lowFrequencies(small: number[]): number[] {
  const cosines = Array.from({ length: KEPT }, (_, term) =>
    Array.from({ length: SIDE }, (_, at) => Math.cos(((2 * at + 1) * term * Math.PI) / (2 * SIDE))),
  );
  const rows = Array.from({ length: SIDE }, (_, row) =>
    cosines.map((wave) => wave.reduce((sum, cosine, at) => sum + cosine * (small[row * SIDE + at] ?? 0), 0)),
  );
  return cosines.flatMap((wave) =>
    Array.from({ length: KEPT }, (_, term) =>
      Math.round(wave.reduce((sum, cosine, row) => sum + cosine * (rows[row]?.[term] ?? 0), 0)),
    ),
  );
}
