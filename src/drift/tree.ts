/** Makes a tree of values of an answer's bytes, whatever its format, so that one walk describes all of them. */
import { lazy } from "../lib/lazy.js";
import type { Tree } from "../upstream/inventory/paths.js";

const csv = lazy(() => import("csv-parse/sync"));
const xml = lazy(() => import("../lib/xml/values.js"));

/** How an answer is written. `empty`: no bytes; `cut`: it ends too early; `bytes`: a picture or an archive. */
export type DecodedFormat = "json" | "csv" | "xml" | "html" | "text" | "bytes" | "empty" | "cut";

export interface Decoded {
  format: DecodedFormat;
  /** Of JSON, CSV and XML alone. */
  tree?: Tree;
}

export interface Body {
  contentType: string;
  bytes: Uint8Array;
  /** False if only the beginning was kept, of a bulk file. */
  whole: boolean;
}

/** Never rejects: what cannot be read is text, or cut off. */
export async function decodeTree({ contentType, bytes, whole }: Body): Promise<Decoded> {
  if (bytes.byteLength === 0) return { format: "empty" };
  if (isBinary(bytes)) return { format: whole && isBrokenZip(bytes) ? "cut" : "bytes" };
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF/, "")
    .trim();
  if (text === "") return { format: "empty" };
  if (/^<(?:!doctype html|html|head|body)\b/i.test(text)) return { format: "html" };
  if (/^[[{]/.test(text)) return readJson(text, whole);
  if (text.startsWith("<")) return readXml(text);
  if (/json/.test(contentType)) return readJson(text, whole);
  const separator = separatorOf(text, contentType);
  return separator === undefined ? { format: "text" } : readCsv(text, separator, whole);
}

function readJson(text: string, whole: boolean): Decoded {
  try {
    return { format: "json", tree: withHeader(JSON.parse(text) as Tree) };
  } catch {
    return whole ? { format: "cut" } : { format: "json" };
  }
}

/** How archives, gzip, PDF, PNG and JPEG files begin. */
const MAGIC = ["PK", "\u001f\u008b", "%PDF", "\u0089PNG", "\u00ff\u00d8"];

/** Whether bytes are no text. */
export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, 512).includes(0) || MAGIC.some((magic) => head(bytes).startsWith(magic));

/** An archive ends with its table of contents. */
function isBrokenZip(bytes: Uint8Array): boolean {
  const end = new TextDecoder("latin1").decode(bytes.subarray(-66_000));
  return head(bytes).startsWith("PK") && !end.includes("PK\x05\x06");
}

const head = (bytes: Uint8Array) => String.fromCharCode(...bytes.subarray(0, 4));

async function readXml(text: string): Promise<Decoded> {
  const { xmlValues } = await xml();
  try {
    return { format: "xml", tree: xmlValues(text) };
  } catch {
    return { format: "cut" };
  }
}

function separatorOf(text: string, contentType: string): string | undefined {
  const [first = ""] = text.split("\n", 1);
  if (first.includes("\t")) return "\t";
  return first.split(",").length > 2 || (/csv/.test(contentType) && first.includes(",")) ? "," : undefined;
}

/** Rows enough to know a table by. */
const MAX_ROWS = 500;

async function readCsv(text: string, delimiter: string, whole: boolean): Promise<Decoded> {
  const { parse } = await csv();
  const lines = whole ? text : text.slice(0, text.lastIndexOf("\n") + 1);
  const options = {
    delimiter,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  } as const;
  try {
    const rows = parse(lines, delimiter === "\t" ? { ...options, quote: false } : options) as string[][];
    const [first, last] = [rows[0]?.length ?? 0, rows.at(-1)?.length ?? 0];
    // A line without all of its cells is where the transfer ended. Some files end with a mark of one cell.
    if (whole && rows.length > 1 && last < first && last > 1) return { format: "cut" };
    return { format: "csv", tree: withHeader(rows.slice(0, MAX_ROWS).map((row) => row.map((cell) => cell || null))) };
  } catch {
    return { format: whole ? "cut" : "csv" };
  }
}

/** Rows of cells under a first row of names become objects; without names, columns are known by their place. */
function withHeader(tree: Tree): Tree {
  if (!Array.isArray(tree) || tree.length < 1 || !tree.every(Array.isArray)) return tree;
  const [names = [], ...rows] = tree as Tree[][];
  const isHeader =
    names.length > 1 &&
    new Set(names).size === names.length &&
    names.every((name) => typeof name === "string" && /^[A-Za-z_\p{L}][^\n]{0,60}$/u.test(name));
  if (!isHeader) return tree;
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [String(name), cells[at] ?? null])));
}
