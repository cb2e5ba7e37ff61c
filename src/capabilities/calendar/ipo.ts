import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDate } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { toDay, toIso } from "../../engines/holidays/days.js";
import { daysFrom } from "../../lib/time.js";
import { finnhubIpos, type IpoRow } from "../../providers/finnhub/calendars.js";
import { finnhub } from "../../providers/finnhub/provider.js";
import { nasdaqIpos } from "../../providers/nasdaq/calendars.js";
import { checkWindow, marketOrigins, readMarket } from "./_market.js";

const DEFAULT_DAYS_BACK = 15;
const DEFAULT_DAYS_AHEAD = 30;

export const calendarIpo = /* @__PURE__ */ defineCapability({
  id: "calendar.ipo",
  summary:
    "Initial public offerings that are expected, priced, filed or withdrawn: date, price, shares, value, exchange.",
  keywords: ["ipo", "initial public offering", "listing", "new stocks", "going public", "pricing", "spac", "exchange"],
  price: "0.001",
  provider: finnhub,
  origins: marketOrigins,
  source: {
    provider: finnhub.name,
    url: "https://finnhub.io/docs/api/ipo-calendar",
    license: "Finnhub API terms (personal or internal use; redistribution needs a plan)",
  },
  input: () =>
    z.strictObject({
      from: isoDate().optional().describe(`First day. Left out: ${DEFAULT_DAYS_BACK} days ago`),
      to: isoDate().optional().describe(`Last day. Left out: ${DEFAULT_DAYS_AHEAD} days from now`),
    }),
  output: rows(() =>
    z.object({
      date: z.string(),
      ticker: z.string().nullable(),
      name: z.string(),
      exchange: z.string().nullable(),
      status: z.string().nullable().describe("expected, priced, filed or withdrawn"),
      price: z.string().nullable().describe("US dollars a share as given: one price, or a range such as 16.00-18.00"),
      priceLow: z.number().nullable(),
      priceHigh: z.number().nullable(),
      shares: z.number().nullable().describe("Shares offered"),
      totalValue: z.number().nullable().describe("US dollars"),
    }),
  ),
  example: { from: "2026-01-01", to: "2026-01-31" },
  live: { input: (now) => ({ from: daysFrom(now, -60), to: daysFrom(now, 0) }) },
  read({ from, to }, ctx) {
    const today = toDay(ctx.clock().toISOString().slice(0, 10));
    return checkWindow({ from: from ?? toIso(today - DEFAULT_DAYS_BACK), to: to ?? toIso(today + DEFAULT_DAYS_AHEAD) });
  },
  async run(window, ctx) {
    const { answer, source } = await readMarket<IpoRow[]>(ctx, {
      finnhub: () => finnhubIpos(ctx, window),
      nasdaq: nasdaqIpos(ctx, window),
    });
    const items = answer.map(toItem);
    return { items, total: items.length, meta: { ...window }, ...(source ? { source } : {}) };
  },
});

function toItem(row: IpoRow) {
  const [, low, high] = /^\$?(\d+(?:\.\d+)?)(?:\s*-\s*\$?(\d+(?:\.\d+)?))?$/.exec(row.price ?? "") ?? [];
  return {
    date: row.date,
    ticker: row.symbol,
    name: row.name,
    exchange: row.exchange,
    status: row.status?.toLowerCase() ?? null,
    price: row.price,
    priceLow: low ? Number(low) : null,
    priceHigh: low ? Number(high ?? low) : null,
    shares: row.numberOfShares,
    totalValue: row.totalSharesValue,
  };
}
