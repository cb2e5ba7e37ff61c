/** PDFs as input: which pages, at which price. */
import { z } from "zod";
import { text } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { fromMicros, type Micros, toMicros } from "../../lib/money.js";
import { type DocumentFields, documentInput } from "../../upstream/document-input.js";

const pageList = /* @__PURE__ */ lazy(() => import("../../engines/pdf/pages.js"));

/** Time of the thread, and of the call with its wait for a thread. */
export const TASK_MS = 28_000;
export const TIMEOUT_MS = 45_000;

/** The library, whose version a test compares with the package that is built in. */
export const METHOD = { engine: "pdfjs-dist", version: "5.4.624" };

export const document = /* @__PURE__ */ documentInput({ accept: "application/pdf", what: "PDF" });

export const passwordField = () => text(1, 200).describe("Password of an encrypted document").optional();
export const pagesField = () =>
  z
    .string()
    .regex(/^[\d\s,-]{1,500}$/, { error: "must be page numbers and ranges, such as 1-3,7" })
    .describe("Pages to read, such as 1-3,7; at most 200; without it the first 100 are read")
    .optional();

/** Decimal US dollars. */
interface PagePrice {
  usdPerPage: string;
  least: string;
}

interface PdfFields extends DocumentFields {
  pages?: string | undefined;
}

export async function checkPdf(input: PdfFields, ctx: Pick<Context, "outbound">): Promise<void> {
  const { pageNumbers } = await pageList();
  if (input.pages !== undefined) pageNumbers(input.pages);
  await document.check(input, ctx);
}

/** The bytes of a PDF, and the field that they came from. Throws INVALID_INPUT for another kind of file. */
export async function loadPdf(input: DocumentFields, ctx: Context): Promise<{ bytes: Uint8Array; field: string }> {
  const { bytes, field, kind } = await document.load(input, ctx);
  // Mail gateways and web servers put lines before a document, which readers of PDF skip.
  const isPdf = kind === "pdf" || Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-");
  if (!isPdf) throw invalid(field, "is not a PDF: doc.to-markdown reads other documents");
  return { bytes, field };
}

/** The ceiling: all pages that may be read. What was read is charged. */
export async function ceilingOf({ pages }: PdfFields, { usdPerPage, least }: PagePrice): Promise<Micros> {
  const { pageNumbers, DEFAULT_PAGES } = await pageList();
  const ceiling = toMicros(usdPerPage) * BigInt(pages === undefined ? DEFAULT_PAGES : pageNumbers(pages).length);
  return ceiling > toMicros(least) ? ceiling : toMicros(least);
}

/** Reports what a call used: pages at their price, and at least `least`. */
export function chargePages(ctx: Context, count: number, { usdPerPage, least }: PagePrice): void {
  const used = toMicros(usdPerPage) * BigInt(count);
  ctx.meter.add(used > toMicros(least) ? fromMicros(used) : least);
}
