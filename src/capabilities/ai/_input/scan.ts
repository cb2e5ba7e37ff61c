/** Documents for `ai.ocr`: text layers are read here, and pages that are pictures are drawn for a model. */
import type { Context } from "../../../capability/types.js";
import { invalid } from "../../../errors.js";
import { lazy } from "../../../lib/lazy.js";
import { documentKind } from "../../../upstream/input/document-input.js";
import { assertSafeImage, inspectImage } from "../../../upstream/input/image.js";
import {
  type DocumentUsage,
  isPdf,
  READ_MS,
  readDocumentText,
  readLayers,
  type SourceFields,
  sourceDocument,
  usageOf,
} from "./document.js";

const workers = /* @__PURE__ */ lazy(() => import("../../../engines/worker-tasks/pool.js"));
const packages = /* @__PURE__ */ lazy(() => import("../../../lib/packages/packages.js"));

/** Pages of a scan that a call's ceiling pays for. */
const MAX_SCANS = 4;
/** Letters of ten points are 20 pixels tall, and no side is longer than models take. */
const DPI = 144;
const MAX_SIDE = 2_000;

/** A page in order: its text, or its picture as a data URL. */
export type ScanPart = { text: string } | { picture: string };

export interface Transcribable {
  parts: ScanPart[];
  /** Those of text layers, as Markdown. */
  tables: string[];
  notes: string[];
  /** Undefined for a picture. */
  usage?: { document: DocumentUsage };
}

/** Rejects with INVALID_INPUT for what has neither text nor pictures, and with URL_NOT_ALLOWED, RESULT_TOO_LARGE or UPSTREAM_*. */
export async function loadTranscribable(input: SourceFields, ctx: Context): Promise<Transcribable> {
  const { bytes, field } = await sourceDocument.load(input, ctx);
  if (inspectImage(bytes)) {
    const { mimeType } = assertSafeImage(bytes, field);
    return { parts: [{ picture: dataUrl(mimeType, bytes) }], tables: [], notes: [] };
  }
  if (isPdf(bytes, documentKind(bytes))) return fromPdf({ ...input, bytes, field }, ctx);
  const { text } = await readDocumentText(bytes, field, ctx);
  if (text === "") throw invalid(field, "has no text");
  return { parts: [{ text }], tables: [], notes: [], usage: { document: usageOf(null, text) } };
}

interface LoadedPdf extends SourceFields {
  bytes: Uint8Array;
  field: string;
}

async function fromPdf(source: LoadedPdf, ctx: Context): Promise<Transcribable> {
  const { pages, tables, left } = await readLayers(source, ctx);
  const scans = pages.filter(({ isScan }) => isScan).map(({ page }) => page);
  // guard: a call draws four scanned pages at most | - .slice(0, MAX_SCANS) | ai/documents
  const drawn = await drawPages(source, scans.slice(0, MAX_SCANS), ctx);
  const parts = pages.flatMap(({ page, text, isScan }): ScanPart[] => {
    if (!isScan) return text ? [{ text }] : [];
    const picture = drawn.get(page);
    return picture ? [{ picture }] : [];
  });
  if (parts.length === 0) throw invalid(source.field, "has neither text nor pictures on these pages");
  const layers = pages.filter(({ isScan }) => !isScan);
  const text = layers
    .map(({ text }) => text)
    .join("\n\n")
    .trim();
  const unread = scans.slice(MAX_SCANS);
  return {
    parts,
    tables,
    notes: [
      ...(unread.length > 0
        ? [`scanned pages ${unread.join(", ").slice(0, 200)} were not read: name at most ${MAX_SCANS} of them in pages`]
        : []),
      ...(left > 0 ? [`the last ${left} pages were not read: name them in pages`] : []),
    ],
    usage: { document: { ...usageOf(layers.length, text), pages: pages.length - unread.length } },
  };
}

async function drawPages(source: LoadedPdf, pages: readonly number[], ctx: Context): Promise<Map<number, string>> {
  if (pages.length === 0) return new Map();
  // Threads tell of a missing package as of a fault.
  await (await packages()).importCanvas();
  const { bytes, password, field } = source;
  const { runInWorker } = await workers();
  const draw = async (page: number): Promise<[number, string]> => {
    const task = { bytes, password, page, dpi: DPI, format: "webp", maxWidth: MAX_SIDE, maxHeight: MAX_SIDE } as const;
    const drawn = await runInWorker(ctx, "pdf.to-image", task, { field, taskMs: READ_MS });
    return [page, dataUrl("image/webp", drawn.bytes)];
  };
  return new Map(await Promise.all(pages.map(draw)));
}

const dataUrl = (mimeType: string, bytes: Uint8Array): string =>
  `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
