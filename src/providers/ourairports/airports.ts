/** The world's airports: one file of about 85,000 rows, kept as an index by code and by place. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type KDBush from "kdbush";
import type { Context } from "../../capability/types.js";
import { indexPlaces } from "../../engines/places/nearest.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import { type BulkFile, type Loaded, loadBulk } from "../../upstream/bulk/bulk.js";
import { type PackedTexts, packTexts } from "../../upstream/bulk/packed-texts.js";
import { collectCodes } from "./codes.js";
import { type AirportFilter, collectFilters } from "./filter.js";
import { ourAirports } from "./provider.js";
import { type Airport, type AirportRecord, missingColumns, packAirport, readRecord, unpackAirport } from "./row.js";

const csv = lazy(() => import("csv-parse"));

export interface Airports {
  /** The places of all rows, for `findNear`. */
  places: KDBush;
  at(row: number): Airport;
  /** The most likely row for a code of 3 to 5 characters, in upper case. */
  rowOf(code: string): number | undefined;
  /** A predicate for matching rows. Closed airports match only if requested. */
  matching(filter: AirportFilter): (row: number) => boolean;
}

const airportFile: BulkFile<Airports> = {
  name: "airports.csv",
  provider: ourAirports,
  url: `${ourAirports.baseUrl}/airports.csv`,
  mirrors: ["https://raw.githubusercontent.com/davidmegginson/ourairports-data/main/airports.csv"],
  maxAgeMs: DAY_MS,
  maxBytes: 64 * 1024 * 1024,
  build: indexAirports,
};

export const loadAirports = (ctx: Context): Promise<Loaded<Airports>> => loadBulk(ctx, airportFile);

/** Reads the file row by row. Rejects with UPSTREAM_SCHEMA if columns are missing or most rows are invalid. */
async function indexAirports(file: Readable): Promise<Airports> {
  const { parse } = await csv();
  const builder = createBuilder();
  const parser = parse({ bom: true, columns: checkedColumns, skip_empty_lines: true, max_record_size: 64 * 1024 });
  await pipeline(file, parser, async (records: AsyncIterable<AirportRecord>) => {
    for await (const record of records) builder.add(record);
  });
  return builder.finish();
}

function checkedColumns(header: string[]): string[] {
  const missing = missingColumns(header);
  if (missing.length > 0) throw unreadable(`${missing.join(", ")} missing in the header`);
  return header;
}

const unreadable = (why: string) =>
  new CapabilityError("UPSTREAM_SCHEMA", `${ourAirports.name} published its list in an unknown format.`, {
    cause: new Error(why),
  });

function createBuilder() {
  const texts = packTexts();
  const codes = collectCodes();
  const filters = collectFilters();
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  let unusable = 0;

  return {
    add(record: AirportRecord) {
      const airport = readRecord(record);
      if (!airport) {
        unusable++;
        return;
      }
      const row = texts.add(packAirport(airport));
      codes.add(row, airport);
      filters.add(airport);
      latitudes.push(airport.latitude);
      longitudes.push(airport.longitude);
    },
    async finish(): Promise<Airports> {
      if (latitudes.length <= unusable) throw unreadable(`${unusable} rows without id, name or place`);
      const places = await indexPlaces(Float64Array.from(latitudes), Float64Array.from(longitudes));
      return { places, at: reader(texts.finish()), rowOf: codes.finish(), matching: filters.finish() };
    },
  };
}

/** Defined at module level, because a closure would keep everything that building needs in memory. */
const reader = (packed: PackedTexts) => (row: number) => unpackAirport(packed.at(row));
