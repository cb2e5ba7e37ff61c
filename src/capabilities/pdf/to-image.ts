import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { binary } from "../../capability/output.js";
import { pdfFields } from "../../upstream/input/document-input.js";
import { document, PDF, readPdf } from "./_document.js";
import { EXAMPLE } from "./_example.js";

/** The widest page, 14,400 points, at the finest resolution. */
const MAX_WIDTH = 10_000;
const MAX_PIXELS = 25_000_000;

export const pdfToImage = /* @__PURE__ */ defineCapability({
  id: "pdf.to-image",
  ...PDF,
  summary: "A page of a PDF as a picture, PNG or WebP, at 36 to 200 dots an inch.",
  keywords: [
    "pdf to png",
    "pdf thumbnail",
    "render pdf page",
    "pdf preview",
    "first page picture",
    "pdf to jpg",
    "rasterize",
  ],
  price: "0.002",
  packages: ["@napi-rs/canvas"],
  input: () =>
    z.strictObject({
      ...document.fields(),
      page: z.int().min(1).max(100_000).default(1).describe("Which page to draw"),
      dpi: z.int().min(36).max(200).default(96).describe("Dots an inch; a point of the page is a 72nd"),
      format: z.enum(["png", "webp"]).default("png").describe("Of the picture"),
      maxWidth: z.int().min(16).max(MAX_WIDTH).optional().describe("Pixels; a wider page is drawn smaller"),
      password: pdfFields().password,
    }),
  output: binary("image/png", "image/webp"),
  example: { file: EXAMPLE, page: 1, dpi: 72 },
  check: document.check,
  pixels: () => MAX_PIXELS,
  async run(input, ctx) {
    const { bytes } = await readPdf("pdf.to-image", input, ctx);
    return { contentType: `image/${input.format}`, body: bytes };
  },
});
