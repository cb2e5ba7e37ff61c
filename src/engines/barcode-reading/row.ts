/** Facts of a code that was read. */
import type { ReadResult } from "zxing-wasm/reader";
import { splitMessage } from "../gs1/syntaxes.js";
import { type Payload, payloadOf } from "./payload.js";

export interface Point {
  x: number;
  y: number;
}

export interface ReadBarcode {
  text: string;
  format: string;
  /** Base64. */
  bytes: string;
  /** Clockwise from the top left corner of the code itself. */
  corners: [Point, Point, Point, Point];
  errorCorrection: string | null;
  isInverted: boolean;
  payload: Payload | null;
}

export interface Wanted {
  formats: readonly string[];
  /** The present one. */
  year: number;
}

export function rowOf(result: ReadResult, { formats, year }: Wanted): ReadBarcode {
  const { bytes, position, ecLevel, isInverted, contentType } = result;
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  const decoded = decodedText(result);
  const payload = payloadOf(decoded, contentType === "GS1", year);
  const format = formatOf(result, decoded, formats);
  return {
    text: asPrinted(decoded, format, result.extra),
    format,
    bytes: Buffer.from(bytes).toString("base64"),
    corners: [topLeft, topRight, bottomRight, bottomLeft],
    errorCorrection: ecLevel || null,
    isInverted,
    payload,
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Codes that name no character set are UTF-8 where their bytes are. */
function decodedText({ text, bytes, hasECI }: ReadResult): string {
  if (hasECI || bytes.every((byte) => byte < 0x80)) return text;
  try {
    return utf8.decode(bytes);
  } catch {
    return text;
  }
}

/** A UPC-A is an EAN-13 that begins with 0: it is called so unless EAN-13 alone was asked for. */
function formatOf({ format }: ReadResult, text: string, formats: readonly string[]): string {
  const isAsked = formats.includes("EAN13") && !formats.includes("UPCA");
  return format === "EAN13" && text.startsWith("0") && !isAsked ? "UPCA" : format;
}

/** As it is printed below a code, and as registers list it. */
function asPrinted(text: string, format: string, extra: string): string {
  // The library widens both kinds of UPC to the thirteen digits of an EAN.
  if (format === "UPCA") return text.slice(-12);
  if (format === "UPCE") return /"UPCE":"(\d{8})"/.exec(extra)?.[1] ?? text;
  if (format === "Codabar") return text.replace(/^[A-D]|[A-D]$/gi, "");
  if (format.startsWith("DataBarExp")) return elementsOf(text) || text;
  // One element, a GTIN, that everybody prints without its identifier.
  return format.startsWith("DataBar") ? text.replace(/^01(?=\d{14}$)/, "") : text;
}

const elementsOf = (text: string): string =>
  splitMessage(text)
    .map(({ ai, value }) => `(${ai})${value}`)
    .join("");
