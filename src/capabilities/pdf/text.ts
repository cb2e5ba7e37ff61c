import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import { MAX_DOCUMENT_BODY_BYTES } from "../../upstream/document-input.js";
import {
  ceilingOf,
  chargePages,
  checkPdf,
  document,
  loadPdf,
  METHOD,
  pagesField,
  passwordField,
  TASK_MS,
  TIMEOUT_MS,
} from "./_document.js";
import { EXAMPLE } from "./_example.js";

const reading = /* @__PURE__ */ lazy(() => import("../../engines/reading/reading.js"));

const PRICE = { usdPerPage: "0.0005", least: "0.001" };

export const pdfText = /* @__PURE__ */ defineCapability({
  id: "pdf.text",
  method: "POST",
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
  ],
  price: { min: PRICE.least, max: "0.1", quote: (input) => ceilingOf(input, PRICE) },
  billing: "upto",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT; PDF.js is Apache-2.0" },
  timeoutMs: TIMEOUT_MS,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () =>
    z.strictObject({
      ...document.fields(),
      pages: pagesField(),
      password: passwordField(),
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
    const { bytes, field } = await loadPdf(input, ctx);
    const { pages, password, boxes } = input;
    const { read } = await reading();
    const item = await read(ctx, "pdf.text", { bytes, pages, password, boxes }, { field, taskMs: TASK_MS });
    chargePages(ctx, item.pages.length, PRICE);
    return { item, meta: method(METHOD) };
  },
});
