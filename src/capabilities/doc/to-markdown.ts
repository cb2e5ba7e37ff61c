import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { method } from "../../capability/method.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { documentInput, MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));

const document = /* @__PURE__ */ documentInput({
  text: true,
  accept: "*/*",
  what: "document (DOCX, PPTX, XLSX, ODT, EPUB, EML, HTML, CSV or IPYNB; text for the last four)",
});

export const docToMarkdown = /* @__PURE__ */ defineCapability({
  id: "doc.to-markdown",
  method: "POST",
  summary:
    "A document as Markdown: Word, PowerPoint, Excel, OpenDocument, EPUB, mail, HTML, CSV or Jupyter notebook, with tables, lists and links.",
  keywords: [
    "docx to markdown",
    "word document",
    "powerpoint",
    "slides",
    "pptx",
    "spreadsheet",
    "ebook",
    "epub",
    "email file",
    "email attachments",
    "eml",
    "jupyter notebook",
    "office file",
    "convert document",
    "markitdown",
    "extract text",
  ],
  price: "0.004",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT" },
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
  input: () => z.strictObject({ ...document.fields() }),
  output: one(() =>
    z.object({
      kind: z.enum(["docx", "pptx", "xlsx", "odt", "epub", "eml", "html", "csv", "ipynb"]).describe("By its content"),
      title: z.string().nullable().describe("As the document states it, otherwise its first heading"),
      author: z.string().nullable(),
      charset: z.string().nullable().describe("Encoding of a text; null for an archive"),
      markdown: z.string().describe("CommonMark, with GitHub's tables and footnotes"),
      images: z
        .array(
          z.object({
            name: z.string(),
            alt: z.string(),
            bytes: z.int().describe("Size; 0 for one outside of the file"),
          }),
        )
        .describe("Pictures, named and not returned; none is fetched"),
      notes: z.array(z.string()).describe("What is not in the Markdown"),
    }),
  ),
  example: { text: "name,city\nAnna,Bern\nOmar,Oslo\n" },
  check: document.check,
  async run(input, ctx) {
    const { bytes, field, kind } = await document.load(input, ctx);
    if (kind === "pdf") throw invalid(field, "is a PDF: pdf.to-markdown reads those");
    const task = { bytes, isArchive: kind === "zip" };
    const item = await (await workers()).runInWorker(ctx, "doc.to-markdown", task, { field });
    return { item, meta: method() };
  },
});
