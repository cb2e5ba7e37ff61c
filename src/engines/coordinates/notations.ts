/** Reads a place in any notation of coordinates, and writes it in all. */
import { dmsText, readDegrees } from "./degrees.js";
import { geohashBounds, isGeohash, toGeohash } from "./geohash.js";
import { fromH3, looksLikeH3, toH3 } from "./h3.js";
import { fromMgrs, looksLikeMgrs, toMgrs } from "./mgrs.js";
import { plusCodeBounds, plusCodeKind, recoverPlusCode, shortenPlusCode, toPlusCode } from "./plus-code.js";
import { cellSize, centreOf, type Located, type Point } from "./point.js";
import { fromUtm, hasUtm, toUtm } from "./utm.js";

export const FORMATS = ["degrees", "dms", "utm", "mgrs", "plusCode", "shortCode", "geohash", "h3"] as const;
export type NotationFormat = (typeof FORMATS)[number];

export const TARGETS = ["dms", "utm", "mgrs", "plusCode", "geohash", "h3"] as const;
export type CoordinateTarget = (typeof TARGETS)[number];

/** Digits or letters of the notations that name cells; for H3 its resolution. */
export interface Lengths {
  mgrs: number;
  plusCode: number;
  geohash: number;
  h3: number;
}

export interface NotedPlace extends Located {
  format: NotationFormat;
  /** Side of the cell that the notation names; null for a point. */
  precisionMeters: number | null;
  /** The notation as it is usually written, and its length. */
  own: Partial<Record<CoordinateTarget, string>>;
  lengths: Partial<Lengths>;
}

/** A reason instead of a place is about the value; `needs` says what a short code lacks. */
export type ReadPlace = NotedPlace | { reason: string; needs?: "near" };

type Reader = (text: string, near: Point | undefined) => ReadPlace | undefined | Promise<ReadPlace | undefined>;

/** In this order; those of capital letters come first where the text has one. */
const READERS: Record<Exclude<NotationFormat, "degrees" | "shortCode">, Reader> = {
  plusCode: readPlusCode,
  utm: readUtm,
  dms: (text) => {
    const read = readDegrees(text);
    if (typeof read === "string") return { reason: read };
    return read && { ...read, bounds: null, precisionMeters: null, own: {}, lengths: {} };
  },
  h3: readH3,
  mgrs: readMgrs,
  geohash: readGeohash,
};

/** The place that a text names. Without a format the first notation that it fits is taken. */
export async function readPlace(text: string, format?: NotationFormat, near?: Point): Promise<ReadPlace> {
  const chosen = format === "degrees" ? "dms" : format === "shortCode" ? "plusCode" : format;
  if (chosen) return (await READERS[chosen](text, near)) ?? { reason: `is not written as ${format}` };
  // Geohashes are written in small letters; MGRS, which shares its letters with them, in capitals.
  const order = text === text.toLowerCase() ? SMALL : CAPITAL;
  for (const reader of order) {
    const found = await reader(text, near);
    if (found) return found;
  }
  return { reason: "is in no notation that is known: degrees, UTM, MGRS, Plus Code, geohash or H3" };
}

const { geohash, mgrs, ...others } = READERS;
const SMALL = [...Object.values(others), geohash, mgrs];
const CAPITAL = [...Object.values(others), mgrs, geohash];

function readPlusCode(text: string, near: Point | undefined): ReadPlace | undefined {
  const code = text.replace(/\s/g, "").toUpperCase();
  const kind = code.includes("+") ? plusCodeKind(code) : undefined;
  if (!kind) return undefined;
  if (kind === "short" && !near) return { reason: "is a short code, which needs a place nearby", needs: "near" };
  const full = kind === "short" && near ? recoverPlusCode(code, near) : code;
  const bounds = plusCodeBounds(full);
  const digits = full.replace("+", "").replace(/0+$/, "").length;
  return {
    ...centreOf(bounds),
    format: kind === "short" ? "shortCode" : "plusCode",
    precisionMeters: cellSize(bounds),
    own: { plusCode: full },
    lengths: { plusCode: Math.min(15, digits) },
  };
}

const UTM =
  /^(\d{1,2})\s*([C-HJ-NP-X])[\s,]+(\d{5,7}(?:\.\d{1,9})?)\s*(?:m?E)?[\s,]+(\d{1,8}(?:\.\d{1,9})?)\s*(?:m?N)?$/i;

