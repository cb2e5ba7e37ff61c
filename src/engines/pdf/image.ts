/** A page of a PDF as a picture: the work of a thread. */
import { invalid } from "../../errors.js";
import { importCanvas } from "../../lib/packages/packages.js";
import { openPage, type PdfInput, withPdf } from "./open.js";

export interface PdfImageTask extends Omit<PdfInput, "pages"> {
  page: number;
  dpi: number;
  format: "png" | "webp";
  maxWidth?: number | undefined;
  maxHeight?: number | undefined;
}

export interface PdfImage {
  bytes: Uint8Array;
  width: number;
  height: number;
}

const POINTS_AN_INCH = 72;
/** Four bytes a pixel, and as much again while it is encoded. */
const MAX_PIXELS = 25_000_000;
const WEBP_QUALITY = 85;

export const pdfImage = ({
  page: number,
  dpi,
  format,
  maxWidth,
  maxHeight,
  ...input
}: PdfImageTask): Promise<PdfImage> =>
  withPdf(input, async (document) => {
    if (number > document.numPages)
      throw invalid("page", `is ${number}, and the document has ${document.numPages} pages`);
    const page = await openPage(document, number);
    const full = page.getViewport({ scale: 1 });
    const scale = Math.min(
      dpi / POINTS_AN_INCH,
      maxWidth === undefined ? Number.POSITIVE_INFINITY : maxWidth / full.width,
      maxHeight === undefined ? Number.POSITIVE_INFINITY : maxHeight / full.height,
    );
    const viewport = page.getViewport({ scale });
    const [width, height] = [Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height))];
    if (width * height > MAX_PIXELS)
      throw invalid(
        "dpi",
        `makes ${width} x ${height} pixels of this page; at most ${MAX_PIXELS} are drawn: send less, or maxWidth`,
      );
    const { createCanvas } = await importCanvas();
    const canvas = createCanvas(width, height);
    // Paper is white where a page says nothing.
    await page.render({ canvas: canvas as never, viewport, background: "#ffffff" }).promise;
    const bytes = format === "webp" ? await canvas.encode("webp", WEBP_QUALITY) : await canvas.encode("png");
    return { bytes: new Uint8Array(bytes), width, height };
  });
