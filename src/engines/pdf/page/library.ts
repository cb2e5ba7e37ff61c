/**
 * PDF.js, in this thread, and what it reads beside its code. Nothing is fetched, no program text of a document is run, and
 * no font of the machine is used.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { lazy } from "../../../lib/lazy.js";
import { importCanvas } from "../../../lib/packages/packages.js";

type Canvas = Awaited<ReturnType<typeof importCanvas>>;
let canvas: Canvas | undefined;

export const pdfjs = lazy(async () => {
  canvas = await importCanvas().catch(() => undefined);
  // It would take these from another canvas than ours, which cannot draw them.
  const { DOMMatrix, ImageData, Path2D } = canvas ?? WITHOUT_CANVAS;
  Object.assign(globalThis, { DOMMatrix, ImageData, Path2D });
  // It would start a thread of its own otherwise, or look for the file of one.
  const { WorkerMessageHandler } = await import("pdfjs-dist/legacy/build/pdf.worker.mjs");
  Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });
  return import("pdfjs-dist/legacy/build/pdf.mjs");
});

/** Reading texts needs the names alone. */
const WITHOUT_CANVAS = { DOMMatrix: class {}, ImageData: class {}, Path2D: class {} };

type Folder = "cmaps" | "standard_fonts";
const packs = new Map<Folder, ((name: string) => Uint8Array | undefined) | undefined>();

/** A file of PDF.js's own. Undefined in a bundle of one file, which has none beside it. */
function dataFile(folder: Folder, name: string): Uint8Array | undefined {
  if (!packs.has(folder)) packs.set(folder, openFolder(folder));
  return packs.get(folder)?.(name);
}

function openFolder(folder: Folder): ((name: string) => Uint8Array | undefined) | undefined {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const pack = join(at, "vendor", `pdfjs-${folder}.br`);
    if (existsSync(pack)) return openPack(readFileSync(pack));
    // The package itself, where this code is not built yet.
    const files = join(at, "node_modules/pdfjs-dist", folder);
    if (existsSync(files)) return (name) => (isPlain(name) ? read(join(files, name)) : undefined);
    if (at === dirname(at)) return undefined;
  }
}

/** Names come from documents. */
const isPlain = (name: string): boolean => /^[\w.-]{1,80}$/.test(name);

const read = (file: string): Uint8Array | undefined =>
  existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined;

function openPack(packed: Uint8Array): (name: string) => Uint8Array | undefined {
  const content = brotliDecompressSync(packed);
  const start = content.indexOf("\n") + 1;
  const index = new Map(
    Object.entries(JSON.parse(content.toString("utf8", 0, start)) as Record<string, [number, number]>),
  );
  return (name) => {
    const [offset, length] = index.get(name) ?? [];
    // A copy: PDF.js hands its data on, and takes it away from others.
    return offset === undefined || length === undefined
      ? undefined
      : new Uint8Array(content.subarray(start + offset, start + offset + length));
  };
}

/** The interface by which PDF.js asks for maps of characters. */
export class CMapReader {
  async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: true }> {
    const cMapData = dataFile("cmaps", `${name}.bcmap`);
    if (!cMapData) throw new Error(`No map of characters is named ${name}.`);
    return { cMapData, isCompressed: true };
  }
}

/** The interface by which PDF.js asks for fonts. */
export class FontReader {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const font = dataFile("standard_fonts", filename);
    if (!font) throw new Error(`No font is named ${filename}.`);
    return font;
  }
}

/** Sides of a canvas beside the page's own, such as one of a pattern or a mask. */
const MAX_SIDE = 10_000;

interface CanvasAndContext {
  canvas: { width: number; height: number } | null;
  context: unknown;
}

/**
 * The interface by which PDF.js asks for canvases. It would load a canvas by itself otherwise, perhaps of another version, and
 * native code of two versions that get each other's pictures ends the process.
 */
export class CanvasMaker {
  create(width: number, height: number): CanvasAndContext {
    if (!canvas) throw new Error("The canvas is missing here.");
    const made = canvas.createCanvas(...sidesOf(width, height));
    return { canvas: made, context: made.getContext("2d") };
  }

  reset({ canvas: made }: CanvasAndContext, width: number, height: number): void {
    if (made) [made.width, made.height] = sidesOf(width, height);
  }

  destroy(pair: CanvasAndContext): void {
    if (pair.canvas) [pair.canvas.width, pair.canvas.height] = [0, 0];
    [pair.canvas, pair.context] = [null, null];
  }
}

function sidesOf(width: number, height: number): [number, number] {
  const sides: [number, number] = [Math.ceil(width), Math.ceil(height)];
  if (!sides.every((side) => side > 0 && side <= MAX_SIDE)) throw new Error("Invalid canvas size");
  return sides;
}
