/** Text to modules: QR by `qrcode`, Aztec, Data Matrix and PDF417 by `bwip-js`, all as one kind of matrix. */
import type { QRCode } from "qrcode";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { isRestorable, smallestVersionAround } from "./logo-room.js";

const qrcode = lazy(async () => (await import("qrcode")).default);
const bwip = lazy(async () => (await import("bwip-js/node")).default);

export type Format = "qr" | "aztec" | "datamatrix" | "pdf417";
export type Level = "L" | "M" | "Q" | "H";

export interface Matrix {
  columns: number;
  rows: number;
  /** Height of a row in modules: 1, but 3 in PDF417. */
  rowHeight: number;
  /** Row by row, 1 for a dark module. */
  dark: ArrayLike<number>;
  /** Row by row, 1 where a QR code has its finder, timing and other function patterns. */
  fixed?: ArrayLike<number>;
}

export interface EncodeOptions {
  format: Format;
  /** QR codes only. */
  level: Level;
  /** The part of a QR code's side that a box in its middle will hide. The code is made large enough for it. */
  hiddenShare?: number | undefined;
}

/** In bytes: any data of `any` bytes fits; beyond `digits`, which only digits reach, nothing does. */
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
const CAPACITY: Record<Exclude<Format, "qr">, Capacity & { bcid: string }> = {
  aztec: { bcid: "azteccode", any: 1914, digits: 3832 },
  datamatrix: { bcid: "datamatrix", any: 1554, digits: 3116 },
  pdf417: { bcid: "pdf417", any: 1108, digits: 2710 },
};

/** Refuses text that the code cannot hold, encoding it only where its length alone does not tell. */
export async function assertFits(text: string, options: EncodeOptions): Promise<void> {
  const { any, digits } = capacityOf(options);
  const bytes = Buffer.byteLength(text);
  if (bytes > digits) throw tooLong(bytes, options);
  if (bytes > any) await encode(text, options);
}

/** Encodes text as UTF-8. Throws INVALID_INPUT when the code cannot hold it. */
export async function encode(text: string, options: EncodeOptions): Promise<Matrix> {
  try {
    return options.format === "qr" ? await encodeQr(text, options) : await encodeOther(text, options.format);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/too big|TooLong|TooMuchData|NoValidSymbol/i.test(message)) throw tooLong(Buffer.byteLength(text), options);
    throw error;
  }
}

async function encodeQr(text: string, { level, hiddenShare }: EncodeOptions): Promise<Matrix> {
  const { create } = await qrcode();
  const best = create(text, { errorCorrectionLevel: level });
  const code = hiddenShare === undefined ? best : enlarge(best, { level, hiddenShare, create: atVersion });
  const { size, data, reservedBit } = code.modules;
  return { columns: size, rows: size, rowHeight: 1, dark: data, fixed: reservedBit };

  function atVersion(version: number): QRCode {
    return create(text, { errorCorrectionLevel: level, version });
  }
}

interface EnlargeOptions {
  level: Level;
  hiddenShare: number;
  create(version: number): QRCode;
}

/** How many versions above the needed one are tried: what none of them can restore, hardly any can. */
const MAX_ENLARGEMENT = 8;

/** The code in the smallest version that can be read with its middle hidden, if the level allows that at all. */
function enlarge(best: QRCode, { level, hiddenShare, create }: EnlargeOptions): QRCode {
  const first = Math.max(best.version, smallestVersionAround(hiddenShare));
  const smallest = first === best.version ? best : create(first);
  for (let version = first; version <= Math.min(first + MAX_ENLARGEMENT, 40); version++) {
    const code = version === first ? smallest : create(version);
    const { size, reservedBit } = code.modules;
    if (isRestorable({ version, level, side: size, fixed: reservedBit }, hiddenShare)) return code;
  }
  return smallest;
}

async function encodeOther(text: string, format: Exclude<Format, "qr">): Promise<Matrix> {
  const { raw } = await bwip();
  const [symbol] = raw(CAPACITY[format].bcid, text);
  if (!symbol || !("pixs" in symbol)) throw new Error(`bwip-js gave no matrix for ${format}`);
  const { pixs, pixx, pixy } = symbol;
  const rows = pixs.length / pixx;
  return { columns: pixx, rows, rowHeight: pixy / rows, dark: pixs };
}

function capacityOf({ format, level }: EncodeOptions): Capacity {
  return format === "qr" ? QR_CAPACITY[level] : CAPACITY[format];
}

function tooLong(bytes: number, options: EncodeOptions) {
  const code = options.format === "qr" ? `a QR code of error correction ${options.level}` : options.format;
  const { any } = capacityOf(options);
  return invalid("data", `is ${bytes} bytes long, which ${code} cannot hold (${any} bytes of any text fit)`);
}
