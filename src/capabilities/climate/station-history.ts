import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate, lazySchema, listOf } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { ncei } from "../../providers/ncei/provider.js";
import { stationsAtHand } from "../../providers/ncei/stations.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows } from "../../upstream/fields.js";

const MAX_DAYS = 366;
/** Corrections arrive for weeks. */
const SETTLED_AFTER_MS = 60 * DAY_MS;

/** Elements with their unit here, and the number of GHCN-Daily's integers in one unit. */
const ELEMENTS = {
  TMAX: { unit: "C", perUnit: 10 },
  TMIN: { unit: "C", perUnit: 10 },
  TAVG: { unit: "C", perUnit: 10 },
  PRCP: { unit: "mm", perUnit: 10 },
  SNOW: { unit: "mm", perUnit: 1 },
  SNWD: { unit: "mm", perUnit: 1 },
  AWND: { unit: "m/s", perUnit: 10 },
  WSF2: { unit: "m/s", perUnit: 10 },
  WSF5: { unit: "m/s", perUnit: 10 },
  EVAP: { unit: "mm", perUnit: 10 },
} as const;
type Element = keyof typeof ELEMENTS;
const NAMES = Object.keys(ELEMENTS) as Element[];
const MISSING = -9999;

/** Numbers come as text, padded with blanks. */
const figure = () =>
  z
    .union([z.string(), z.number(), z.null()])
    // Strict, unlike `number()`: text that is not a number means another format.
    .transform((value) => (value === null || `${value}`.trim() === "" ? null : Number(value)))
    .pipe(z.number().nullable())
    .transform((value) => (value === MISSING ? null : value))
    .optional();
const listed = lazySchema(() =>
  identifiedRows(
    z
      .object({ DATE: z.iso.date() })
      .extend(Object.fromEntries(NAMES.map((name) => [name, figure()])) as Record<Element, ReturnType<typeof figure>>),
    ["DATE"],
  ),
);
type Day = z.output<ReturnType<typeof listed>>[number];

const reading = (element: Element) =>
  z.number().nullable().optional().describe(`${element} in ${ELEMENTS[element].unit}, where it was asked for`);

export const climateStationHistory = /* @__PURE__ */ defineCapability({
  id: "climate.station-history",
  summary: "Daily temperature, rain, snow and wind records of a weather station (GHCN-Daily), for up to 366 days.",
  keywords: [
    "historical weather",
    "daily observations",
    "noaa",
    "temperature",
    "precipitation",
    "rainfall",
    "snowfall",
  ],
  price: "0.0012",
  provider: ncei,
  input: () =>
    z.strictObject({
      station: z
        .string()
        .regex(/^[A-Z0-9]{11}$/, "must be 11 upper-case letters and digits, such as USW00094728")
        .describe("GHCN-Daily station id, 11 upper-case letters and digits; climate.station-near finds them"),
      startDate: isoDate().describe("First day, YYYY-MM-DD"),
      endDate: isoDate().describe(`Last day, included; at most ${MAX_DAYS} days in all`),
      dataTypes: listOf(NAMES, 100)
        .prefault("TMAX,TMIN,PRCP")
        .describe(`Comma-separated list from ${NAMES.join(", ")}`),
    }),
  output: rows(() =>
    z.object({
      date: z.string(),
      tmax: reading("TMAX"),
      tmin: reading("TMIN"),
      tavg: reading("TAVG"),
      prcp: reading("PRCP"),
      snow: reading("SNOW"),
      snwd: reading("SNWD"),
      awnd: reading("AWND"),
      wsf2: reading("WSF2"),
      wsf5: reading("WSF5"),
      evap: reading("EVAP"),
    }),
  ),
  example: { station: "USW00094728", startDate: "2023-07-01", endDate: "2023-07-31" },
  check({ startDate, endDate }) {
    const days = (Date.parse(endDate) - Date.parse(startDate)) / DAY_MS + 1;
    if (days < 1) throw invalid("endDate", "must not be before startDate");
    if (days > MAX_DAYS) throw invalid("endDate", `must be within ${MAX_DAYS} days from startDate`);
  },
  async run({ station, startDate, endDate, dataTypes: elements }, ctx) {
    const settled = ctx.clock().getTime() - Date.parse(endDate) > SETTLED_AFTER_MS;
    const days = await upstream(ctx, ncei).get("/access/services/data/v1", {
      query: {
        dataset: "daily-summaries",
        stations: station,
        startDate,
        endDate,
        dataTypes: elements.join(","),
        // Without it the answer is CSV. No `units` either: the archive's own integers are exact.
        format: "json",
      },
      schema: listed(),
      ttlMs: settled ? 30 * DAY_MS : 6 * HOUR_MS,
      staleMs: 7 * DAY_MS,
    });
    if (days.length === 0) await assertKnown(station, ctx);
    else assertAnswered(days, elements);
    const items = days.map((row) => toItem(row, elements)).sort((a, b) => a.date.localeCompare(b.date));
    const units = Object.fromEntries(elements.map((name) => [name.toLowerCase(), ELEMENTS[name].unit]));
    return { items, total: items.length, meta: { station, startDate, endDate, dataTypes: elements, units } };
  },
});

/** The service answers an unknown station and an empty period alike. */
async function assertKnown(station: string, ctx: Context): Promise<void> {
  const stations = await stationsAtHand(ctx);
  if (stations && !stations.has(station)) throw new CapabilityError("NOT_FOUND", `No station ${station} is known.`);
}

/** A day without one element is usual. An answer without any means that names have changed. */
function assertAnswered(days: Day[], elements: Element[]): void {
  if (days.some((row) => elements.some((name) => row[name] !== undefined))) return;
  throw new CapabilityError("UPSTREAM_SCHEMA", `${ncei.name} answered without any of ${elements.join(", ")}.`);
}

function toItem(row: Day, elements: Element[]) {
  const figures = elements.map((name): [string, number | null] => {
    const value = row[name] ?? null;
    return [name.toLowerCase(), value === null ? null : Math.round((value * 10) / ELEMENTS[name].perUnit) / 10];
  });
  return { date: row.DATE, ...Object.fromEntries(figures) };
}
