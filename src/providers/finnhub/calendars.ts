/** Finnhub's calendars of earnings and of initial public offerings. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { type DayRange, toDay, toIso } from "../../engines/holidays/days.js";
import { readInGroups } from "../../lib/in-groups.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows, label, number, rowsInPlace, whole } from "../../upstream/fields.js";
import { finnhub } from "./provider.js";

const KEPT = { ttlMs: HOUR_MS, staleMs: DAY_MS };
const SLICE_DAYS = 3;
/** Answers are silently truncated near this number of rows, at the near end. */
const MAX_ROWS = 1500;

const earnings = lazySchema(() =>
  whole({
    date: z.string(),
    symbol: z.string(),
    year: number(),
    quarter: number(),
    hour: label(),
    epsEstimate: number(),
    epsActual: number(),
    revenueEstimate: number(),
    revenueActual: number(),
  }),
);
export type EarningsRow = z.output<ReturnType<typeof earnings>>;

export interface EarningsAnswer {
  rows: EarningsRow[];
  /** Whether rows may be missing. */
  truncated: boolean;
}

const ipo = lazySchema(() =>
  whole({
    date: z.string(),
    name: z.string(),
    status: label(),
    symbol: label(),
    exchange: label(),
    price: label(),
    numberOfShares: number(),
    totalSharesValue: number(),
  }),
);
export type IpoRow = z.output<ReturnType<typeof ipo>>;

/** Reports of one company, or of all, which are read in slices of three days because of the limit of rows. */
export async function finnhubEarnings(
  ctx: Context,
  window: DayRange,
  ticker: string | undefined,
): Promise<EarningsAnswer> {
  const windows = ticker === undefined ? slicesOf(window) : [window];
  const slices = await readInGroups(windows, async ({ from, to }) => {
    const answer = await upstream(ctx, finnhub).get("/calendar/earnings", {
      query: { from, to, symbol: ticker },
      schema: z.object({ earningsCalendar: rowsInPlace(earnings(), ["symbol", "date"]) }),
      ...KEPT,
    });
    return answer.earningsCalendar;
  });
  const rows = slices.flat().filter((row) => row !== null);
  return { rows, truncated: slices.some((slice) => slice.length >= MAX_ROWS) };
}

/** Newest first. */
export async function finnhubIpos(ctx: Context, { from, to }: DayRange): Promise<IpoRow[]> {
  const { ipoCalendar } = await upstream(ctx, finnhub).get("/calendar/ipo", {
    query: { from, to },
    schema: z.object({ ipoCalendar: identifiedRows(ipo(), ["name", "date"]) }),
    ...KEPT,
  });
  return ipoCalendar;
}

function slicesOf({ from, to }: DayRange): DayRange[] {
  const [first, last] = [toDay(from), toDay(to)];
  return Array.from({ length: Math.ceil((last - first + 1) / SLICE_DAYS) }, (_, index) => {
    const start = first + index * SLICE_DAYS;
    return { from: toIso(start), to: toIso(Math.min(start + SLICE_DAYS - 1, last)) };
  });
}
