import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { lazySchema, usState, words } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { nass } from "../../providers/nass/provider.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows, label, toNumber, whole } from "../../upstream/fields.js";

const LEVELS = ["NATIONAL", "STATE", "COUNTY"];

/** All values come as text; newer answers have the year as a number. */
const row = lazySchema(() =>
  whole({
    commodity_desc: z.string(),
    year: z.union([z.string(), z.number()]).transform(toNumber),
    short_desc: z.string(),
    Value: z
      .union([z.string(), z.number()])
      .nullable()
      .transform((value) => (value === null ? null : String(value).trim())),
    state_name: label(),
    county_name: label(),
    statisticcat_desc: label(),
    unit_desc: label(),
    reference_period_desc: label(),
    freq_desc: label(),
    source_desc: label(),
    domain_desc: label(),
    domaincat_desc: label(),
  }),
);
type Row = z.output<ReturnType<typeof row>>;

export const agricultureStats = /* @__PURE__ */ defineCapability({
  id: "agriculture.stats",
  summary: "US agricultural statistics: yields, production, area, prices and stocks by commodity, year, state, county.",
  keywords: ["usda", "nass", "quick stats", "crop", "corn", "wheat", "cattle", "harvest", "acreage", "farm", "census"],
  price: "0.001",
  provider: nass,
  input: () =>
    z.strictObject({
      commodity_desc: words(2, 60).describe("Commodity, such as CORN, WHEAT or CATTLE; case does not matter"),
      year: year().optional().describe("One year; not together with year__GE or year__LE"),
      year__GE: year().optional().describe("From this year on"),
      year__LE: year().optional().describe("Up to this year"),
      state_alpha: usState({ also: ["US", "OT"] })
        .optional()
        .describe("State code of two letters, such as IA; US for national figures"),
      county_name: words(1, 60).optional().describe("County, such as POLK"),
      statisticcat_desc: words(1, 60)
        .optional()
        .describe("Kind of figure: YIELD, PRODUCTION, AREA HARVESTED, PRICE RECEIVED, INVENTORY, ..."),
      agg_level_desc: words(1, 30)
        .refine((level) => LEVELS.includes(level.toUpperCase()), { error: `must be one of ${LEVELS.join(", ")}` })
        .optional()
        .describe("Level of the figures: NATIONAL, STATE or COUNTY"),
      short_desc: words(1, 200)
        .optional()
        .describe("The data item in full, such as CORN, GRAIN - YIELD, MEASURED IN BU / ACRE"),
      freq_desc: words(1, 20).optional().describe("ANNUAL, SEASON, MONTHLY, WEEKLY or POINT IN TIME"),
    }),
  output: rows(() =>
    z.object({
      commodity: z.string().nullable(),
      year: z.number().nullable(),
      state: z.string().nullable().describe("Full name; US TOTAL for national figures"),
      county: z.string().nullable(),
      category: z.string().nullable().describe("Kind of figure, such as YIELD"),
      dataItem: z.string().nullable().describe("What was measured, in full"),
      value: z.number().nullable().describe("Null if a code replaces the figure"),
      valueRaw: z
        .string()
        .nullable()
        .describe("As published; (D) is withheld, (Z) less than half the unit, (NA) missing"),
      unit: z.string().nullable(),
      referencePeriod: z.string().nullable().describe("YEAR, a month, or a forecast, such as YEAR - AUG FORECAST"),
      frequency: z.string().nullable(),
      source: z.string().nullable().describe("CENSUS or SURVEY"),
      domain: z.string().nullable().describe("TOTAL, or how the figure is broken down"),
      domainCategory: z.string().nullable().describe("The part of the domain that it belongs to"),
    }),
  ),
  example: { commodity_desc: "CORN", year: "2023", state_alpha: "IA", statisticcat_desc: "YIELD" },
  check({ year, year__GE: from, year__LE: to }) {
    if (year !== undefined && (from ?? to) !== undefined)
      throw invalid("year", "cannot be combined with year__GE or year__LE");
    if (from !== undefined && to !== undefined && from > to) throw invalid("year__LE", "must not be before year__GE");
  },
  async run(input, ctx) {
    const { data } = await upstream(ctx, nass).get("/api_GET", {
      query: toQuery(input),
      schema: z.object({ data: identifiedRows(row(), ["commodity_desc", "short_desc", "year"]) }),
      ttlMs: DAY_MS,
      staleMs: 7 * DAY_MS,
    });
    const items = data.map(toItem).sort(newestFirst);
    return { items, total: items.length };
  },
});

function year() {
  return z.string().regex(/^\d{4}$/, { error: "must be a year of four digits, such as 2023" });
}

/** The filters have the same names upstream, where all texts are in capitals. */
function toQuery(input: Record<string, string | undefined>): Record<string, string> {
  const filters = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.toUpperCase()] as const],
  );
  return { ...Object.fromEntries(filters), format: "JSON" };
}

function toItem(found: Row) {
  return {
    commodity: found.commodity_desc,
    year: found.year,
    state: found.state_name,
    county: found.county_name,
    category: found.statisticcat_desc,
    dataItem: found.short_desc,
    // A code in brackets stands for a missing figure.
    value: toNumber(found.Value),
    valueRaw: found.Value,
    unit: found.unit_desc,
    referencePeriod: found.reference_period_desc,
    frequency: found.freq_desc,
    source: found.source_desc,
    domain: found.domain_desc,
    domainCategory: found.domaincat_desc,
  };
}

const newestFirst = (a: { year: number | null }, b: { year: number | null }) => (b.year ?? 0) - (a.year ?? 0);
