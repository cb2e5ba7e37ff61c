/** A line of GHCN-Daily's station list: fixed columns, as in NOAA's readme. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";

export const stationSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    elevationM: z.number().nullable(),
    state: z.string().nullable().describe("State or province, in the US and Canada"),
    countryFips: z.string().describe("FIPS 10-4 code, which is not ISO 3166: GM is Germany"),
    gsn: z.boolean().describe("Part of the GCOS Surface Network"),
    hcnCrn: z
      .string()
      .nullable()
      .describe("HCN or CRN: part of the U.S. Historical Climatology or Climate Reference Network"),
    wmoId: z.string().nullable(),
  }),
);
export type Station = z.output<ReturnType<typeof stationSchema>>;

const NO_ELEVATION = -999.9;

/** The station of a line. Missing values are NaN, "" or null: see `isStation`. */
export function readStation(line: string): Station {
  const id = columns(line, 1, 11);
  const elevationM = numberAt(line, 32, 37);
  return {
    id,
    name: columns(line, 42, 71),
    latitude: numberAt(line, 13, 20),
    longitude: numberAt(line, 22, 30),
    elevationM: Number.isNaN(elevationM) || elevationM === NO_ELEVATION ? null : elevationM,
    state: columns(line, 39, 40) || null,
    countryFips: id.slice(0, 2),
    gsn: columns(line, 73, 75) === "GSN",
    hcnCrn: columns(line, 77, 79) || null,
    wmoId: columns(line, 81, 85) || null,
  };
}

/** Whether it has the required fields. */
export function isStation({ id, latitude, longitude }: Station): boolean {
  return /^[A-Z0-9]{11}$/.test(id) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

/** From and to count from 1, inclusive. */
const columns = (line: string, from: number, to: number): string => line.slice(from - 1, to).trim();

function numberAt(line: string, from: number, to: number): number {
  const text = columns(line, from, to);
  return text === "" ? Number.NaN : Number(text);
}
