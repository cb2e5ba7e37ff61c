import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { binary } from "../../capability/output.js";
import { payloadSchema } from "../../engines/barcode/payloads.js";
import { styleSchema } from "../../engines/barcode/style.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { assertInstalled } from "../../lib/packages/installed.js";
import { assertLogoSource, loadLogo, MAX_LOGO_PIXELS } from "./_logo.js";

const FORMATS = ["qr", "aztec", "datamatrix", "pdf417"] as const;

const inputSchema = () =>
  z.strictObject({
    format: z.enum(FORMATS).prefault("qr").describe("Kind of code"),
    data: payloadSchema().describe("What the code carries, by type"),
    output: z
      .enum(["svg", "png", "dataurl"])
      .prefault("svg")
      .describe("SVG text, PNG bytes, or JSON with a data URL of the PNG"),
    size: z.int().min(64).max(4096).prefault(512).describe("Width in px, quiet zone included"),
    margin: z.int().min(0).max(16).prefault(4).describe("Quiet zone in modules"),
    errorCorrection: z
      .enum(["L", "M", "Q", "H"])
      .optional()
      .describe(
        "QR codes only: about 7, 15, 25 or 30 percent can be restored. Left out: M, with a logo Q or, where that is not enough, H",
      ),
    style: styleSchema().prefault({}).describe("Module shapes, colours and logo"),
  });

/** The answer of output "dataurl". */
const dataUrlSchema = () =>
  z.object({
    dataUrl: z.string().describe("The picture, as data:image/png;base64,…"),
    mimeType: z.literal("image/png").describe("Of the picture"),
    format: z.enum(FORMATS).describe("Kind of code"),
    size: z.int().describe("Width of the picture in px"),
  });

export const barcodeGenerate = /* @__PURE__ */ defineCapability({
  id: "barcode.generate",
  method: "POST",
  summary:
    "Draw a QR, Aztec, Data Matrix or PDF417 code as SVG or PNG, with colours, gradients, module shapes and a logo.",
  keywords: ["qr code", "barcode", "wifi qr", "vcard", "business card", "payment link", "scan", "2d code", "ticket"],
  price: "0.001",
  source: { provider: "built-in (lean-qr, bwip-js)", url: "https://github.com/davidje13/lean-qr", license: "MIT" },
  input: inputSchema,
  output: binary("image/svg+xml", "image/png", { json: dataUrlSchema }),
  example: { data: { type: "url", url: "https://example.com" }, style: { modules: "rounded", foreground: "#0a3d62" } },
  async read(input, ctx) {
    const { logo } = input.style;
    if (input.format !== "qr") assertInstalled("bwip-js");
    if (input.output === "png") assertInstalled("@napi-rs/canvas");
    if (logo && input.format !== "qr") throw invalid("style.logo", "is only possible in a QR code");
    if (logo) assertLogoSource(logo.source, ctx);
    const { planCode } = await planning();
    return { ...input, ...(await planCode(input, ctx.brand)) };
  },
  pixels: ({ output, size, style }) => (output === "svg" ? 0 : size ** 2) + (style.logo ? MAX_LOGO_PIXELS : 0),
  async run({ text, symbology, size, margin, style, output, format }, ctx) {
    const logo = style.logo ? await loadLogo(style.logo.source, ctx) : undefined;
    const { openBarcodeDrawing } = await drawing();
    const pool = await ctx.resources.use("barcode.generate", openBarcodeDrawing, (opened) => opened.close());
    const as = output === "svg" ? "svg" : "png";
    const drawn = await pool.run({ text, symbology, size, margin, style, logo, as }, ctx);
    if ("refused" in drawn) throw invalid(drawn.refused.path, drawn.refused.message);
    if ("svg" in drawn) return { contentType: "image/svg+xml", body: drawn.svg };
    if (output === "png") return { contentType: "image/png", body: drawn.png };
    const dataUrl = `data:image/png;base64,${Buffer.from(drawn.png).toString("base64")}`;
    return { contentType: "application/json", body: JSON.stringify({ dataUrl, mimeType: "image/png", format, size }) };
  },
});

const planning = /* @__PURE__ */ lazy(() => import("../../engines/barcode/plan.js"));
const drawing = /* @__PURE__ */ lazy(() => import("../../engines/barcode/drawing.js"));
