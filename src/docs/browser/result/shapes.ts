/** Recognises structures in an answer's JSON: records, rows, places, a time series. */

export type Row = Record<string, unknown>;

export const isRow = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAX_DEPTH = 5;

/** The records of an answer, each whole: the list of a normalized answer, a list of objects, or one object. */
export function recordsOf(body: unknown): Row[] {
  const payload = payloadOf(body);
  if (isRow(payload)) return [payload];
  return Array.isArray(payload) && payload.every(isRow) ? payload : [];
}

/** The longest list of objects in an answer, at a limited depth, for maps and charts. */
export function rowsOf(body: unknown): Row[] {
  const payload = payloadOf(body);
  const [longest] = listsIn(payload).sort((a, b) => b.length - a.length);
  if (longest) return longest;
  return isRow(payload) ? [payload] : [];
}

/** The lists of objects in a value, outer ones first. */
function listsIn(value: unknown, depth = 0): Row[][] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) {
    const inner = value.slice(0, 3).flatMap((one) => listsIn(one, depth + 1));
    return value.length > 0 && value.every(isRow) ? [value, ...inner] : inner;
  }
  return isRow(value) ? Object.values(value).flatMap((one) => listsIn(one, depth + 1)) : [];
}

/** A normalized answer without its metadata. */
function payloadOf(body: unknown): unknown {
  if (!isRow(body)) return body;
  const inner = isRow(body.data) ? body.data : body;
  return Array.isArray(inner.items) ? inner.items : inner;
}

export interface Place {
  lat: number;
  lon: number;
  name: string;
}

const LATITUDE = /^(?:lat|latitude|latitude_?deg)$/i;
const LONGITUDE = /^(?:lon|lng|long|longitude|longitude_?deg)$/i;

export function placesOf(rows: Row[]): Place[] {
  return rows.flatMap((row) => {
    const flat = { ...row, ...(isRow(row.location) ? row.location : {}), ...(isRow(row.position) ? row.position : {}) };
    const lat = numberAt(flat, LATITUDE);
    const lon = numberAt(flat, LONGITUDE);
    if (lat === undefined || lon === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 180) return [];
    const name = row.name ?? row.icao ?? row.iata ?? row.code ?? row.id ?? "";
    return [{ lat, lon, name: String(name) }];
  });
}

function numberAt(row: Row, key: RegExp): number | undefined {
  const found = Object.entries(row).find(([name, value]) => key.test(name) && typeof value === "number");
  return found?.[1] as number | undefined;
}

export interface Series {
  time: string;
  value: string;
  points: { at: number; value: number }[];
}

const TIME = /(?:date|time|day|week|month|year|period|timestamp|opened|start)/i;

/** Fewer different values make steps, which a table tells better than a line. */
const MIN_VALUES = 3;

/** Every column of numbers that change over the time column; empty if the rows are not a series. */
export function seriesOf(rows: Row[]): Series[] {
  const [first] = rows;
  if (!first || rows.length < 3) return [];
  const time = Object.keys(first).find(
    (name) => TIME.test(name) && rows.every((row) => timeOf(row[name]) !== undefined),
  );
  if (!time) return [];
  if (new Set(rows.map((row) => timeOf(row[time]))).size < rows.length) return [];
  const values = Object.keys(first).filter(
    (name) => name !== time && !isCount(rows, name) && rows.some((row) => numberOf(row[name]) !== undefined),
  );
  return values
    .map((value) => ({ time, value, points: pointsOf(rows, time, value) }))
    .filter(({ points }) => new Set(points.map(({ value }) => value)).size >= MIN_VALUES)
    .slice(0, 12);
}

/** Whether a column only counts the rows. */
const isCount = ([first, ...rest]: Row[], name: string) => {
  const start = numberOf(first?.[name]) ?? Number.NaN;
  return rest.every((row, i) => numberOf(row[name]) === start + i + 1);
};

const pointsOf = (rows: Row[], time: string, value: string): Series["points"] =>
  rows
    .flatMap((row) => {
      const at = timeOf(row[time]);
      const number = numberOf(row[value]);
      return at === undefined || number === undefined ? [] : [{ at, value: number }];
    })
    .sort((a, b) => a.at - b.at);

function timeOf(value: unknown): number | undefined {
  if (typeof value === "number") {
    if (Number.isInteger(value) && value >= 1500 && value <= 2200) return Date.UTC(value, 0);
    // Seconds or milliseconds since 1970.
    return value > 1e11 ? value : value > 1e8 ? value * 1000 : undefined;
  }
  if (typeof value !== "string" || !/^\d{4}(?:-\d{2}(?:-\d{2}(?:[T ].*)?)?)?$/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) && value.length < 20 ? Number(value) : undefined;
}