function readUtm(text: string): ReadPlace | undefined {
  const [, number = "", letter = "", easting = "", northing = ""] = UTM.exec(text.trim()) ?? [];
  if (!northing) return undefined;
  const zone = Number(number);
  if (zone < 1 || zone > 60) return { reason: "has a zone that is not 1 to 60" };
  // N and S are hemispheres, as most write them; other letters are bands.
  const isNorth = letter.toUpperCase() === "S" ? false : letter.toUpperCase() >= "N";
  const utm = { zone, isNorth, easting: Number(easting), northing: Number(northing) };
  if (utm.easting < 100_000 || utm.easting > 900_000 || utm.northing > 10_000_000)
    return { reason: "has an easting outside 100,000 to 900,000 or a northing above 10,000,000" };
  return { ...fromUtm(utm), format: "utm", bounds: null, precisionMeters: null, own: {}, lengths: {} };
}

async function readH3(text: string): Promise<ReadPlace | undefined> {
  const digits = text.trim().toLowerCase();
  if (!looksLikeH3(digits)) return undefined;
  const cell = await fromH3(digits.replace(/^0/, ""));
  if (!cell) return { reason: "is not a valid H3 cell" };
  const { resolution, ...located } = cell;
  return {
    ...located,
    format: "h3",
    precisionMeters: cellSize(cell.bounds),
    own: { h3: digits.replace(/^0/, "") },
    lengths: { h3: resolution },
  };
}

function readMgrs(text: string): ReadPlace | undefined {
  const plain = text.replace(/\s/g, "").toUpperCase();
  if (!looksLikeMgrs(plain)) return undefined;
  const square = fromMgrs(plain);
  if (typeof square === "string") return { reason: square };
  const { side, digits, normalized, ...located } = square;
  return {
    ...located,
    format: "mgrs",
    precisionMeters: side ?? cellSize(square.bounds),
    own: { mgrs: normalized },
    lengths: digits === null ? {} : { mgrs: digits },
  };
}

function readGeohash(text: string): ReadPlace | undefined {
  const hash = text.trim().toLowerCase();
  // A number alone is rather half of a pair of degrees.
  if (!isGeohash(hash) || /^\d+$/.test(hash)) return undefined;
  const bounds = geohashBounds(hash);
  return {
    ...centreOf(bounds),
    format: "geohash",
    precisionMeters: cellSize(bounds),
    own: { geohash: hash },
    lengths: { geohash: hash.length },
  };
}

export type Written = Record<CoordinateTarget | "shortCode", string | null>;

type Given = Pick<NotedPlace, "own" | "lengths"> & Point;

const WRITERS: Record<
  CoordinateTarget,
  (place: Given, lengths: Lengths) => string | null | undefined | Promise<string>
> = {
  dms: dmsText,
  utm: utmText,
  mgrs: (place, { mgrs }) => asGiven(place, "mgrs", mgrs) ?? toMgrs(place, mgrs),
  plusCode: (place, { plusCode }) => asGiven(place, "plusCode", plusCode) ?? toPlusCode(place, plusCode),
  geohash: (place, { geohash }) => asGiven(place, "geohash", geohash) ?? toGeohash(place, geohash),
  h3: (place, { h3 }) => asGiven(place, "h3", h3) ?? toH3(place, h3),
};

/** The cell that was read, unless another length is asked for: written anew, its point could lie in a neighbour. */
const asGiven = ({ own, lengths }: Given, target: keyof Lengths, length: number): string | undefined =>
  lengths[target] === undefined || lengths[target] === length ? own[target] : undefined;

/** A place in each of the notations asked for; null for others, and for UTM and MGRS near the poles. */
export async function writePlace(
  place: Given,
  targets: readonly CoordinateTarget[],
  { lengths, near }: { lengths: Lengths; near?: Point | undefined },
): Promise<Written> {
  const written: Written = {
    dms: null,
    utm: null,
    mgrs: null,
    plusCode: null,
    shortCode: null,
    geohash: null,
    h3: null,
  };
  for (const target of targets) written[target] = (await WRITERS[target](place, lengths)) ?? null;
  if (near && written.plusCode) written.shortCode = shortenPlusCode(written.plusCode, near);
  return written;
}

/** Zone, hemisphere, easting and northing to the centimetre: `33 N 474596.26 8643594.54`. */
function utmText(point: Point): string | null {
  if (!hasUtm(point.latitude)) return null;
  const { zone, isNorth, easting, northing } = toUtm(point);
  const [east, north] = [easting, northing].map((value) => String(Math.round(value * 100) / 100));
  return `${zone} ${isNorth ? "N" : "S"} ${east} ${north}`;
}
