import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { pdfFields } from "../../upstream/input/document-input.js";
import { answerOf, ceilingOf, checkPdf, document, PDF, readPdf } from "./_document.js";
import { EXAMPLE } from "./_example.js";

const PRICE = { usdPerPage: "0.0005", least: "0.001" };

export const pdfText = /* @__PURE__ */ defineCapability({
  id: "pdf.text",
  ...PDF,
  summary: "The text layer of a PDF, page by page in reading order, with metadata, outline and places of words.",
  keywords: [
    "extract text from pdf",
    "pdf to text",
    "read pdf",
    "pdftotext",
    "pdf metadata",
    "pdf pages",
    "table of contents",
    "word coordinates",
    "bounding boxes",
    "text layer",
    "author of a pdf",
    "who wrote and when it was made",
  ],
  price: { min: PRICE.least, max: "0.1", quote: (input) => ceilingOf(input, PRICE) },
  billing: "upto",
  input: () =>
    z.strictObject({
      ...document.fields(),
      ...pdfFields(),
      boxes: z.boolean().default(false).describe("Whether words come with their places on the page"),
    }),
  output: one(() =>
    z.object({
      pageCount: z.int(),
      encrypted: z.boolean(),
      hasTextLayer: z.boolean().describe("False for a scan, which ai.ocr reads"),
      metadata: z.object({
        title: z.string().nullable(),
        author: z.string().nullable(),
        producer: z.string().nullable(),
        created: z.string().nullable().describe("UTC instant"),
      }),
      outline: z.array(z.object({ title: z.string(), level: z.int(), page: z.int().nullable() })),
      text: z.string().describe("The text of all pages that were read"),
      pages: z.array(
        z.object({
          page: z.int(),
          text: z.string(),
          width: z.number().describe("In points, as a reader holds the page"),
          height: z.number(),
          rotation: z.int().describe("Degrees by which the page is turned for its reader"),
          words: z
            .array(z.object({ text: z.string(), x: z.number(), y: z.number(), w: z.number(), h: z.number() }))
            .optional()
            .describe("For boxes: places in points from the upper left corner"),
        }),
      ),
      attachments: z.array(z.string()).describe("Names of embedded files"),
      notes: z.array(z.string()).describe("What was not read, or not understood"),
    }),
  ),
  example: { file: EXAMPLE, pages: "1" },
  check: checkPdf,
  async run(input, ctx) {
    const item = await readPdf("pdf.text", input, ctx);
    return answerOf(item, item.pages.length, PRICE, ctx);
  },
});
