/**
 * Looks again, in other ways, where nothing was found: codes without a quiet zone, blurred ones and pale ones. The library's option
 * tryDenoise is left out: it writes beside its memory for pictures that are a few pixels high.
 */
import type { ReaderOptions, ReadResult } from "zxing-wasm/reader";
import type { Pixels } from "../pictures/decode.js";
import { readCodes } from "./zxing.js";

/** Larger pictures are read once: each further look takes seconds. */
const MAX_PIXELS_TO_RETRY = 4_000_000;
const FRAME = 40;

type Attempt = (pixels: Pixels, options: ReaderOptions) => Promise<ReadResult[]>;

const ATTEMPTS: readonly Attempt[] = [
  readCodes,
  (pixels, options) => readCodes(pixels, { ...options, binarizer: "GlobalHistogram" }),
  // Shadows and light that fall on a code do not move this threshold.
  (pixels, options) => readCodes(pixels, { ...options, binarizer: "FixedThreshold" }),
  async (pixels, options) => (await readCodes(framed(pixels), options)).map(placed(-FRAME, 1)),
  async (pixels, options) => (await readCodes(halved(pixels), options)).map(placed(0, 2)),
];

export async function readHarder(pixels: Pixels, options: ReaderOptions): Promise<ReadResult[]> {
  const isLarge = pixels.width * pixels.height > MAX_PIXELS_TO_RETRY;
  for (const attempt of isLarge ? ATTEMPTS.slice(0, 1) : ATTEMPTS) {
    const found = await attempt(pixels, options);
    if (found.length > 0) return found;
  }
  return [];
}

/** Corners in the picture as it was given. */
function placed(by: number, factor: number) {
  return (result: ReadResult): ReadResult => {
    const move = ({ x, y }: { x: number; y: number }) => ({ x: (x + by) * factor, y: (y + by) * factor });
    const { topLeft, topRight, bottomRight, bottomLeft } = result.position;
    const [a, b, c, d] = [topLeft, topRight, bottomRight, bottomLeft].map(move);
    const position = { topLeft: a, topRight: b, bottomRight: c, bottomLeft: d } as ReadResult["position"];
    return { ...result, position };
  };
}

/** With a frame of the colour of its first pixel, which stands for the quiet zone. */
function framed({ data, width, height }: Pixels): Pixels {
  const wide = width + 2 * FRAME;
  const high = height + 2 * FRAME;
  const frame = new Uint32Array(wide * high).fill(new DataView(data.buffer, data.byteOffset).getUint32(0, true));
  const bytes = new Uint8ClampedArray(frame.buffer);
  for (let y = 0; y < height; y++)
    bytes.set(data.subarray(y * width * 4, (y + 1) * width * 4), ((y + FRAME) * wide + FRAME) * 4);
  return { data: bytes, width: wide, height: high };
}

/** Each pixel is the mean of four, which takes noise away. */
function halved({ data, width, height }: Pixels): Pixels {
  const [wide, high] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const bytes = new Uint8ClampedArray(wide * high * 4);
  const at = (x: number, y: number, part: number) =>
    data[(Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 4 + part] ?? 0;
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++)
      for (let part = 0; part < 4; part++) {
        const [left, top] = [2 * x, 2 * y];
        const sum =
          at(left, top, part) + at(left + 1, top, part) + at(left, top + 1, part) + at(left + 1, top + 1, part);
        bytes[(y * wide + x) * 4 + part] = sum / 4;
      }
  return { data: bytes, width: wide, height: high };
}
