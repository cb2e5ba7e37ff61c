import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate, ticker } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { toDay, toIso } from "../../engines/holidays/days.js";
import { invalid } from "../../errors.js";
import { daysFrom } from "../../lib/time.js";
import { type EarningsAnswer, type EarningsRow, finnhubEarnings } from "../../providers/finnhub/calendars.js";
import { finnhub } from "../../providers/finnhub/provider.js";
import { nasdaqEarnings } from "../../providers/nasdaq/calendars.js";
import { checkWindow, marketOrigins, readMarket } from "./_market.js";

const DEFAULT_DAYS = 14;
/** Without a ticker, every three days are one of the sixty requests a minute that Finnhub allows. */
const MAX_DAYS = 93;
const TIMES_OF_DAY = ["bmo", "amc", "dmh"] as const;

export const calendarEarnings = /* @__PURE__ */ defineCapability({
  id: "calendar.earnings",
  summary: "When companies report earnings, with expected and actual EPS and revenue, and the time of day.",
  keywords: [
    "earnings calendar",
    "earnings date",
    "eps",
    "revenue",
    "quarterly results",
    "stocks",
    "surprise",
    "report",
  ],
  price: "0.001",
  provider: finnhub,
  origins: marketOrigins,
  source: {
    provider: finnhub.name,
    url: "https://finnhub.io/docs/api/earnings-calendar",
    license: "Finnhub API terms (personal or internal use; redistribution needs a plan)",
  },
  input: () =>
    z.strictObject({
      from: isoDate().optional().describe("First day. Left out: today"),
      to: isoDate()
        .optional()
        .describe(
          `Last day. Left out: ${DEFAULT_DAYS} days after from; without a ticker at most ${MAX_DAYS} days in all`,
        ),
      ticker: ticker().optional().describe("One company's ticker symbol, such as AAPL. Left out: every company"),
    }),
  output: rows(() =>
    z.object({
      date: z.string(),
      ticker: z.string(),
      fiscalYear: z.number().nullable(),
      fiscalQuarter: z.number().nullable(),
      timeOfDay: z.enum(TIMES_OF_DAY).nullable().describe("Before the market opens, after it closes, or during hours"),
      epsEstimate: z.number().nullable(),
      epsActual: z.number().nullable(),
      epsSurprise: z.number().nullable().describe("Actual less estimate"),
      revenueEstimate: z.number().nullable(),
      revenueActual: z.number().nullable(),
    }),
  ),
  example: { ticker: "AAPL", from: "2026-01-01", to: "2026-03-31" },
  live: { input: (now) => ({ ticker: "AAPL", from: daysFrom(now, -120), to: daysFrom(now, 0) }) },
  read({ from, to, ticker }, ctx) {
    const first = from ?? ctx.clock().toISOString().slice(0, 10);
    const window = checkWindow({ from: first, to: to ?? toIso(toDay(first) + DEFAULT_DAYS) });
    if (ticker === undefined && toDay(window.to) - toDay(window.from) >= MAX_DAYS)
      throw invalid("to", `must be less than ${MAX_DAYS} days after from, unless a ticker is given`);
    return { window, ticker };
  },
  async run({ window, ticker }, ctx) {
    const { answer, source } = await readMarket<EarningsAnswer>(ctx, {
      finnhub: () => finnhubEarnings(ctx, window, ticker),
      nasdaq: nasdaqEarnings(ctx, window, ticker),
    });
    const unique = new Map(answer.rows.map((row) => [`${row.date} ${row.symbol}`, toItem(row)]));
    const items = [...unique.values()].sort(byDate);
    const meta = { ...window, truncated: answer.truncated };
    return { items, total: items.length, meta, ...(source ? { source } : {}) };
  },
});

function toItem({ date, symbol, year, quarter, hour, ...figures }: EarningsRow) {
  const { epsEstimate, epsActual, revenueEstimate, revenueActual } = figures;
  return {
    date,
    ticker: symbol,
    fiscalYear: year,
    fiscalQuarter: quarter,
    timeOfDay: TIMES_OF_DAY.find((time) => time === hour) ?? null,
    epsEstimate,
    epsActual,
    epsSurprise: epsActual === null || epsEstimate === null ? null : Number((epsActual - epsEstimate).toFixed(6)),
    revenueEstimate,
    revenueActual,
  };
}

interface Dated {
  date: string;
  ticker: string;
}

const byDate = (a: Dated, b: Dated) => a.date.localeCompare(b.date) || a.ticker.localeCompare(b.ticker, "en");
