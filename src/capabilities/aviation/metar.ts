import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { aviationWeather } from "../../providers/aviation-weather/index.js";
import {
  byStation,
  isoTime,
  readReports,
  readStations,
  stationsInput,
} from "../../providers/aviation-weather/reports.js";
import { conditions, FLIGHT_CATEGORIES, flightCategory, reported, toConditions } from "./_conditions.js";

const HPA_PER_INHG = 33.8639;

const report = lazySchema(() =>
  z.object({
    icaoId: z.string(),
    obsTime: z.number(),
    rawOb: z.string(),
    metarType: z.string().nullish(),
    name: z.string().nullish(),
    lat: z.number().nullish(),
    lon: z.number().nullish(),
    elev: z.number().nullish(),
    temp: z.number().nullish(),
    dewp: z.number().nullish(),
    altim: z.number().nullish(),
    slp: z.number().nullish(),
    fltCat: z.enum(FLIGHT_CATEGORIES).nullish().catch(null),
    ...reported(),
  }),
);

export const aviationMetar = /* @__PURE__ */ defineCapability({
  id: "aviation.metar",
  summary:
    "The current weather at airports: raw METAR, flight category, temperature, wind, visibility, pressure, clouds.",
  keywords: ["airport weather", "observation", "pilot", "vfr", "ifr", "altimeter", "wind", "ceiling", "flight"],
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
  check: ({ ids }) => void readStations(ids),
  async run({ ids }, ctx) {
    const stations = readStations(ids);
    const reports = await readReports(ctx, { service: "metar", ids: stations, row: report(), ttlMs: 90_000 });
    const { found, missing } = byStation(stations, reports, ({ obsTime }) => obsTime);
    return { items: found.map(toItem), total: found.length, meta: { requested: stations, missing } };
  },
});

function toItem(row: z.output<ReturnType<typeof report>>) {
  const observed = toConditions(row);
  return {
    station: row.icaoId,
    name: row.name ?? null,
    latitude: row.lat ?? null,
    longitude: row.lon ?? null,
    elevationM: row.elev ?? null,
    observedAt: isoTime(row.obsTime),
    reportType: row.metarType ?? null,
    raw: row.rawOb,
    flightCategory: row.fltCat ?? flightCategory(observed),
    temperatureC: row.temp ?? null,
    dewpointC: row.dewp ?? null,
    ...observed,
    // In hectopascal upstream, though it is called altimeter.
    altimeterInHg: row.altim == null ? null : Number((row.altim / HPA_PER_INHG).toFixed(2)),
    seaLevelPressureHpa: row.slp ?? null,
  };
}
