import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { currencyCode, isoDate, lazySchema } from "../../capability/fields.js";
import { legacyRead, type Source, sourceSchema } from "../../capability/output.js";
import { sourceOf } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { ecb } from "../../providers/ecb/provider.js";
import { type CurrencyPair, ecbRate, type ReferenceRate } from "../../providers/ecb/rates.js";
import { frankfurter } from "../../providers/frankfurter/provider.js";
import { segments, upstream } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";

const FIRST_DAY = "1999-01-04";

const rates = lazySchema(() =>
  z.object({
    date: z.string(),
    rates: z.record(z.string(), z.number()).transform((byCode) => new Map(Object.entries(byCode))),
  }),
);

export const convertCurrency = /* @__PURE__ */ defineCapability({
  id: "convert.currency",
  summary: "Convert an amount between major currencies at the ECB's daily reference rate, today's or a past day's.",
  keywords: ["exchange rate", "forex", "fx", "usd to eur", "dollar", "euro", "historical rates", "money"],
  price: "0.00144",
  provider: frankfurter,
  origins: [frankfurter, ecb],
  input: () =>
    z.strictObject({
      from: currencyCode().describe("ISO 4217 code of the currency to convert from"),
      to: currencyCode().describe("ISO 4217 code of the currency to convert to"),
      amount: z.number().positive().default(1).describe("How much to convert"),
      date: isoDate()
        .optional()
        .describe(
          `The day of the rate, ${FIRST_DAY} or later. Weekends use the last business day. Left out: the latest`,
        ),
    }),
  output: legacyRead(() =>
    z.object({
      from: z.string(),
      to: z.string(),
      amount: z.number(),
      rate: z.number().describe("What one unit of `from` is worth in `to`"),
      result: z.number(),
      date: z.string().describe("The day that the rate was set"),
      requestedDate: z.string().nullable(),
      source: sourceSchema(),
    }),
  ),
  example: { from: "USD", to: "CAD", amount: 10 },
  live: { freshDays: 6 },
  check({ date }, ctx) {
    if (date && date < FIRST_DAY) throw invalid("date", `must be ${FIRST_DAY} or later: there are no earlier rates`);
    if (date && date > today(ctx)) throw invalid("date", "must not be in the future");
  },
  async run({ amount, date, ...pair }, ctx) {
    const found = await findRate(ctx, pair, date);
    const result = Number((amount * found.rate).toPrecision(12));
    if (!Number.isFinite(result)) throw invalid("amount", "is too large to be converted");
    return { ...pair, amount, ...found, result, requestedDate: date ?? null };
  },
});

interface SourcedRate extends ReferenceRate {
  source: Source;
}

async function findRate(ctx: Context, pair: CurrencyPair, date: string | undefined): Promise<SourcedRate> {
  // The service refuses a currency against itself.
  if (pair.from === pair.to) return { rate: 1, date: lastWorkday(date ?? today(ctx)), source: sourceOf(frankfurter) };
  // The bank publishes the figures itself, so it may be asked if the service limits requests.
  return failover(
    async () => ({ ...(await frankfurterRate(ctx, pair, date)), source: sourceOf(frankfurter) }),
    async () => ({ ...(await ecbRate(ctx, pair, date ?? today(ctx))), source: sourceOf(ecb) }),
    { whenBusy: true },
  );
}

/** Without the amount, because the service would round the product. */
async function frankfurterRate(ctx: Context, pair: CurrencyPair, date: string | undefined): Promise<ReferenceRate> {
  const { from, to } = pair;
  const answer = await upstream(ctx, frankfurter).get(segments(date ?? "latest"), {
    query: { base: from, symbols: to },
    schema: rates(),
    absent: [404],
    ttlMs: isSettled(ctx, date) ? 30 * DAY_MS : HOUR_MS,
  });
  const rate = answer?.rates.get(to);
  if (!answer || rate === undefined)
    throw new CapabilityError(
      "NOT_FOUND",
      `No reference rate from ${from} to ${to}${date ? ` on ${date}` : ""} was published.`,
    );
  return { rate, date: answer.date };
}

/** A recent day may still get its rate. */
const isSettled = (ctx: Context, date: string | undefined) =>
  date !== undefined && ctx.clock().getTime() - Date.parse(date) > 3 * DAY_MS;

const today = (ctx: Pick<Context, "clock">) => ctx.clock().toISOString().slice(0, 10);

function lastWorkday(date: string): string {
  const day = new Date(date);
  const past = [2, 0, 0, 0, 0, 0, 1][day.getUTCDay()] ?? 0;
  return new Date(day.getTime() - past * DAY_MS).toISOString().slice(0, 10);
}
