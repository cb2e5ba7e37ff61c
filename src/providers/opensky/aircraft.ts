/** OpenSky's aircraft database, as one file or by a request per aircraft. */
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { type Airframe, type Airframes, AirframesBuilder } from "../../engines/aircraft/airframes.js";
import { isUsAddress } from "../../engines/aircraft/n-number.js";
import { lazy } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { BulkFile } from "../../upstream/bulk/bulk.js";
import { tableEnd } from "../../upstream/bulk/table-end.js";
import { segments, upstream } from "../../upstream/client.js";
import { deferStreamErrors } from "../../upstream/defer-stream-errors.js";
import { label, toLabel } from "../../upstream/fields.js";
import { opensky } from "./provider.js";

const csv = lazy(() => import("csv-parse"));

/** `opensky-aircraft.csv` in the data folder: aircraftDatabase.csv or a monthly file, as published. */
export const openskyFile: BulkFile<Airframes> = {
  name: "opensky-aircraft.csv",
  provider: opensky,
  url: "https://s3.opensky-network.org/data-samples/metadata/aircraftDatabase.csv",
  mirrors: ["https://opensky-network.org/datasets/metadata/aircraftDatabase.csv"],
  maxAgeMs: 30 * DAY_MS,
  maxBytes: 400 * 1024 * 1024,
  build: readDatabase,
};

/** Only the US aircraft, of half a million. */
async function readDatabase(file: Readable): Promise<Airframes> {
  const held = deferStreamErrors(file);
  const end = tableEnd();
  let width = 0;
  let last = 0;
  const { parse } = await csv();
  // Monthly files have single quotes, the older file double ones; column names differ in case only.
  const parser = parse({
    bom: true,
    quote: await firstQuote(held),
    columns: (names: string[]) => {
      width = names.length;
      return names.map((name) => name.toLowerCase());
    },
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
  });
  const airframes = new AirframesBuilder();
  let rows = 0;
  await pipeline(held, end.stage, parser, async (records) => {
    for await (const record of records as AsyncIterable<Record<string, string>>) {
      if (record.icao24 === undefined || record.registration === undefined) throw new Error("not the database");
      rows++;
      last = Object.keys(record).length;
      const icao24 = record.icao24.toLowerCase();
      if (isUsAddress(icao24)) airframes.add({ ...toAirframe(record), icao24 });
    }
  });
  if (rows === 0) throw new Error("the database is empty");
  end.assertWhole(last, width);
  return airframes.finish();
}

/** The quote at the file's beginning; the chunk that was read is put back. */
async function firstQuote(file: Readable): Promise<string> {
  for await (const chunk of file.iterator({ destroyOnReturn: false })) {
    file.unshift(chunk);
    return /^\uFEFF?'/.test(String(chunk)) ? "'" : '"';
  }
  return '"';
}

const metadata = lazySchema(() =>
  z.object({
    icao24: z.string(),
    registration: label(),
    manufacturerName: label(),
    model: label(),
    typecode: label(),
    icaoAircraftClass: label(),
    serialNumber: label(),
    operator: label(),
    owner: label(),
    built: label(),
    engines: label(),
    categoryDescription: label(),
    registered: label(),
    regUntil: label(),
  }),
);

/** One aircraft by its address; undefined if OpenSky has none. */
export async function askOpensky(ctx: Context, icao24: string): Promise<Airframe | undefined> {
  const found = await upstream(ctx, opensky).get(`/metadata/aircraft/icao${segments(icao24)}`, {
    schema: metadata(),
    absent: [404],
    ttlMs: DAY_MS,
    staleMs: 30 * DAY_MS,
  });
  if (!found) return undefined;
  const record = Object.fromEntries(Object.entries(found).map(([name, value]) => [name.toLowerCase(), value]));
  return { ...toAirframe(record), icao24 };
}

/** Unknown values are missing, empty or null. */
function toAirframe(record: Record<string, string | null>): Omit<Airframe, "icao24"> {
  const at = (name: string) => toLabel(record[name]);
  return {
    registration: at("registration"),
    manufacturer: at("manufacturername"),
    model: at("model"),
    typecode: at("typecode"),
    icaoType: at("icaoaircrafttype") ?? at("icaoaircraftclass"),
    serialNumber: at("serialnumber"),
    operator: at("operator"),
    owner: at("owner"),
    built: at("built"),
    engines: at("engines"),
    category: at("categorydescription"),
    registered: at("registered"),
    regUntil: at("reguntil"),
  };
}
