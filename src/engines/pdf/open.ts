/** Opens callers' PDFs, within bounds, and tells what is wrong with those that do not open. */
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { invalid } from "../../errors.js";
import { CanvasMaker, CMapReader, FontReader, pdfjs } from "./page/library.js";
import { counted, startPage } from "./page/work.js";

export interface PdfInput {
  bytes: Uint8Array;
  /** Such as `1-3,7`. */
  pages?: string | undefined;
  password?: string | undefined;
}

const MAX_PAGE_POINTS = 14_400;
const MAX_IMAGE_PIXELS = 25_000_000;

/**
 * Runs work on a document, and frees it. Throws INVALID_INPUT for one that cannot be read, RESULT_TOO_LARGE for one that makes
 * too much work.
 */
export const withPdf = <T>(input: PdfInput, work: (document: PDFDocumentProxy) => Promise<T>): Promise<T> =>
  counted(() => openPdf(input, work));

async function openPdf<T>({ bytes, password }: PdfInput, work: (document: PDFDocumentProxy) => Promise<T>): Promise<T> {
  const { getDocument } = await pdfjs();
  const task = getDocument({
    // A copy, which PDF.js takes as its own.
    data: new Uint8Array(bytes),
    ...(password === undefined ? {} : { password }),
    CanvasFactory: CanvasMaker,
    CMapReaderFactory: CMapReader,
    StandardFontDataFactory: FontReader,
    cMapPacked: true,
    isEvalSupported: false,
    useSystemFonts: false,
    useWorkerFetch: false,
    useWasm: false,
    disableFontFace: true,
    disableAutoFetch: true,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    verbosity: 0,
  });
  try {
    return await work(await task.promise);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await task.destroy().catch(() => {});
  }
}

function refusalOf(error: unknown): unknown {
  const { name = "", message = "", code } = (error ?? {}) as { name?: string; message?: string; code?: unknown };
  if (name === "PasswordException")
    return invalid("password", code === 1 ? "is needed to open this document" : "does not open this document");
  if (
    [
      "InvalidPDFException",
      "FormatError",
      "UnknownErrorException",
      "XRefParseException",
      "MissingDataException",
      "UnexpectedEOF",
    ].includes(name) ||
    /^(?:Invalid|Bad|Page dictionary|Unexpected|Circular|Stack|Should not call)/.test(message)
  )
    return invalid("", `is not a PDF that can be read: ${message.slice(0, 160)}`);
  return error;
}

/** Throws INVALID_INPUT for a page larger than the format allows. */
export async function openPage(document: PDFDocumentProxy, number: number): Promise<PDFPageProxy> {
  startPage(number);
  const page = await document.getPage(number);
  const { width, height } = page.getViewport({ scale: 1 });
  if (!(width <= MAX_PAGE_POINTS && height <= MAX_PAGE_POINTS))
    throw invalid(
      "",
      `has a page ${number} of ${Math.round(width)} x ${Math.round(height)} points; at most ${MAX_PAGE_POINTS} are read`,
    );
  return page;
}
