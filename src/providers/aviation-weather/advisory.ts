/** SIGMETs and AIRMETs in one format, and the parts that the products' answers share. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import { list, number, whole } from "../../upstream/fields.js";
import { isoTime } from "./reports.js";

export const advisory = lazySchema(() =>
  z.object({
    id: z.string().nullable(),
    office: z.string().nullable().describe("ICAO id of the office that issued it"),
    type: z.string().describe("SIGMET, AIRMET or OUTLOOK"),
    hazard: z.string().describe("CONVECTIVE, TURB, ICE, IFR, MTN OBSCN, ASH, or another product's own word"),
    severity: z.number().nullable(),
    issuedAt: z.string().nullable(),
    validFrom: z.string().nullable(),
    validTo: z.string().nullable(),
    altitudeLowFt: z.number().nullable().describe("Above mean sea level"),
    altitudeHighFt: z.number().nullable().describe("Above mean sea level"),
    movementDirDeg: z.number().nullable(),
    movementSpeedKt: z.number().nullable(),
    dueTo: z.string().nullable(),
    area: z.array(z.object({ lat: z.number(), lon: z.number() })),
    raw: z.string(),
  }),
);
export type Advisory = z.output<ReturnType<typeof advisory>>;

/** Includes the product's own word for the hazard, by which callers may ask, too. */
export interface Found {
  code: string;
  advisory: Advisory;
}

export const ADVISORY_TTL_MS = 180_000;

/** Required, because an advisory without a time is useless. */
export const time = () =>
  z
    .union([z.number(), z.string()])
    .transform(isoTime)
    .pipe(z.string({ error: "must be a time" }));

export const optionalTime = () => z.union([z.number(), z.string()]).nullish().transform(isoTime);

/** The corners of an area; latitude and longitude may be texts. */
export const points = () =>
  list(whole({ lat: number(), lon: number() })).transform((coords) =>
    coords.flatMap(({ lat, lon }) => (lat === null || lon === null ? [] : { lat, lon })),
  );
