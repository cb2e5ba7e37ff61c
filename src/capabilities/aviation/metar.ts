import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { aviationWeather } from "../../providers/aviation-weather/provider.js";
import { isoTime } from "../../providers/aviation-weather/reports.js";
import { label, number, whole } from "../../upstream/fields.js";
import { conditions, FLIGHT_CATEGORIES, flightCategory, observedInRaw, reported, toConditions } from "./_conditions.js";
import { newestReports, readStations, stationsInput } from "./_stations.js";

const HPA_PER_INHG = 33.8639;

const report = lazySchema(() =>
  z
    .unknown()
    .check(observedInRaw)
    .pipe(
      whole(
        { icaoId: z.string(), obsTime: z.number(), rawOb: z.string() },
        {
          metarType: label(),
          name: label(),
          lat: number(),
          lon: number(),
          elev: number(),
          temp: number(),
          dewp: number(),
          altim: number(),
          slp: number(),
          fltCat: z.enum(FLIGHT_CATEGORIES).nullish().catch(null),
          ...reported(),
        },
        // Older answers lack the station's position.
        ["name", "lat", "lon", "elev", "metarType"],
      ),
    ),
);

export const aviationMetar = /* @__PURE__ */ defineCapability({
  id: "aviation.metar",
  summary:
    "The current weather at airports: raw METAR, flight category, temperature, wind, visibility, pressure, clouds.",
  keywords: [
    "decode metar",
    "weather now",
    "weather at",
    "airport weather",
    "observation",
    "pilot",
    "vfr",
    "ifr",
    "altimeter",
    "wind",
    "ceiling",
    "flight",
  ],
  price: "0.0012",
  provider: aviationWeather,
  input: stationsInput,
  output: rows(() =>
    z.object({
      station: z.string(),
      name: z.string().nullable(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      elevationM: z.number().nullable(),
      observedAt: z.string().nullable(),
      reportType: z.string().nullable().describe("METAR, or SPECI for one out of turn"),
      raw: z.string(),
      flightCategory: z.enum(FLIGHT_CATEGORIES).nullable(),
      temperatureC: z.number().nullable(),
      dewpointC: z.number().nullable(),
      ...conditions(),
      altimeterInHg: z.number().nullable(),
      seaLevelPressureHpa: z.number().nullable(),
    }),
  ),
  example: { ids: "KJFK,EGLL" },
  live: { freshDays: 1 },
  read: readStations,
  run: (stations, ctx) =>
    newestReports(ctx, stations, {
      service: "metar",
      row: report(),
      needs: ["icaoId", "obsTime", "rawOb"],
      ttlMs: 90_000,
      timeOf: ({ obsTime }) => obsTime,
      toItem,
    }),
});

function toItem(row: z.output<ReturnType<typeof report>>) {
  const observed = toConditions(row);
  return {
    station: row.icaoId,
    name: row.name,
    latitude: row.lat,
    longitude: row.lon,
    elevationM: row.elev,
    observedAt: isoTime(row.obsTime),
    reportType: row.metarType,
    raw: row.rawOb,
    flightCategory: row.fltCat ?? flightCategory(observed),
    temperatureC: row.temp,
    dewpointC: row.dewp,
    ...observed,
    // In hectopascal upstream, though the field is called altimeter.
    altimeterInHg: row.altim === null ? null : Number((row.altim / HPA_PER_INHG).toFixed(2)),
    seaLevelPressureHpa: row.slp,
  };
}
