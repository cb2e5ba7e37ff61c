import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { ecb } from "./provider.js";

export interface CurrencyPair {
  from: string;
  to: string;
}

export interface ReferenceRate {
  /** Units of `to` for one unit of `from`. */
  rate: number;
  /** The day that the rate was set, YYYY-MM-DD. */
  date: string;
}

const observations = lazySchema(() =>
  z.array(z.object({ CURRENCY: z.string(), TIME_PERIOD: z.string(), OBS_VALUE: z.string() })),
);

/** Longer than any run of holidays on which no rate is set. */
const LOOK_BACK_DAYS = 10;

/**
 * The cross rate of two currencies on `date` (YYYY-MM-DD) or the last day before it that has both, from the bank's own
 * portal. Rejects with NOT_FOUND if there is none.
 */
export async function ecbRate(ctx: Context, { from, to }: CurrencyPair, date: string): Promise<ReferenceRate> {
  const currencies = [from, to].filter((currency) => currency !== "EUR");
  const rows = await upstream(ctx, ecb).get(`/data/EXR/D.${currencies.join("+")}.EUR.SP00.A`, {
    query: { format: "csvdata", startPeriod: daysBefore(date, LOOK_BACK_DAYS), endPeriod: date },
    schema: observations(),
    format: "csv",
    absent: [404],
    ttlMs: HOUR_MS,
  });
  const days = perEuroByDay(rows ?? []);
  const day = [...days.keys()].sort().findLast((key) => key <= date && currencies.every((c) => days.get(key)?.has(c)));
  const perEuro = (currency: string) => (currency === "EUR" ? 1 : days.get(day ?? "")?.get(currency));
  const [fromValue, toValue] = [perEuro(from), perEuro(to)];
  if (!day || !fromValue || !toValue)
    throw new CapabilityError("NOT_FOUND", `The European Central Bank has no rate from ${from} to ${to} by ${date}.`);
  return { rate: Number((toValue / fromValue).toPrecision(6)), date: day };
}

/** Units of each currency that one euro buys, by day. Days without a rate have an empty or "NaN" value. */
function perEuroByDay(rows: z.output<ReturnType<typeof observations>>): Map<string, Map<string, number>> {
  const days = new Map<string, Map<string, number>>();
  for (const { CURRENCY, TIME_PERIOD, OBS_VALUE } of rows) {
    const value = Number(OBS_VALUE);
    if (!(value > 0)) continue;
    const day = days.get(TIME_PERIOD) ?? new Map<string, number>();
    days.set(TIME_PERIOD, day.set(CURRENCY, value));
  }
  return days;
}

const daysBefore = (date: string, days: number) =>
  new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
