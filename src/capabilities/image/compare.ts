import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { inspectImage } from "../../upstream/input/image.js";
import { type PictureType, pictureBytes, pictureField } from "../../upstream/input/image-input.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

/** Of both pictures: each pixel takes some ten bytes. */
const MAX_PIXELS = 25_000_000;

function pixelsOf(bytes: Uint8Array): number {
  const { width, height } = inspectImage(bytes) ?? { width: 0, height: 0 };
  return width * height;
}

const TYPES: readonly PictureType[] = ["png", "jpeg"];

export const imageCompare = /* @__PURE__ */ defineCapability({
  id: "image.compare",
  method: "POST",
  summary:
    "Compare two pictures: how many pixels differ, how alike they are in structure and to the eye, with a picture of the differences.",
  keywords: [
    ...["image diff", "screenshot comparison", "visual regression", "pixel difference", "pixelmatch", "ssim"],
    ...["perceptual hash", "duplicate image", "same images", "before and after"],
  ],
  price: "0.002",
  offline: true,
  packages: ["pixelmatch", "@napi-rs/canvas"],
  source: { provider: "built-in (pixelmatch)", url: "https://github.com/mapbox/pixelmatch", license: "ISC" },
  timeoutMs: 15_000,
  maxBodyBytes: 8_400_000,
  input: () =>
    z.strictObject({
      a: pictureField(TYPES),
      b: pictureField(TYPES).describe("The other picture, likewise; both together have at most 25 megapixels"),
      threshold: z
        .number()
        .min(0)
        .max(1)
        .default(0.1)
        .describe("Least difference of colour that counts: 0 counts every one, 1 only that of black and white"),
      includeAntialiasing: z
        .boolean()
        .default(false)
        .describe("Whether pixels count that differ only in how edges were smoothed"),
      diff: z.boolean().default(false).describe("Whether to draw the differences"),
    }),
  output: one(() =>
    z.object({
      sameSize: z.boolean(),
      width: z.int().describe("Of a, in pixels"),
      height: z.int(),
      other: z.object({ width: z.int(), height: z.int() }).describe("Size of b"),
      differentPixels: z.int().nullable().describe("null, as all but the last number, where the sizes differ"),
      differentShare: z.number().nullable().describe("Of all pixels, from 0 to 1"),
      ssim: z.number().nullable().describe("Structural similarity of brightness: 1 is the same, near 0 is unlike"),
      perceptualDistance: z
        .int()
        .describe(
          "Bits by which perceptual hashes differ, 0 to 64: below 10 is likely the same picture, scaled or recoded",
        ),
      diffImage: z.string().nullable().describe("A PNG in base64: differences red, smoothed edges yellow"),
    }),
  ),
  example: {
    a: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    b: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  },
  check({ a, b }) {
    const [first, second] = [pixelsOf(pictureBytes(a, "a", TYPES)), pixelsOf(pictureBytes(b, "b", TYPES))];
    if (first + second > MAX_PIXELS)
      throw invalid("b", "and a have more than 25 megapixels together: send smaller pictures, or a part of each");
  },
  pixels: () => MAX_PIXELS,
  async run({ a, b, ...options }, ctx) {
    const { runInWorker } = await workers();
    const task = { a: pictureBytes(a, "a", TYPES), b: pictureBytes(b, "b", TYPES), ...options };
    const item = await runInWorker(ctx, "image.compare", task, { field: "a", taskMs: 12_000 });
    return { item, meta: method({ engine: "pixelmatch", version: "7.2.0" }) };
  },
});
