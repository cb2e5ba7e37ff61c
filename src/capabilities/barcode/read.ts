import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { rows } from "../../capability/output.js";
import { BARCODE_FORMATS, barcodeFormat } from "../../engines/barcode-reading/formats.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import {
  assertPictureUrl,
  fetchPicture,
  type PictureType,
  pictureBytes,
  pictureField,
  pictureUrl,
} from "../../upstream/input/image-input.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const TYPES: readonly PictureType[] = ["png", "jpeg", "gif", "webp"];
const MAX_LIMIT = 20;

const format = () =>
  z
    .string()
    .max(40)
    .transform((name, { addIssue }) => {
      const found = barcodeFormat(name);
      if (!found) addIssue({ code: "custom", message: `must be one of ${BARCODE_FORMATS.join(", ")}` });
      return found ?? "QRCode";
    });

const point = () => z.object({ x: z.number(), y: z.number() });

export const barcodeRead = /* @__PURE__ */ defineCapability({
  id: "barcode.read",
  method: "POST",
  summary:
    "Read the barcodes and QR codes of a picture, with their corners and with GS1, payment, Wi-Fi and contact data parsed.",
  keywords: [
    ...["scan qr code", "qr code reader", "barcode scanner", "decode barcode", "read ean", "upc"],
    ...["aztec", "code 128", "photo of a barcode", "boarding pass", "zxing"],
  ],
  price: "0.002",
  offline: true,
  packages: ["zxing-wasm", "@napi-rs/canvas"],
  source: {
    provider: "built-in (zxing-cpp)",
    url: "https://github.com/Sec-ant/zxing-wasm",
    license: "MIT, Apache-2.0",
  },
  timeoutMs: 15_000,
  maxBodyBytes: 4_200_000,
  input: () =>
    z.strictObject({
      image: pictureField(TYPES).optional(),
      url: pictureUrl().optional(),
      formats: z
        .array(format())
        .max(BARCODE_FORMATS.length)
        .default([])
        .describe(`Kinds to look for: ${BARCODE_FORMATS.join(", ")}; none given means all`),
      limit: z.int().min(1).max(MAX_LIMIT).default(MAX_LIMIT).describe("Most codes to read"),
    }),
  output: rows(() =>
    z.object({
      text: z.string().describe("UPC-A has 12 digits, UPC-E 8; Codabar is without its start and stop"),
      format: z.string().describe("As in the input; DataBar and some others with their variant"),
      bytes: z.string().describe("The content in base64"),
      corners: z.array(point()).length(4).describe("In pixels, clockwise from the code's own top left"),
      errorCorrection: z.string().nullable().describe("Level or share, such as M or 36%"),
      isInverted: z.boolean().describe("Light on dark"),
      payload: z
        .looseObject({ type: z.enum(["gs1", "payment", "wifi", "vcard", "url"]) })
        .nullable()
        .describe("What the text means: as product.gs1 and payment.qr answer, or the fields of a network or a contact"),
    }),
  ),
  example: {
    // A QR code of 58 pixels.
    image:
      "iVBORw0KGgoAAAANSUhEUgAAAEIAAABCAQAAAADLLz1FAAAAnklEQVR42q3SsQrDMAwEUIFWgX9FoDVwvx7wasivGLQaVNqmhEvW" +
      "anpwQtwgqXN2+ZNEdZ8CEtJmFMujrdC73POhJnch+57FEo1wYVWZ4uz3U/fh8UkvtQF8r1ySjmM5axyxtVWkkgEdIGXbSg+W51Cf" +
      "rIG+sBUpVE0aq6oZDCRRtbgJOQON5RFdHsq5tG6yAkBCSg8rkry3F0j//aEXfnRu4ra4DwsAAAAASUVORK5CYII=",
  },
  async check({ image, url }, ctx) {
    if (image === undefined && url === undefined) throw invalid("image", "is missing: send the picture, or its url");
    if (image !== undefined && url !== undefined) throw invalid("url", "must be left out beside image");
    if (image !== undefined) pictureBytes(image, "image", TYPES);
    if (url !== undefined) await assertPictureUrl(url, "url", ctx);
  },
  pixels: () => 25_000_000,
  async run({ image, url, formats, limit }, ctx) {
    const field = image === undefined ? "url" : "image";
    const bytes =
      url === undefined ? pictureBytes(image ?? "", field, TYPES) : await fetchPicture(url, field, TYPES, ctx);
    const { runInWorker } = await workers();
    const task = { bytes, field, formats, limit, year: ctx.clock().getUTCFullYear() };
    const items = await runInWorker(ctx, "barcode.read", task, { field, taskMs: 12_000 });
    return { items, total: items.length, meta: method({ engine: "zxing-wasm", version: "3.1.4" }) };
  },
});
