/** Military Grid Reference System on WGS 84, from 80° south to 84° north. */
import type { Bounds, Located, Point } from "./point.js";
import { fromUtm, hasUtm, toUtm, zoneOf } from "./utm.js";

const BANDS = "CDEFGHJKLMNPQRSTUVWX";
const COLUMNS = ["ABCDEFGH", "JKLMNPQR", "STUVWXYZ"];
const ROWS = ["ABCDEFGHJKLMNPQRSTUV", "FGHJKLMNPQRSTUVABCDE"];
/** Side of a square that two letters name, and the distance after which the letters of rows begin again. */
const [SQUARE, CYCLE] = [100_000, 2_000_000];

const PATTERN = /^(\d{1,2})([C-HJ-NP-X])(?:([A-HJ-NP-Z])([A-HJ-NP-V])(\d*))?$/;

const rowsOf = (zone: number): string => ROWS[(zone - 1) % 2] ?? "";
const columnsOf = (zone: number): string => COLUMNS[(zone - 1) % 3] ?? "";

/** With `digits` for each of easting and northing, 0 (100 km) to 5 (1 m); undefined near the poles. */
export function toMgrs(point: Point, digits: number): string | undefined {
  if (!hasUtm(point.latitude)) return undefined;
  const zone = zoneOf(point);
  // A micrometre more: the corner of a square stays in it.
  const utm = toUtm(point, zone);
  const [easting, northing] = [utm.easting + 1e-6, utm.northing + 1e-6];
  const band = BANDS[Math.min(BANDS.length - 1, Math.floor((point.latitude + 80) / 8))];
  const column = columnsOf(zone)[Math.floor(easting / SQUARE) - 1];
  const row = rowsOf(zone)[Math.floor((northing % CYCLE) / SQUARE)];
  const within = [easting, northing].map((value) =>
    String(Math.floor(value % SQUARE))
      .padStart(5, "0")
      .slice(0, digits),
  );
  return `${zone}${band}${column}${row}${within.join("")}`;
}

export interface MgrsSquare extends Located {
  bounds: Bounds;
  /** Side in metres; null for a whole grid zone. */
  side: number | null;
  digits: number | null;
  /** Without blanks and leading zeros, in upper case. */
  normalized: string;
}

/** Whether a text, without blanks and in upper case, is written like MGRS. */
export const looksLikeMgrs = (text: string): boolean => PATTERN.test(text);

/** The square, and its south-west corner as its point; a reason where the text names none. */
export function fromMgrs(text: string): MgrsSquare | string {
  const [, number = "", band = "", column, row = "", location = ""] = PATTERN.exec(text) ?? [];
  const zone = Number(number);
  const area = areaOf(zone, band);
  if (!area) return `has no grid zone ${number}${band}`;
  if (location.length % 2 === 1 || location.length > 10)
    return "must have as many digits of easting as of northing, at most 5 each";
  const normalized = `${zone}${text.slice(number.length)}`;
  if (column === undefined)
    return { latitude: area.south, longitude: area.west, bounds: area, side: null, digits: null, normalized };
  const digits = location.length / 2;
  const side = SQUARE / 10 ** digits;
  const within = (part: string) => Number(part || 0) * side;
  const easting = (columnsOf(zone).indexOf(column) + 1) * SQUARE + within(location.slice(0, digits));
  const low = rowsOf(zone).indexOf(row) * SQUARE + within(location.slice(digits));
  if (!columnsOf(zone).includes(column)) return `has no column ${column} in zone ${zone}`;
  const isNorth = band >= "N";
  const northing = low + CYCLE * Math.ceil(Math.max(0, lowestNorthing(zone, area, isNorth) - low) / CYCLE);
  const square = { zone, isNorth, easting, northing, side };
  const bounds = partOf(cornersOf(square), area);
  if (!bounds) return `names a square that lies outside grid zone ${zone}${band}`;
  return { ...cornerWithin(square, area), bounds, side, digits, normalized };
}

interface Square {
  zone: number;
  isNorth: boolean;
  easting: number;
  northing: number;
  side: number;
}

/** Bounds of a grid zone; undefined for those that there are not. */
function areaOf(zone: number, band: string): Bounds | undefined {
  const index = BANDS.indexOf(band);
  if (zone < 1 || zone > 60 || index < 0) return undefined;
  const south = 8 * index - 80;
  const [west, east] = EXCEPTIONS[`${zone}${band}`] ?? [6 * zone - 186, 6 * zone - 180];
  return west === east ? undefined : { south, north: band === "X" ? 84 : south + 8, west, east };
}

/** Norway's and Svalbard's; the three zones that Svalbard's others swallow have no width. */
const EXCEPTIONS: Record<string, [west: number, east: number]> = {
  ...{ "31V": [0, 3], "32V": [3, 12] },
  ...{
    "31X": [0, 9],
    "32X": [9, 9],
    "33X": [9, 21],
    "34X": [21, 21],
    "35X": [21, 33],
    "36X": [33, 33],
    "37X": [33, 42],
  },
};

/** Of all squares that reach into a grid zone. */
function lowestNorthing(zone: number, { south, west, east }: Bounds, isNorth: boolean): number {
  const northings = [west, (west + east) / 2, east].map(
    (longitude) => toUtm({ latitude: south, longitude }, zone, isNorth).northing,
  );
  return Math.floor(Math.min(...northings) / SQUARE) * SQUARE;
}

const cornersOf = ({ side, ...square }: Square): Point[] =>
  [0, side].flatMap((east) =>
    [0, side].map((north) => fromUtm({ ...square, easting: square.easting + east, northing: square.northing + north })),
  );

/** The part of a zone that the corners span; undefined if there is none. */
function partOf(corners: Point[], area: Bounds): Bounds | undefined {
  const latitudes = corners.map(({ latitude }) => latitude);
  // Zone 60 ends, and zone 1 begins, where longitudes turn.
  const longitudes = corners.map(({ longitude }) => longitude + 360 * Math.round((area.west - longitude) / 360));
  const bounds = {
    south: Math.max(area.south, Math.min(...latitudes)),
    north: Math.min(area.north, Math.max(...latitudes)),
    west: Math.max(area.west, Math.min(...longitudes)),
    east: Math.min(area.east, Math.max(...longitudes)),
  };
  return bounds.south < bounds.north && bounds.west < bounds.east ? bounds : undefined;
}

/** The south-west corner of a square; where that lies outside the zone, of the part that lies within. */
function cornerWithin(square: Square, area: Bounds): Point {
  const corner = fromUtm(square);
  const isWest = corner.longitude < area.west || corner.longitude - area.west > 180;
  const isSouth = corner.latitude < area.south;
  if (isWest && isSouth) return { latitude: area.south, longitude: area.west };
  if (isWest)
    return {
      ...alongEdge(square, "easting", (point) => point.longitude >= area.west && point.longitude - area.west < 180),
      longitude: area.west,
    };
  if (isSouth)
    return { ...alongEdge(square, "northing", (point) => point.latitude >= area.south), latitude: area.south };
  return corner;
}

/** The first point of an edge of the square that lies within, by halving. */
function alongEdge(square: Square, edge: "easting" | "northing", isWithin: (point: Point) => boolean): Point {
  let [outside, inside] = [0, square.side];
  for (let i = 0; i < 60; i++) {
    const middle = (outside + inside) / 2;
    if (isWithin(fromUtm({ ...square, [edge]: square[edge] + middle }))) inside = middle;
    else outside = middle;
  }
  return fromUtm({ ...square, [edge]: square[edge] + inside });
}
