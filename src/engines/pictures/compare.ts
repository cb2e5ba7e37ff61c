/** Compares two pictures pixel by pixel, by structure, and as people see them. */
import { invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { decodePicture, encodePng, type Pixels } from "./decode.js";
import { hashDistance, lumaOf } from "./perceptual-hash.js";
import { structuralSimilarity } from "./ssim.js";
import { isWholePicture } from "./whole.js";

const library = /* @__PURE__ */ lazy(async () => (await import("pixelmatch").catch(without("pixelmatch"))).default);

export interface PictureComparison {
  a: Uint8Array;
  b: Uint8Array;
  threshold: number;
  includeAntialiasing: boolean;
  diff: boolean;
}

export interface Comparison {
  sameSize: boolean;
  /** Of `a`, as the next. */
  width: number;
  height: number;
  other: { width: number; height: number };
  differentPixels: number | null;
  differentShare: number | null;
  ssim: number | null;
  perceptualDistance: number;
  diffImage: string | null;
}

export async function comparePictures(question: PictureComparison): Promise<Comparison> {
  const a = await wholePicture(question.a, "a");
  const b = await wholePicture(question.b, "b");
  const [lumaA, lumaB] = [lumaOf(a), lumaOf(b)];
  const sizes = { width: a.width, height: a.height, other: { width: b.width, height: b.height } };
  const perceptualDistance = hashDistance(lumaA, lumaB);
  if (a.width !== b.width || a.height !== b.height) {
    const none = { differentPixels: null, differentShare: null, ssim: null, diffImage: null };
    return { sameSize: false, ...sizes, ...none, perceptualDistance };
  }
  const { count, image } = await differences(a, b, question);
  return {
    sameSize: true,
    ...sizes,
    differentPixels: count,
    differentShare: count / (a.width * a.height),
    ssim: structuralSimilarity(lumaA, lumaB),
    perceptualDistance,
    diffImage: image,
  };
}

function wholePicture(bytes: Uint8Array, field: string): Promise<Pixels> {
  if (!isWholePicture(bytes)) throw invalid(field, "is damaged or incomplete: what is missing cannot be compared");
  return decodePicture(bytes, field);
}

async function differences(a: Pixels, b: Pixels, { threshold, includeAntialiasing, diff }: PictureComparison) {
  const pixelmatch = await library();
  const { width, height } = a;
  const drawn = diff ? new Uint8ClampedArray(a.data.length) : undefined;
  const options = { threshold, includeAA: includeAntialiasing };
  const count = pixelmatch(a.data, b.data, drawn, width, height, options);
  const image = drawn ? Buffer.from(await encodePng({ data: drawn, width, height })).toString("base64") : null;
  return { count, image };
}
