import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { codeList, lazySchema } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { openZone } from "../../lib/time-zone.js";
import { bls } from "../../providers/bls/provider.js";
import { upstream } from "../../upstream/client.js";
import { flag, identifiedRows, label, labels, list, toNumber, whole, wholeOrNone } from "../../upstream/fields.js";

const MAX_SERIES = 10;
const MAX_YEARS = 10;
const SECONDS_PER_DAY = 24 * 3600;

/** Every scalar is text; empty footnotes are empty objects. */
const observation = lazySchema(() =>
  whole(
    {
      year: z.string(),
      period: z.string(),
      value: z.string(),
      periodName: label(),
      footnotes: list(wholeOrNone({ code: label(), text: label() })),
    },
    { latest: flag() },
  ),
);
type Observation = z.output<ReturnType<typeof observation>>;

const answer = lazySchema(() =>
  z.object({
    message: labels(),
    Results: z.object({
      series: z.array(z.object({ seriesID: z.string(), data: identifiedRows(observation(), ["year", "period"]) })),
    }),
  }),
);

export const blsSeries = /* @__PURE__ */ defineCapability({
  id: "bls.series",
  summary: "Observations of US labor statistics by series: unemployment, inflation (CPI), prices, wages, employment.",
  keywords: [
    "bls",
    "cpi",
    "consumer price index",
    "inflation",
    "unemployment rate",
    "jobs",
    "payrolls",
    "wages",
    "labor",
    "ppi",
    "time series",
  ],
  price: "0.0012",
  provider: bls,
  input: () =>
    z.strictObject({
      seriesIds: codeList({
        pattern: /^[A-Z0-9#_-]{1,60}$/,
        what: "series ids of letters, digits, #, _ and -",
        max: MAX_SERIES,
        minLength: 4,
        maxLength: 400,
      }).describe(`1 to ${MAX_SERIES} series ids with commas between them, such as LNS14000000,CUUR0000SA0`),
      startYear: z.int().min(1900).max(2100).optional().describe("First year. Left out: the last three years"),
      endYear: z.int().min(1900).max(2100).optional().describe("Last year; at most 10 years are given at once"),
    }),
  output: rows(() =>
    z.object({
      seriesId: z.string(),
      year: z.number(),
      period: z.string().describe("M01 to M12, Q01 to Q04, S01, S02 or A01"),
      periodName: z.string().nullable(),
      value: z.string().describe("As published; - for a missing figure"),
      numericValue: z.number().nullable(),
      latest: z.boolean().describe("Whether it is the newest of its series"),
      footnotes: z.array(z.object({ code: z.string().nullable(), text: z.string().nullable() })),
    }),
  ),
  example: { seriesIds: "LNS14000000", startYear: 2024, endYear: 2025 },
  live: {
    input: (now) => ({ seriesIds: "LNS14000000", startYear: now.getUTCFullYear() - 1, endYear: now.getUTCFullYear() }),
  },
  read: ({ seriesIds: ids, ...years }, ctx) => ({ ids, years: readYears(years, ctx.clock().getUTCFullYear()) }),
  async run({ ids, years }, ctx) {
    const found = await upstream(ctx, bls)
      .ask("/timeseries/data/", {
        // Sorted, so that equal requests share an answer.
        body: { seriesid: ids.toSorted(), ...years },
        schema: answer(),
        ttlMs: 6 * HOUR_MS,
        staleMs: 7 * DAY_MS,
      })
      .catch(async (error: unknown) => {
        throw await untilMidnight(error, ctx.clock());
      });
    const messages = found.message;
    const series = ids.map((seriesId) => {
      const data = found.Results.series.find(({ seriesID }) => seriesID === seriesId)?.data ?? [];
      return { seriesId, data, found: data.length > 0 || !isUnknown(seriesId, messages) };
    });
    if (!series.some((one) => one.found))
      throw new CapabilityError("NOT_FOUND", `BLS has no series ${ids.join(", ")}: check the spelling of each id.`);
    const items = series.flatMap(({ seriesId, data }) => data.map((row) => toItem(seriesId, row)));
    const counts = series.map(({ seriesId, data, found }) => ({ seriesId, count: data.length, found }));
    return { items, total: items.length, meta: { series: counts, messages } };
  },
});

/** The years to request: none for the last three, which is BLS's default. */
function readYears(years: { startYear?: number | undefined; endYear?: number | undefined }, thisYear: number) {
  if (years.startYear === undefined && years.endYear === undefined) return {};
  const start = years.startYear ?? (years.endYear ?? thisYear) - 2;
  const end = years.endYear ?? Math.max(start, Math.min(start + MAX_YEARS - 1, thisYear));
  if (end < start) throw invalid("endYear", "must not be before startYear");
  if (end - start >= MAX_YEARS) throw invalid("endYear", `must be less than ${MAX_YEARS} years after startYear`);
  return { startyear: String(start), endyear: String(end) };
}

/** A request succeeds with a remark about each unknown series. */
function isUnknown(seriesId: string, messages: string[]): boolean {
  return messages.some(
    (text) => /does not exist|invalid series/i.test(text) && text.split(/[\s.,:]+/).includes(seriesId),
  );
}

function toItem(seriesId: string, row: Observation) {
  return {
    seriesId,
    year: Number(row.year),
    period: row.period,
    periodName: row.periodName,
    value: row.value,
    // A dash or a blank stands for a missing figure.
    numericValue: toNumber(row.value),
    latest: row.latest ?? false,
    footnotes: row.footnotes.filter(({ code, text }) => code ?? text),
  };
}

/** An exhausted allowance is renewed at midnight in Washington. */
async function untilMidnight(error: unknown, now: Date): Promise<unknown> {
  if (!CapabilityError.is(error) || error.code !== "UPSTREAM_RATE_LIMIT" || error.retryAfter !== undefined)
    return error;
  const zone = await openZone("America/New_York");
  const seconds = Math.floor((now.getTime() + zone.offsetAt(now.getTime())) / 1000) % SECONDS_PER_DAY;
  return new CapabilityError(error.code, error.message, {
    retryAfter: SECONDS_PER_DAY - seconds,
  });
}
