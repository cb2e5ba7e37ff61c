/** Shared by METARs and TAFs: a list of stations, and the newest report of each. */
import { z } from "zod";
import { codeList } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { readReports } from "../../providers/aviation-weather/reports.js";

export const stationsInput = () =>
  z.strictObject({
    ids: codeList({
      pattern: /^[A-Z0-9]{3,4}$/,
      what: "station ids of 3 or 4 letters and digits, such as KJFK,EGLL",
      max: 40,
      minLength: 3,
      maxLength: 120,
      blanksDivide: true,
    }).describe("ICAO station ids with commas between them, such as KJFK,EGLL"),
  });

/** Each station once, in the caller's order; US ids of three letters with their K. */
export const readStations = ({ ids }: { ids: string[] }): string[] => [
  ...new Set(ids.map((id) => (id.length === 3 ? `K${id}` : id))),
];

interface ReportKind<Row, Item> {
  service: "metar" | "taf";
  row: z.ZodType<Row>;
  /** Fields without which a report is left out. */
  needs: readonly string[];
  ttlMs: number;
  /** Time of a report; the latest of a station counts. */
  timeOf(row: Row): number;
  toItem(row: Row): Item;
}

/** The newest report of each station, in the caller's order, and the stations without one. */
export async function newestReports<Row extends { icaoId: string }, Item>(
  ctx: Context,
  stations: string[],
  { service, row, needs, ttlMs, timeOf, toItem }: ReportKind<Row, Item>,
) {
  const newest = new Map<string, Row>();
  for (const report of await readReports(ctx, { service, ids: stations, row, needs, ttlMs })) {
    const known = newest.get(report.icaoId);
    if (!known || timeOf(report) > timeOf(known)) newest.set(report.icaoId, report);
  }
  const items = stations.flatMap((station) => newest.get(station) ?? []).map(toItem);
  const missing = stations.filter((station) => !newest.has(station));
  return { items, total: items.length, meta: { requested: stations, missing } };
}
