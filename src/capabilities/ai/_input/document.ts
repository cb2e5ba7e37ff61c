/** Callers' documents and pages as text for a model: text layers are read here, so that no model is paid for reading them. */
import { z } from "zod";
import { uri } from "../../../capability/fields.js";
import type { Context } from "../../../capability/types.js";
import { roughTokensIn, TOKENS_PER_IMAGE } from "../../../engines/models/tokens.js";
import type { PdfLayers } from "../../../engines/pdf/layers.js";
import { CapabilityError, invalid } from "../../../errors.js";
import { lazy } from "../../../lib/lazy.js";
import {
  type DocumentKind,
  documentInput,
  documentKind,
  MAX_DOCUMENT_BYTES,
  pdfFields,
} from "../../../upstream/input/document-input.js";
import { inspectImage } from "../../../upstream/input/image.js";
import { cut, fetchPage, type InputPage, MAX_TEXT, pageText } from "./page.js";

const workers = /* @__PURE__ */ lazy(() => import("../../../engines/worker-tasks/pool.js"));
const pageList = /* @__PURE__ */ lazy(() => import("../../../engines/pdf/pages.js"));

/** Time of the thread. */
export const READ_MS = 28_000;

const KINDS = "PDF, DOCX, PPTX, XLSX, ODT, EPUB, EML, CSV, IPYNB, HTML or text";

export const sourceDocument = /* @__PURE__ */ documentInput({ accept: "*/*", what: `document (${KINDS})` });

export interface SourceFields {
  file?: string | undefined;
  url?: string | undefined;
  pages?: string | undefined;
  password?: string | undefined;
}

export const sourceFields = () => ({
  ...sourceDocument.fields(),
  url: uri(2048).describe(`Address of the page, or of a document (${KINDS}) of at most 3 MB`).optional(),
  ...pdfFields(),
});

/** Refuses none or two sources, pages that are no list, and an address that may not be fetched. */
export async function checkSource(input: SourceFields, ctx: Pick<Context, "outbound">): Promise<void> {
  if (input.pages !== undefined) (await pageList()).pageNumbers(input.pages);
  await sourceDocument.check(input, ctx);
}

export interface DocumentUsage {
  pages: number | null;
  textLayer: boolean;
  tokensSaved: number;
}

export const usageField = () =>
  z
    .object({
      document: z.object({
        pages: z.int().nullable().describe("Pages that were read; null for a document without pages"),
        textLayer: z.boolean().describe("Whether text was read from the document itself"),
        tokensSaved: z
          .int()
          .describe(
            `Estimate of what a model would have used to read that text: ${TOKENS_PER_IMAGE} tokens for the picture of a page, and its words`,
          ),
      }),
    })
    .optional()
    .describe("For a document: what reading its text without a model saved");

/** Text that was read without a model, which would have seen a picture of each page and written its words. */
export const usageOf = (pages: number | null, text: string): DocumentUsage => ({
  pages,
  textLayer: text !== "",
  tokensSaved: text === "" ? 0 : (pages ?? 0) * TOKENS_PER_IMAGE + roughTokensIn(text),
});

/** A page of the web, or a document. */
export interface Material extends Omit<InputPage, "finalUrl"> {
  /** URL after all redirects; null for a file. */
  finalUrl: string | null;
  /** Of a document. */
  usage?: { document: DocumentUsage };
}

export interface MaterialOptions {
  /** The input's field that names the address. */
  field?: string;
  /** Characters that are enough. Default 60,000. */
  enough?: number;
}

/** Rejects with INVALID_INPUT for a scan and for anything without text, and with URL_NOT_ALLOWED, RESULT_TOO_LARGE or UPSTREAM_*. */
export async function readMaterial(
  input: SourceFields,
  ctx: Context,
  { field = "url", enough = MAX_TEXT }: MaterialOptions = {},
): Promise<Material> {
  if (input.url === undefined) {
    const { bytes, field: from } = await sourceDocument.load(input, ctx);
    return { finalUrl: null, ...(await readDocument({ ...input, bytes, field: from, enough }, ctx)) };
  }
  const fetched = await fetchPage(input.url, ctx, field);
  const { finalUrl, contentType, bytes } = fetched;
  if (!isDocument(bytes, contentType)) return { ...(await pageText(fetched, ctx, field)), finalUrl };
  if (bytes.length > MAX_DOCUMENT_BYTES) throw tooLarge(field);
  return { finalUrl, ...(await readDocument({ ...input, bytes, field, enough }, ctx)) };
}

const isDocument = (bytes: Uint8Array, contentType: string): boolean =>
  isPdf(bytes, documentKind(bytes)) ||
  documentKind(bytes) === "zip" ||
  /^\s*(?:message\/rfc822|application\/x-ipynb\+json)\b/i.test(contentType);

/** Mail gateways and web servers put lines before a PDF, which readers skip. */
export const isPdf = (bytes: Uint8Array, kind: DocumentKind): boolean =>
  kind === "pdf" || Buffer.from(bytes.subarray(0, 1_024)).includes("%PDF-");

interface LoadedSource extends Pick<SourceFields, "pages" | "password"> {
  bytes: Uint8Array;
  field: string;
  enough?: number;
}

async function readDocument(source: LoadedSource, ctx: Context): Promise<Omit<Material, "finalUrl">> {
  const { bytes, field, enough = MAX_TEXT } = source;
  if (inspectImage(bytes)) throw invalid(field, "is a picture, and this endpoint reads texts: ai.ocr reads pictures");
  const { title, text, pages, left } = isPdf(bytes, documentKind(bytes))
    ? await readPdf(source, ctx)
    : { ...(await readDocumentText(bytes, field, ctx)), pages: null, left: 0 };
  if (text === "") throw invalid(field, "has no text");
  const kept = cut(text, enough);
  const words = text.match(/\S+/g)?.length ?? 0;
  return {
    title: (title ?? "").slice(0, 500),
    text: kept,
    truncated: left > 0 || kept.length < text.length,
    words: pages ? Math.round((words * (pages + left)) / pages) : words,
    usage: { document: usageOf(pages, kept) },
  };
}

async function readPdf(source: LoadedSource, ctx: Context) {
  const { title, markdown, pages, left } = await readLayers(source, ctx);
  const text = markdown.trim();
  // guard: a scan is refused where no model looks at pictures | - || pages.every(({ isScan }) => isScan) | ai/documents
  if (text === "" || pages.every(({ isScan }) => isScan))
    throw invalid(source.field, "is a scan without a text layer, which this endpoint does not read: send it to ai.ocr");
  return { title, text, pages: pages.length, left };
}

/** The pages of a PDF. */
export async function readLayers(source: LoadedSource, ctx: Context): Promise<PdfLayers> {
  const { bytes, pages, password, field, enough } = source;
  const { runInWorker } = await workers();
  return runInWorker(ctx, "pdf.layers", { bytes, pages, password, enough }, { field, taskMs: READ_MS });
}

/** The text of a document of another kind than PDF. */
export async function readDocumentText(bytes: Uint8Array, field: string, ctx: Context) {
  const { runInWorker } = await workers();
  return runInWorker(ctx, "doc.text", { bytes, isArchive: documentKind(bytes) === "zip" }, { field });
}

function tooLarge(path: string): CapabilityError {
  const message = "is a document above 3 MB: send a smaller one, or a part of it";
  return new CapabilityError("RESULT_TOO_LARGE", `${path}: ${message}`, { issues: [{ path, message }] });
}
