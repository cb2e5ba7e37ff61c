/** Structural similarity (Wang and others, 2004) of the brightness of two pictures of one size. */
import type { Luma } from "./perceptual-hash.js";

const WINDOW = 8;
const STEP = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/** Mean over windows of 8 by 8 pixels, 4 apart: 1 for the same picture, near 0 for unlike ones; may be below 0. */
export function structuralSimilarity(a: Luma, b: Luma): number {
  const [wide, high] = [Math.min(WINDOW, a.width), Math.min(WINDOW, a.height)];
  let sum = 0;
  let windows = 0;
  for (let y = 0; y + high <= a.height; y += STEP)
    for (let x = 0; x + wide <= a.width; x += STEP) {
      sum += ofWindow(a, b, { x, y, wide, high });
      windows++;
    }
  return sum / windows;
}

interface Window {
  x: number;
  y: number;
  wide: number;
  high: number;
}

function ofWindow(a: Luma, b: Luma, { x, y, wide, high }: Window): number {
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0];
  for (let row = y; row < y + high; row++)
    for (let at = row * a.width + x; at < row * a.width + x + wide; at++) {
      const [p, q] = [a.data[at] ?? 0, b.data[at] ?? 0];
      sumA += p;
      sumB += q;
      squareA += p * p;
      squareB += q * q;
      product += p * q;
    }
  const count = wide * high;
  const [meanA, meanB] = [sumA / count, sumB / count];
  const spread = squareA / count - meanA * meanA + squareB / count - meanB * meanB;
  const together = product / count - meanA * meanB;
  const [means, squares] = [2 * meanA * meanB, meanA * meanA + meanB * meanB];
  return ((means + C1) * (2 * together + C2)) / ((squares + C1) * (spread + C2));
}
