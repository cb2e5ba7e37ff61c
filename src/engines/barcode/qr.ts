/** QR codes (ISO/IEC 18004): computes the size from the text alone, and the modules by `lean-qr`. */
import { lazy } from "../../lib/lazy.js";
import { BLOCKS, CORRECTION_CODEWORDS, entryFor, isRestorable, smallestVersionAround } from "./logo-room.js";
import type { Level, Matrix } from "./symbol.js";

const leanQr = lazy(() => import("lean-qr"));

const LAST_VERSION = 40;

export interface QrPlan {
  level: Level;
  version: number;
}

export interface PlanOptions {
  level: Level;
  /** Part of the code's side that a logo in its middle hides. The code is made large enough to tolerate it. */
  hiddenShare?: number | undefined;
}

/** Modules along a side. */
export const sideOf = (version: number) => 17 + 4 * version;

/** The smallest code for a text, without encoding it. Undefined if none can hold it. */
export async function planQr(
  text: string,
  { level, hiddenShare }: PlanOptions,
): Promise<QrPlan | "too-long" | "hidden"> {
  const fits = await fitting(text, level);
  if (fits === undefined) return "too-long";
  if (hiddenShare === undefined) return { level, version: fits };
  const version = roomFor(hiddenShare, { level, from: fits });
  return version === undefined ? "hidden" : { level, version };
}

/** Number of larger versions to try: if none of them can restore the hole, larger ones hardly can. */
const MAX_ENLARGEMENT = 8;

function roomFor(hiddenShare: number, { level, from }: { level: Level; from: number }): number | undefined {
  const first = Math.max(from, smallestVersionAround(hiddenShare));
  for (let version = first; version <= Math.min(first + MAX_ENLARGEMENT, LAST_VERSION); version++)
    if (isRestorable({ version, level, side: sideOf(version), fixed: functionPatterns(version) }, hiddenShare))
      return version;
  return undefined;
}

/** The first version with enough bits for the text: lengths are written in three widths. */
async function fitting(text: string, level: Level): Promise<number | undefined> {
  const write = await modeOf(text);
  for (const last of [9, 26, LAST_VERSION]) {
    let bits = 0;
    write({ push: (_, count) => (bits += count) }, last);
    for (let version = last === 9 ? 1 : last === 26 ? 10 : 27; version <= last; version++)
      if (bits <= capacity(version, level) * 8) return version;
  }
  return undefined;
}

/** Capacity for data, in codewords. */
function capacity(version: number, level: Level): number {
  const at = { version, level };
  return Math.floor(dataModules(version) / 8) - entryFor(BLOCKS, at) * entryFor(CORRECTION_CODEWORDS, at);
}

/** Table 1: modules outside function patterns. */
function dataModules(version: number): number {
  const all = (16 * version + 128) * version + 64;
  if (version === 1) return all;
  const alignments = Math.floor(version / 7) + 2;
  return all - (25 * alignments - 10) * alignments + 55 - (version >= 7 ? 36 : 0);
}

/** The modules of a text. */
export async function encodeQr(text: string, { level, version }: QrPlan): Promise<Matrix> {
  const { generate, correction } = await leanQr();
  const only = correction[level];
  const code = generate(await modeOf(text), {
    minCorrectionLevel: only,
    maxCorrectionLevel: only,
    minVersion: version,
    maxVersion: version,
  });
  const side = code.size;
  const dark = Uint8Array.from({ length: side * side }, (_, at) =>
    code.get(at % side, Math.floor(at / side)) ? 1 : 0,
  );
  return { columns: side, rows: side, rowHeight: 1, dark, fixed: functionPatterns(version) };
}

/**
 * Runs of digits and of capitals that are long enough for a segment of their own (7.4.2), and the text between them.
 */
const SEGMENTS = /[0-9]{9,}|[0-9A-Z $%*+\-./:]{14,}|(?:(?![0-9]{9}|[0-9A-Z $%*+\-./:]{14})[\s\S])+/g;

/** Text beyond ASCII is written in UTF-8 and marked so (ECI 26), because standard readers otherwise assume Latin-1. */
async function modeOf(text: string) {
  const { mode } = await leanQr();
  const segments = (text.match(SEGMENTS) ?? []).map((part) => {
    if (/^[0-9]+$/.test(part)) return mode.numeric(part);
    return /^[0-9A-Z $%*+\-./:]+$/.test(part) ? mode.alphaNumeric(part) : mode.bytes(new TextEncoder().encode(part));
  });
  return /^[\0-\x7f]*$/.test(text) ? mode.multi(...segments) : mode.multi(mode.eci(26), ...segments);
}

/** 6.3: finders with separators and format information, timing, alignment and version; 1 for each module. */
export function functionPatterns(version: number): Uint8Array {
  const side = sideOf(version);
  const fixed = new Uint8Array(side * side);
  const mark = (left: number, top: number, width: number, height: number) => {
    for (let row = top; row < top + height; row++) fixed.fill(1, row * side + left, row * side + left + width);
  };
  mark(0, 0, 9, 9);
  mark(side - 8, 0, 8, 9);
  mark(0, side - 8, 9, 8);
  mark(6, 0, 1, side);
  mark(0, 6, side, 1);
  const centres = alignmentCentres(version);
  const last = centres.length - 1;
  for (const [down, y] of centres.entries())
    for (const [across, x] of centres.entries()) {
      const inFinder = (down === 0 && (across === 0 || across === last)) || (down === last && across === 0);
      if (!inFinder) mark(x - 2, y - 2, 5, 5);
    }
  if (version >= 7) {
    mark(side - 11, 0, 3, 6);
    mark(0, side - 11, 6, 3);
  }
  return fixed;
}

/** Annex E: evenly spaced from the far side, the first at 6. */
function alignmentCentres(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((4 * version + 4) / (2 * count - 2)) * 2;
  const rest = Array.from({ length: count - 1 }, (_, index) => sideOf(version) - 7 - index * step);
  return [6, ...rest.reverse()];
}
