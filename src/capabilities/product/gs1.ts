import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { text } from "../../capability/fields.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";

const engine = /* @__PURE__ */ lazy(() => import("../../engines/gs1/read-gs1.js"));

export const productGs1 = /* @__PURE__ */ defineCapability({
  id: "product.gs1",
  method: "POST",
  summary:
    "Read and check GS1 data of a label, such as GTIN, batch and expiry date, from brackets, a scan or a Digital Link, and write it in all three.",
  keywords: [
    ...["gs1-128", "application identifiers", "gtin", "sscc", "batch and lot", "expiry date", "datamatrix content"],
    ...["element string", "fnc1", "digital link", "product label", "scanned barcode", "serial number", "gs1 databar"],
  ],
  price: "0.001",
  offline: true,
  source: {
    provider: "built-in",
    url: "https://ref.gs1.org/tools/gs1-barcode-syntax-resource/syntax-dictionary/",
    license: "Apache-2.0 (GS1 Barcode Syntax Dictionary)",
  },
  input: () =>
    z.strictObject({
      data: text(1, 4000)
        .refine((value) => value.trim() !== "", { error: "must not be blank" })
        .describe("The data, such as (01)09521234543213(10)ABC, ^010952123454321310ABC or a Digital Link"),
      as: z
        .enum(["auto", "brackets", "barcode", "url"])
        .default("auto")
        .describe(
          "How it is written: identifiers in brackets, a scan with ^ or the character GS for FNC1 (also the first one), or an address; auto goes by its beginning",
        ),
    }),
  output: one(() =>
    z.object({
      valid: z.boolean().describe("Of the elements by themselves; what they need beside them stands in associations"),
      elements: z.array(
        z.object({
          ai: z.string().describe("Application identifier"),
          title: z.string(),
          value: z.string(),
          fields: z
            .record(z.string(), z.union([z.string(), z.array(z.string())]))
            .describe("What it means: date, quantity and unit, amount, key and serial …"),
        }),
      ),
      bracketed: z.string().nullable().describe("With identifiers in brackets; null if not valid"),
      barcodeMessage: z.string().nullable().describe("With ^ for FNC1; null if not valid"),
      digitalLink: z
        .string()
        .nullable()
        .describe("At id.gs1.org; null without a primary key such as 01, or if not valid"),
      humanReadable: z.array(z.string()).describe("Lines to print below the code"),
      errors: z.array(
        z.object({
          code: z.string().describe("As GS1's syntax engine calls it, such as INCORRECT_CHECK_DIGIT"),
          ai: z.string().nullable(),
          position: z.int().describe("In data, in UTF-16 units from 0"),
        }),
      ),
      associations: z
        .array(
          z.object({
            ai: z.string(),
            needs: z.array(z.string()).describe("One of these is missing beside it; 01+21 means both"),
            excludes: z.array(z.string()).describe("These stand beside it and may not; itself: with another value"),
          }),
        )
        .describe("Elements whose companions are missing here, or which do not go together"),
      dictionary: z.string().describe("Release of GS1's syntax dictionary"),
    }),
  ),
  example: { data: "(01)09521234543213(17)271231(10)ABC123" },
  async run({ data, as }, ctx) {
    const { readGs1, DICTIONARY_RELEASE } = await engine();
    const item = { ...readGs1(data, as, ctx.clock().getUTCFullYear()), dictionary: DICTIONARY_RELEASE };
    return { item, meta: method({ data: DICTIONARY_RELEASE }) };
  },
});
