import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { MINUTE_MS } from "../../lib/time.js";
import { aviationWeather } from "../../providers/aviation-weather/provider.js";
import { isoTime } from "../../providers/aviation-weather/reports.js";
import { label, list, number, whole } from "../../upstream/fields.js";
import { conditions, forecastInRaw, reported, toConditions } from "./_conditions.js";
import { newestReports, readStations, stationsInput } from "./_stations.js";

const time = () => z.union([z.number(), z.string()]).nullish();
const period = lazySchema(() =>
  whole(
    { timeFrom: time(), timeTo: time() },
    { timeBec: time(), fcstChange: label(), probability: number(), ...reported() },
  ),
);
const forecast = lazySchema(() =>
  z
    .unknown()
    .check(forecastInRaw)
    .pipe(
      whole({
        icaoId: z.string(),
        issueTime: z.string(),
        rawTAF: z.string(),
        name: label(),
        validTimeFrom: time(),
        validTimeTo: time(),
        fcsts: list(period()),
      }),
    ),
);

export const aviationTaf = /* @__PURE__ */ defineCapability({
  id: "aviation.taf",
  summary: "Airport weather forecasts: raw TAF, when it was issued, how long it holds, and its periods decoded.",
  keywords: ["terminal forecast", "airport weather", "pilot", "wind", "visibility", "flight planning", "aerodrome"],
  price: "0.0012",
  provider: aviationWeather,
  input: stationsInput,
  output: rows(() =>
    z.object({
      station: z.string(),
      name: z.string().nullable(),
      issuedAt: z.string().nullable(),
      validFrom: z.string().nullable(),
      validTo: z.string().nullable(),
      raw: z.string(),
      periods: z.array(
        z.object({
          from: z.string().nullable(),
          to: z.string().nullable(),
          becomingAt: z.string().nullable(),
          change: z.string().nullable().describe("FM, BECMG, TEMPO or PROB; null for the first"),
          probabilityPercent: z.number().nullable(),
          ...conditions(),
        }),
      ),
    }),
  ),
  example: { ids: "KORD,KSFO" },
  live: { freshDays: 2 },
  read: readStations,
  run: (stations, ctx) =>
    newestReports(ctx, stations, {
      service: "taf",
      row: forecast(),
      needs: ["icaoId", "issueTime", "rawTAF"],
      ttlMs: 5 * MINUTE_MS,
      timeOf: ({ issueTime }) => Date.parse(isoTime(issueTime) ?? ""),
      toItem,
    }),
});

function toItem(row: z.output<ReturnType<typeof forecast>>) {
  return {
    station: row.icaoId,
    name: row.name,
    issuedAt: isoTime(row.issueTime),
    validFrom: isoTime(row.validTimeFrom),
    validTo: isoTime(row.validTimeTo),
    raw: row.rawTAF,
    periods: row.fcsts.map(toPeriod),
  };
}

function toPeriod(row: z.output<ReturnType<typeof period>>) {
  return {
    from: isoTime(row.timeFrom),
    to: isoTime(row.timeTo),
    becomingAt: isoTime(row.timeBec),
    change: row.fcstChange,
    probabilityPercent: row.probability,
    ...toConditions(row),
  };
}
