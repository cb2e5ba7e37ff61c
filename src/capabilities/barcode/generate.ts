import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { binary } from "../../capability/output.js";
import { assertMayFit, type Symbology, tooLong } from "../../engines/barcode/matrix.js";
import { payloadSchema, payloadText } from "../../engines/barcode/payloads.js";
import { planQr, type QrPlan, sideOf } from "../../engines/barcode/qr.js";
import { assertContrast, assertModuleSize } from "../../engines/barcode/readable.js";
import { hiddenShare } from "../../engines/barcode/render.js";
import { styleSchema } from "../../engines/barcode/style.js";
import type { Level } from "../../engines/barcode/symbol.js";
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

type Input = z.output<ReturnType<typeof inputSchema>>;

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
    assertContrast(input.style, input.format);
    const text = payloadText(input.data, ctx.brand);
    return { ...input, text, symbology: await symbologyOf(text, input) };
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

const drawing = /* @__PURE__ */ lazy(() => import("../../engines/barcode/drawing.js"));

/** Properties of a code that can be determined before encoding. */
async function symbologyOf(text: string, { format, errorCorrection, size, margin, style }: Input): Promise<Symbology> {
  const { logo } = style;
  // Error correction has to restore the part that a logo hides.
  const level = errorCorrection ?? (logo ? (logo.sizePct > 0.2 ? "H" : "Q") : "M");
  assertMayFit(text, format, level);
  if (format !== "qr") return { format };
  const planned = (tried: Level, sizePct = logo?.sizePct) =>
    planQr(text, { level: tried, hiddenShare: logo && sizePct && hiddenShare({ ...logo, sizePct }, { size, margin }) });
  let plan = await planned(level);
  if (plan === "hidden" && !errorCorrection) plan = await planned("H");
  if (plan === "too-long") throw tooLong(text, format, level);
  if (plan === "hidden")
    throw invalid("style.logo.sizePct", await hiddenToo(level, { planned, sizePct: logo?.sizePct }));
  assertModuleSize({ format, columns: sideOf(plan.version), size, margin, modules: style.modules });
  return { format, plan };
}

interface Attempts {
  planned(level: Level, sizePct?: number): Promise<QrPlan | "too-long" | "hidden">;
  sizePct: number | undefined;
}

/** Why a logo is refused, with alternatives that would work. */
async function hiddenToo(level: Level, { planned, sizePct = 0 }: Attempts): Promise<string> {
  const ways: string[] = [];
  if (level !== "H" && typeof (await planned("H")) === "object") ways.push("errorCorrection H");
  for (const smaller of [0.3, 0.25, 0.2, 0.15, 0.1, 0.05])
    if (smaller < sizePct && typeof (await planned(level, smaller)) === "object") {
      ways.push(`a sizePct of ${smaller}`);
      break;
    }
  const way = ways.length > 0 ? `use ${ways.join(" or ")}` : "use less padding or shorten the data";
  return `hides more of the code than error correction ${level} restores: ${way}`;
}
