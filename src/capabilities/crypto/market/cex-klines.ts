import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { readCandles } from "../../../providers/coinbase/products.js";
import { coinbase } from "../../../providers/coinbase/provider.js";
import { pair } from "./_pair.js";

const INTERVALS = { "1m": 60, "5m": 300, "15m": 900, "1h": 3600, "6h": 21_600, "1d": 86_400 } as const;
const NAMES = ["1m", "5m", "15m", "1h", "6h", "1d"] as const satisfies readonly (keyof typeof INTERVALS)[];

export const cryptoCexKlines = /* @__PURE__ */ defineCapability({
  id: "crypto.cex-klines",
  summary: "Price bars (open, high, low, close, volume) of a pair on a large exchange, oldest first.",
  keywords: ["candles", "candlestick", "ohlcv", "chart", "price history", "exchange", "btc-usd", "coinbase"],
  price: "0.00144",
  provider: coinbase,
  input: () =>
    z.strictObject({
      pair: pair().describe("The market, such as BTC-USD or ETH-EUR"),
      interval: z.enum(NAMES).default("1h").describe("How long a bar is"),
      limit: limit(100, 300).describe("How many bars to return, the newest of all"),
    }),
  output: rows(() =>
    z.object({
      time: z
        .string()
        .describe("The beginning of the bar. Spans without a trade have none; the newest is not over yet"),
      open: z.number().describe("In the quote currency, as the other prices"),
      high: z.number(),
      low: z.number(),
      close: z.number(),
      volume: z.number().describe("In the base currency"),
    }),
  ),
  example: { pair: "BTC-USD", interval: "1h", limit: 24 },
  live: { freshDays: 2 },
  async run({ pair, interval, limit }, ctx) {
    const candles = await readCandles(ctx, pair, INTERVALS[interval]);
    if (!candles) throw new CapabilityError("NOT_FOUND", "Coinbase does not trade this pair.");
    const items = candles.toSorted((a, b) => a.time.localeCompare(b.time)).slice(-limit);
    return { items, total: items.length, meta: { pair, interval } };
  },
});
