import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { pdfFields } from "../../upstream/input/document-input.js";
import { answerOf, ceilingOf, checkPdf, document, PDF, readPdf } from "./_document.js";
import { EXAMPLE } from "./_example.js";

const PRICE = { usdPerPage: "0.001", least: "0.001" };

export const pdfToMarkdown = /* @__PURE__ */ defineCapability({
  id: "pdf.to-markdown",
  ...PDF,
  summary:
    "A PDF as Markdown: headings, paragraphs, lists and tables in reading order, without repeated headers and footers.",
  keywords: [
    "pdf to markdown",
    "convert pdf",
    "extract tables from pdf",
    "pdf tables",
    "pdf to text for llm",
    "parse pdf",
    "document parsing",
    "tabula",
    "camelot",
    "rag",
    "get the tables out of a pdf",
    "text for an llm",
  ],
  price: { min: PRICE.least, max: "0.2", quote: (input) => ceilingOf(input, PRICE) },
  billing: "upto",
  input: () =>
    z.strictObject({
      ...document.fields(),
      ...pdfFields(),
      tables: z.boolean().default(true).describe("Whether tables are looked for"),
    }),
  output: one(() =>
    z.object({
      pageCount: z.int(),
      markdown: z.string().describe("CommonMark, with GitHub's tables"),
      title: z.string().nullable().describe("As the document states it, otherwise its first heading"),
      tables: z.array(
        z.object({
          page: z.int(),
          rows: z.array(z.array(z.string())),
          bbox: z.array(z.number()).describe("Left, top, right and bottom in points from the upper left corner"),
          ruled: z
            .boolean()
            .describe(
              "Whether lines divide its cells; otherwise white space does, and columns nearer than half a letter, or heads over several columns, may be one",
            ),
        }),
      ),
      notes: z.array(z.string()).describe("What was left out, or not understood"),
    }),
  ),
  example: { file: EXAMPLE, pages: "1" },
  check: checkPdf,
  async run(input, ctx) {
    const { pagesRead, ...item } = await readPdf("pdf.to-markdown", input, ctx);
    return answerOf(item, pagesRead, PRICE, ctx);
  },
});
