import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { readChart } from "../../../providers/coingecko/coins.js";
import { coingecko } from "../../../providers/coingecko/provider.js";

export const cryptoCoinHistory = /* @__PURE__ */ defineCapability({
  id: "crypto.coin-history",
  summary: "Price, market cap and 24-hour volume of a cryptocurrency over time, oldest first, for up to a year.",
  keywords: ["historical price", "chart", "time series", "bitcoin", "token", "market cap history", "coingecko"],
  price: "0.00144",
  provider: coingecko,
  input: () =>
    z.strictObject({
      id: words(1, 80).toLowerCase().describe("CoinGecko's id of the coin, such as bitcoin; not its ticker symbol"),
      days: z
        .int()
        .min(1)
        .max(365)
        .default(7)
        .describe("How far back. The steps are 5 minutes for one day, hours for up to 90 days, else days"),
      vs: words(1, 10).toLowerCase().default("usd").describe("The currency of prices, such as usd, eur or btc"),
    }),
  output: rows(() =>
    z.object({
      time: z.string(),
      price: z.number().describe("In the currency `vs`, as the other figures"),
      marketCap: z.number().nullable(),
      volume: z.number().nullable().describe("Of the 24 hours before"),
    }),
  ),
  example: { id: "ethereum", days: 30 },
  live: { freshDays: 2 },
  async run(query, ctx) {
    const chart = await readChart(ctx, query);
    if (!chart) throw new CapabilityError("NOT_FOUND", "CoinGecko has no coin of this id. Ids are no ticker symbols.");
    const marketCaps = new Map(chart.market_caps);
    const volumes = new Map(chart.total_volumes);
    const items = [...new Map(chart.prices)]
      .flatMap(([time, price]) =>
        price === null
          ? []
          : [{ time, price, marketCap: marketCaps.get(time) ?? null, volume: volumes.get(time) ?? null }],
      )
      .sort((a, b) => a.time.localeCompare(b.time));
    return { items, total: items.length, meta: { ...query } };
  },
});
