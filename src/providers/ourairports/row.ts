/** One airport: in the file, for callers, and in storage. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { once } from "../../lib/lazy.js";
import { toLabel, toNumber } from "../../upstream/fields.js";

const nullableText = () => z.string().nullable();

export const airportSchema = lazySchema(() =>
  z.object({
    id: z.number().int(),
    ident: z.string(),
    type: z.string(),
    name: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    elevationFt: z.number().nullable(),
    continent: nullableText(),
    isoCountry: nullableText(),
    isoRegion: nullableText(),
    municipality: nullableText(),
    scheduledService: z.boolean(),
    icaoCode: nullableText(),
    iataCode: nullableText(),
    gpsCode: nullableText(),
    localCode: nullableText(),
    wikipediaLink: nullableText(),
  }),
);
export type Airport = z.output<ReturnType<typeof airportSchema>>;

/** A row of the file by its header's names. */
export type AirportRecord = Record<string, string | undefined>;

const COLUMNS = [
  "id",
  "ident",
  "type",
  "name",
  "latitude_deg",
  "longitude_deg",
  "elevation_ft",
  "continent",
  "iso_country",
  "iso_region",
  "municipality",
  "scheduled_service",
  "iata_code",
  "gps_code",
  "local_code",
  "wikipedia_link",
];

/** Required columns that a header lacks; `icao_code` is not one of them, because it was added in 2024. */
export const missingColumns = (header: string[]): string[] => COLUMNS.filter((name) => !header.includes(name));

/** The airport of a row; undefined if the row lacks its id, its name or its place. */
export function readRecord(record: AirportRecord): Airport | undefined {
  const airport = {
    id: toNumber(record.id) ?? Number.NaN,
    ident: record.ident ?? "",
    type: record.type ?? "",
    name: record.name ?? "",
    latitude: toNumber(record.latitude_deg) ?? Number.NaN,
    longitude: toNumber(record.longitude_deg) ?? Number.NaN,
    elevationFt: toNumber(record.elevation_ft),
    // "NA" is North America here, and Namibia below.
    continent: toLabel(record.continent),
    isoCountry: toLabel(record.iso_country),
    isoRegion: toLabel(record.iso_region),
    municipality: toLabel(record.municipality),
    scheduledService: record.scheduled_service === "yes",
    icaoCode: icaoCodeOf(record),
    iataCode: toLabel(record.iata_code),
    gpsCode: toLabel(record.gps_code),
    localCode: toLabel(record.local_code),
    wikipediaLink: toLabel(record.wikipedia_link),
  };
  const placed = Math.abs(airport.latitude) <= 90 && Math.abs(airport.longitude) <= 180;
  return placed && Number.isSafeInteger(airport.id) && airport.ident && airport.name ? airport : undefined;
}

/** Older copies have ICAO codes only among the GPS codes. */
function icaoCodeOf({ icao_code: own, gps_code: gps = "" }: AirportRecord): string | null {
  if (own === undefined) return /^[A-Z]{4}$/.test(gps) ? gps : null;
  return toLabel(own);
}

const fields = once(() => Object.keys(airportSchema().shape) as (keyof Airport)[]);

/** Its values in the order of the schema, as JSON: a short text for the index. */
export const packAirport = (airport: Airport): string => JSON.stringify(fields().map((field) => airport[field]));

/** The reverse of `packAirport`. */
export function unpackAirport(text: string): Airport {
  const values: unknown[] = JSON.parse(text);
  const airport: Record<string, unknown> = {};
  for (const [i, field] of fields().entries()) airport[field] = values[i];
  return airport as Airport;
}
