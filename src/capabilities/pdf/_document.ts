/** PDFs as input: which pages, at which price. */
import { method } from "../../capability/method.js";
import type { Context } from "../../capability/types.js";
import type { TaskInput, TaskOutput } from "../../engines/worker-tasks/tasks.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { fromMicros, type Micros, toMicros } from "../../lib/money.js";
import { type DocumentFields, documentInput, MAX_DOCUMENT_BODY_BYTES } from "../../upstream/input/document-input.js";

const workers = /* @__PURE__ */ lazy(() => import("../../engines/worker-tasks/pool.js"));
const pageList = /* @__PURE__ */ lazy(() => import("../../engines/pdf/pages.js"));

/** Time of the thread. */
const TASK_MS = 28_000;

/** The library, whose version a test compares with the package that is built in. */
const METHOD = { engine: "pdfjs-dist", version: "5.4.624" };

/** Facts that capabilities of PDFs share; a call waits for a thread as well. */
export const PDF = {
  method: "POST",
  offline: true,
  source: { provider: "built-in", url: "", license: "MIT; PDF.js is Apache-2.0" },
  timeoutMs: 45_000,
  maxBodyBytes: MAX_DOCUMENT_BODY_BYTES,
} as const;

export const document = /* @__PURE__ */ documentInput({ accept: "application/pdf", what: "PDF" });

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

type PdfTask = "pdf.text" | "pdf.to-markdown" | "pdf.to-image";

/** An engine's work on a PDF, in a thread. Throws INVALID_INPUT for another kind of file. */
export async function readPdf<Name extends PdfTask>(
  name: Name,
  { file, url, ...task }: PdfFields & Omit<TaskInput<Name>, "bytes">,
  ctx: Context,
): Promise<TaskOutput<Name>> {
  const { bytes, field, kind } = await document.load({ file, url }, ctx);
  // Mail gateways and web servers put lines before a document, which readers of PDF skip.
  const isPdf = kind === "pdf" || Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-");
  if (!isPdf) throw invalid(field, "is not a PDF: doc.to-markdown reads other documents");
  const { runInWorker } = await workers();
  return runInWorker(ctx, name, { ...task, bytes } as unknown as TaskInput<Name>, { field, taskMs: TASK_MS });
}

/** The answer of a call that is charged by the pages that it read. */
export function answerOf<Item>(item: Item, pagesRead: number, price: PagePrice, ctx: Context) {
  const used = toMicros(price.usdPerPage) * BigInt(pagesRead);
  ctx.meter.add(used > toMicros(price.least) ? fromMicros(used) : price.least);
  return { item, meta: method(METHOD) };
}

/** The ceiling: all pages that may be read. What was read is charged. */
export async function ceilingOf({ pages }: PdfFields, { usdPerPage, least }: PagePrice): Promise<Micros> {
  const { pageNumbers, DEFAULT_PAGES } = await pageList();
  const ceiling = toMicros(usdPerPage) * BigInt(pages === undefined ? DEFAULT_PAGES : pageNumbers(pages).length);
  return ceiling > toMicros(least) ? ceiling : toMicros(least);
}
