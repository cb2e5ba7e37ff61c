/** Nasdaq's calendars in Finnhub's shape, without revenue and fiscal quarters. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { type DayRange, toDay, toIso } from "../../engines/holidays/days.js";
import { readInGroups } from "../../lib/in-groups.js";
import { HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { amount, identifiedRows, label, usDay, whole } from "../../upstream/fields.js";
import { nasdaq } from "./provider.js";

/** One request for each day of earnings, and for each month of offerings. */
const MAX_DAYS = 31;
const MAX_MONTHS = 12;

const TIMES_OF_DAY = new Map([
  ["time-pre-market", "bmo"],
  ["time-after-hours", "amc"],
]);

const report = lazySchema(() =>
  // Only past days have reported figures.
  whole({ symbol: z.string(), time: label(), epsForecast: amount() }, { eps: amount() }),
);

const offer = () => ({
  companyName: z.string(),
  proposedTickerSymbol: label(),
  proposedExchange: label(),
  proposedSharePrice: label(),
  sharesOffered: amount(),
  dollarValueOfSharesOffered: amount(),
});
type Deal = z.output<z.ZodObject<ReturnType<typeof offer>>>;

/** Upcoming offerings have every field, past ones only some. Rows are never null. */
const upcoming = lazySchema(() =>
  tableOf(identifiedRows(whole({ ...offer(), expectedPriceDate: usDay() }), ["companyName"])),
);
const past = <Day extends string>(day: Day) =>
  tableOf(
    identifiedRows(
      z.object({ ...offer(), [day]: usDay() } as ReturnType<typeof offer> & Record<Day, ReturnType<typeof usDay>>),
      ["companyName"],
      [day],
      1,
    ),
  );
const tableOf = <Rows extends z.ZodType>(rows: Rows) => whole({ rows: rows.nullable() }).nullable();

/** Undefined for more days than the limit. */
export function nasdaqEarnings(ctx: Context, { from, to }: DayRange, ticker: string | undefined) {
  const [first, last] = [toDay(from), toDay(to)];
  if (last - first >= MAX_DAYS) return undefined;
  const days = Array.from({ length: last - first + 1 }, (_, index) => toIso(first + index));
  return async () => {
    const found = await readInGroups(days, (date) => earningsOn(ctx, date));
    const rows = found.flat().filter(({ symbol }) => ticker === undefined || symbol === ticker);
    return { rows, truncated: false };
  };
}

async function earningsOn(ctx: Context, date: string) {
  const { data } = await upstream(ctx, nasdaq).get("/calendar/earnings", {
    query: { date },
    schema: z.object({ data: whole({ rows: identifiedRows(report(), ["symbol"]).nullable() }) }),
    ttlMs: HOUR_MS,
  });
  return (data.rows ?? []).map(({ symbol, time, epsForecast, eps }) => ({
    date,
    symbol,
    year: null,
    quarter: null,
    hour: TIMES_OF_DAY.get(time ?? "") ?? null,
    epsEstimate: epsForecast,
    epsActual: eps,
    revenueEstimate: null,
    revenueActual: null,
  }));
}

/** Undefined for more months than the limit. Newest first. */
export function nasdaqIpos(ctx: Context, window: DayRange) {
  const months = monthsOf(window);
  if (months.length > MAX_MONTHS) return undefined;
  return async () => {
    const found = await readInGroups(months, (month) => iposIn(ctx, month));
    return found
      .flat()
      .filter(({ date }) => date >= window.from && date <= window.to)
      .sort((a, b) => b.date.localeCompare(a.date));
  };
}

const hasSection = (data: unknown): boolean =>
  ["priced", "upcoming", "filed", "withdrawn"].some((name) => Object.hasOwn(Object(data), name));

async function iposIn(ctx: Context, month: string) {
  const { data } = await upstream(ctx, nasdaq).get("/ipo/calendar", {
    query: { date: month },
    schema: z.object({
      data: z
        .unknown()
        .refine(hasSection, "has no section")
        .pipe(
          whole({
            priced: past("pricedDate"),
            upcoming: whole({ upcomingTable: upcoming() }).nullable(),
            filed: past("filedDate"),
            withdrawn: past("withdrawDate"),
          }),
        ),
    }),
    ttlMs: HOUR_MS,
  });
  return [
    ...(data.priced?.rows ?? []).flatMap((row) => toIpo(row, "priced", row.pricedDate)),
    ...(data.upcoming?.upcomingTable?.rows ?? []).flatMap((row) => toIpo(row, "expected", row.expectedPriceDate)),
    ...(data.filed?.rows ?? []).flatMap((row) => toIpo(row, "filed", row.filedDate)),
    ...(data.withdrawn?.rows ?? []).flatMap((row) => toIpo(row, "withdrawn", row.withdrawDate)),
  ];
}

/** Omits offerings without a date, which have no place in a calendar. */
const toIpo = (row: Deal, status: string, date: string | null) =>
  date === null
    ? []
    : [
        {
          date,
          name: row.companyName,
          status,
          symbol: row.proposedTickerSymbol,
          exchange: row.proposedExchange,
          price: row.proposedSharePrice,
          numberOfShares: row.sharesOffered,
          totalSharesValue: row.dollarValueOfSharesOffered,
        },
      ];

function monthsOf({ from, to }: DayRange): string[] {
  const first = monthNumber(from);
  return Array.from({ length: monthNumber(to) - first + 1 }, (_, index) => {
    const month = first + index;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
  });
}

/** Months since the year 0 for a day, YYYY-MM-DD. */
const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
