import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { one } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { exact } from "../../../lib/exact.js";
import { readStats, readTicker } from "../../../providers/coinbase/products.js";
import { coinbase } from "../../../providers/coinbase/provider.js";
import { optional } from "../../../upstream/optional.js";
import { pair } from "./_pair.js";

const figure = () => z.number().nullable();

export const cryptoCexTicker = /* @__PURE__ */ defineCapability({
  id: "crypto.cex-ticker",
  summary: "Live price of a pair on a large exchange, with bid, ask and the last 24 hours: open, high, low, volume.",
  keywords: ["bitcoin price", "spot price", "exchange", "quote", "btc-usd", "coinbase", "24h change"],
  price: "0.00144",
  provider: coinbase,
  input: () => z.strictObject({ pair: pair().describe("The market, such as BTC-USD or ETH-EUR") }),
  output: one(() =>
    z.object({
      pair: z.string(),
      price: z.number().describe("Of the last trade, in the quote currency, as the other prices"),
      bid: figure(),
      ask: figure(),
      open24h: figure(),
      high24h: figure(),
      low24h: figure(),
      change24h: figure().describe("In the quote currency"),
      changePct24h: figure(),
      volume24h: figure().describe("In the base currency"),
      volume30d: figure().describe("In the base currency"),
      tradeId: figure(),
      time: z.string().nullable().describe("Of the last trade"),
    }),
  ),
  example: { pair: "BTC-USD" },
  live: { freshDays: 2 },
  async run({ pair }, ctx) {
    let partial = false;
    const [ticker, stats] = await Promise.all([
      readTicker(ctx, pair),
      optional(readStats(ctx, pair), undefined, () => {
        partial = true;
      }),
    ]);
    if (!ticker) throw new CapabilityError("NOT_FOUND", "Coinbase does not trade this pair.");
    const { price, bid, ask, trade_id, time, volume } = ticker;
    const item = {
      pair,
      price,
      bid,
      ask,
      open24h: stats?.open ?? null,
      high24h: stats?.high ?? null,
      low24h: stats?.low ?? null,
      change24h: stats ? exact(price - stats.open) : null,
      changePct24h: stats && stats.open > 0 ? exact((price / stats.open - 1) * 100) : null,
      volume24h: stats?.volume ?? volume,
      volume30d: stats?.volume_30day ?? null,
      tradeId: trade_id,
      time,
    };
    return partial ? { item, meta: { partial } } : { item };
  },
});
