/** Converts text to modules: QR by `lean-qr`, Aztec, Data Matrix and PDF417 by `bwip-js`, as one kind of matrix. */
import { invalid, without } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { encodeQr, type QrPlan } from "./qr.js";
import type { Level, Matrix, SymbolFormat } from "./symbol.js";

const bwip = lazy(async () => (await import("bwip-js/node").catch(without("bwip-js"))).default);

/** A format; for a QR code with its level and version. */
export type Symbology = { format: "qr"; plan: QrPlan } | { format: Exclude<SymbolFormat, "qr"> };

/** In bytes: up to `any` bytes any data fits; up to `digits` only digits do. */
interface Capacity {
  any: number;
  digits: number;
}

// ISO/IEC 18004, 24778, 16022 and 15438; PDF417 as bwip-js lays it out, with the recommended error correction.
const QR_CAPACITY: Record<Level, Capacity> = {
  L: { any: 2953, digits: 7089 },
  M: { any: 2331, digits: 5596 },
  Q: { any: 1663, digits: 3993 },
  H: { any: 1273, digits: 3057 },
};
const CAPACITY: Record<Exclude<SymbolFormat, "qr">, Capacity & { bcid: string }> = {
  aztec: { bcid: "azteccode", any: 1914, digits: 3832 },
  datamatrix: { bcid: "datamatrix", any: 1554, digits: 3116 },
  pdf417: { bcid: "pdf417", any: 1108, digits: 2710 },
};

/** Refuses text whose length alone is too great; encoding decides the rest. */
export function assertMayFit(text: string, format: SymbolFormat, level: Level): void {
  const { any, digits } = format === "qr" ? QR_CAPACITY[level] : CAPACITY[format];
  const bytes = Buffer.byteLength(text);
  // No format compresses characters beyond ASCII.
  const unpacked = bytes > any ? Buffer.byteLength(text.replace(/[\0-\x7f]+/g, "")) : 0;
  if (bytes > digits || unpacked > any) throw tooLong(text, format, level);
}

/** Encodes text as UTF-8. Throws INVALID_INPUT if the code cannot hold it. */
export async function encode(text: string, symbology: Symbology): Promise<Matrix> {
  if (symbology.format === "qr") return encodeQr(text, symbology.plan);
  try {
    return await encodeOther(text, symbology.format);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/too big|TooLong|TooMuchData|NoValidSymbol/i.test(message)) throw tooLong(text, symbology.format);
    throw error;
  }
}

async function encodeOther(text: string, format: Exclude<SymbolFormat, "qr">): Promise<Matrix> {
  const { raw } = await bwip();
  const { bcid } = CAPACITY[format];
  const [symbol] = isAscii(text) ? raw(bcid, text) : raw({ bcid, text: markedAsUtf8(text), parsefnc: true });
  if (!symbol || !("pixs" in symbol)) throw new Error(`bwip-js gave no matrix for ${format}`);
  const { pixs, pixx, pixy } = symbol;
  const rows = pixs.length / pixx;
  return { columns: pixx, rows, rowHeight: pixy / rows, dark: pixs };
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

/**
 * ECI 26, because a reader that follows the standards otherwise takes bytes for Latin-1. A caret begins a function
 * character.
 */
function markedAsUtf8(text: string): string {
  return `^ECI000026${text.replaceAll("^", "^^")}`;
}

/** The refusal of a text that a code cannot hold. */
export function tooLong(text: string, format: SymbolFormat, level: Level = "M") {
  const code = format === "qr" ? `a QR code of error correction ${level}` : format;
  const { any } = format === "qr" ? QR_CAPACITY[level] : CAPACITY[format];
  // The marker of UTF-8 takes room, too.
  const fits = isAscii(text) ? any : any - 5;
  return invalid(
    "data",
    `is ${Buffer.byteLength(text)} bytes long, which ${code} cannot hold (${fits} bytes of any text fit)`,
  );
}
