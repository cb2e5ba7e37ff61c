import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { someOf } from "../../capability/facts.js";
import { lazySchema, text } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { usState } from "../../lib/facts/us-states.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { usdm } from "../../providers/usdm/provider.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows, number, toIsoDay, usDay } from "../../upstream/fields.js";

const LEVELS = ["d0", "d1", "d2", "d3", "d4"] as const;

/** The service marks missing figures as "" or -99. */
const percent = () => number().transform((value) => (value !== null && value < 0 ? null : value));
/** JSON and CSV differ in the case of names and in the format of days. */
const week = lazySchema(() =>
  z.preprocess(
    (row) => Object.fromEntries(Object.entries(Object(row)).map(([name, value]) => [name.toLowerCase(), value])),
    z.object({
      // 2026-09-15T00:00:00, 20260915 as text or number, 9/15/2026.
      mapdate: z.union([z.string(), z.number()]).transform((day) => toIsoDay(`${day}`) ?? usDay().parse(`${day}`)),
      none: percent(),
      d0: percent(),
      d1: percent(),
      d2: percent(),
      d3: percent(),
      d4: percent(),
    }),
  ),
);
type Week = z.output<ReturnType<typeof week>>;

const share = () => z.number().nullable().describe("Percent of the area");

export const agricultureDrought = /* @__PURE__ */ defineCapability({
  id: "agriculture.drought",
  summary: "Weekly percent of a US county's or state's area in each drought category, newest week first.",
  keywords: ["drought monitor", "dry", "usda", "farming", "water shortage", "d4", "county", "weather"],
  price: "0.001",
  provider: usdm,
  input: () =>
    z.strictObject({
      area: text(2, 5).describe("5-digit county FIPS code or 2-letter state code"),
      weeks: z.int().min(1).max(260).default(52).describe("How many weeks to return"),
    }),
  output: rows(() =>
    z.object({
      date: z.string().nullable(),
      none: share(),
      d0: share(),
      d1: share(),
      d2: share(),
      d3: share(),
      d4: share(),
      worst: z.enum(["None", "D0", "D1", "D2", "D3", "D4"]).nullable(),
    }),
  ),
  facts: someOf("none", "d0", "d1", "d2", "d3", "d4"),
  example: { area: "CA", weeks: 4 },
  live: { freshDays: 14 },
  read: ({ area, weeks }) => ({ area: areaOf(area), weeks }),
  async run({ area: { kind, aoi, name }, weeks }, ctx) {
    const today = ctx.clock();
    const answer = await upstream(ctx, usdm).get(`/${kind}Statistics/GetDroughtSeverityStatisticsByAreaPercent`, {
      query: {
        aoi,
        startdate: usDate(new Date(today.getTime() - (weeks * 7 + 7) * DAY_MS)),
        enddate: usDate(today),
        // Cumulative: D0 counts everything that is at least abnormally dry.
        statisticsType: 1,
      },
      schema: identifiedRows(week(), []),
      format: "table",
      ttlMs: 6 * HOUR_MS,
      staleMs: 7 * DAY_MS,
    });
    const items = answer.map(toItem).sort(newestFirst).slice(0, weeks);
    const areaType = kind === "County" ? "county" : "state";
    return { items, total: items.length, meta: { area: name, areaType, statistics: "cumulative" } };
  },
});

function areaOf(area: string): { kind: "County" | "State"; aoi: string; name: string } {
  if (/^\d{5}$/.test(area)) return { kind: "County", aoi: area, name: area };
  const state = usState(area);
  if (!state || state.islandArea)
    throw invalid("area", "must be a 5-digit county FIPS code, such as 48201, or a 2-letter state code, such as CA");
  return { kind: "State", aoi: state.fips, name: state.postalCode };
}

/** M/D/YYYY, in UTC. */
const usDate = (date: Date) => `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`;

function toItem({ mapdate, ...figures }: Week) {
  const worst = LEVELS.findLast((level) => (figures[level] ?? 0) > 0);
  return {
    date: mapdate,
    ...figures,
    worst: worst ? (worst.toUpperCase() as "D0") : figures.none === null ? null : ("None" as const),
  };
}

const newestFirst = (a: { date: string | null }, b: { date: string | null }) =>
  (b.date ?? "").localeCompare(a.date ?? "");
