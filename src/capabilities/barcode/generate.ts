import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { type BinaryResult, binary } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { assertFits, type EncodeOptions, encode } from "../../engines/barcode/matrix.js";
import { payloadSchema, payloadText } from "../../engines/barcode/payloads.js";
import { isDecodable, toPng } from "../../engines/barcode/png.js";
import { type Drawing, hiddenShare, renderSvg } from "../../engines/barcode/render.js";
import { type LogoStyle, styleSchema } from "../../engines/barcode/style.js";
import { invalid } from "../../errors.js";
import { assertLogoSource, loadLogo } from "./_logo.js";

const inputSchema = () =>
  z.strictObject({
    format: z.enum(["qr", "aztec", "datamatrix", "pdf417"]).prefault("qr").describe("Kind of code"),
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
      .describe("QR codes only: about 7, 15, 25 or 30 percent can be restored. Default M, with a logo Q or H"),
    style: styleSchema().prefault({}).describe("Module shapes, colours and logo"),
  });

type Input = z.output<ReturnType<typeof inputSchema>>;

export const barcodeGenerate = /* @__PURE__ */ defineCapability({
  id: "barcode.generate",
  method: "POST",
  summary:
    "Draw a QR, Aztec, Data Matrix or PDF417 code as SVG or PNG, with colours, gradients, module shapes and a logo.",
  keywords: ["qr code", "barcode", "wifi qr", "vcard", "business card", "payment link", "scan", "2d code", "ticket"],
  price: "0.001",
  source: { provider: "built-in (qrcode, bwip-js)", url: "https://github.com/soldair/node-qrcode", license: "MIT" },
  input: inputSchema,
  output: binary("image/svg+xml", "image/png", "application/json"),
  example: { data: { type: "url", url: "https://example.com" }, style: { modules: "rounded", foreground: "#0a3d62" } },
  async check(input, ctx) {
    const { logo } = input.style;
    if (logo && input.format !== "qr") throw invalid("style.logo", "is only possible in a QR code");
    if (logo) assertLogoSource(logo.source, ctx);
    await assertFits(payloadText(input.data), encodeOptions(input));
  },
  async run(input, ctx) {
    const { size, margin, style } = input;
    const logo = style.logo ? await usableLogo(style.logo, input, ctx) : undefined;
    const matrix = await encode(payloadText(input.data), encodeOptions(input));
    return toOutput(renderSvg(matrix, { size, margin, style, logo }), input);
  },
});

function encodeOptions({ format, errorCorrection, style: { logo }, size, margin }: Input): EncodeOptions {
  if (!logo) return { format, level: errorCorrection ?? "M" };
  const hidden = hiddenShare(logo, { size, margin });
  // What a logo hides, only error correction brings back.
  const level = logo.sizePct > 0.2 || hidden > 0.25 ? "H" : "Q";
  return { format, level: errorCorrection ?? level, hiddenShare: hidden };
}

async function usableLogo({ source }: LogoStyle, { output }: Input, ctx: Context) {
  const logo = await loadLogo(source, ctx);
  // In an SVG the viewer decodes it; a PNG would come out without it.
  if (output !== "svg" && !(await isDecodable(logo.bytes)))
    throw invalid("style.logo.source", `cannot be decoded as ${logo.mimeType}`);
  return logo;
}

async function toOutput(drawing: Drawing, { output, format, size }: Input): Promise<BinaryResult> {
  if (output === "svg") return { contentType: "image/svg+xml", body: drawing.svg };
  const png = await toPng(drawing);
  if (output === "png") return { contentType: "image/png", body: png };
  const dataUrl = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const body = JSON.stringify({ dataUrl, mimeType: "image/png", format, size });
  return { contentType: "application/json", body };
}
