import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { lazySchema, limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError, invalid } from "../../../errors.js";
import { MINUTE_MS } from "../../../lib/time.js";
import { geckoTerminal, ONCHAIN_ORIGINS, readOnchain } from "../../../providers/geckoterminal/provider.js";
import { segments } from "../../../upstream/client.js";
import { figure, label, unixTime } from "../../../upstream/fields.js";
import { dexAddress, network } from "./_dex.js";

/** Allowed lengths of a bar in each unit, and how long bars are cached. */
const TIMEFRAMES = {
  day: { aggregates: [1], ttlMs: 30 * MINUTE_MS },
  hour: { aggregates: [1, 4, 12], ttlMs: 5 * MINUTE_MS },
  minute: { aggregates: [1, 5, 15], ttlMs: MINUTE_MS },
} as const;
const NAMES = ["day", "hour", "minute"] as const;

const token = () => z.object({ symbol: label(), address: label() }).nullish();
const answer = lazySchema(() =>
  z.object({
    data: z.object({
      attributes: z.object({
        // Time, open, high, low, close, volume.
        ohlcv_list: z.array(z.tuple([unixTime("s"), figure(), figure(), figure(), figure(), figure()])),
      }),
    }),
    meta: z.object({ base: token(), quote: token() }).nullish(),
  }),
);

export const cryptoDexOhlcv = /* @__PURE__ */ defineCapability({
  id: "crypto.dex-ohlcv",
  summary: "Price bars (open, high, low, close, volume) in US dollars of one pool of a decentralised exchange.",
  keywords: ["candles", "candlestick", "chart", "dex", "price history", "liquidity pool", "ohlc", "geckoterminal"],
  price: "0.00144",
  provider: geckoTerminal,
  origins: ONCHAIN_ORIGINS,
  input: () =>
    z.strictObject({
      network: network().describe("Id of the network as crypto.dex-networks lists it, such as eth, base or solana"),
      address: dexAddress().describe("The pool's address"),
      timeframe: z.enum(NAMES).default("day").describe("The unit of a bar. Days go back about 180"),
      aggregate: z
        .int()
        .min(1)
        .max(60)
        .default(1)
        .describe("How many units a bar spans: 1 day; 1, 4 or 12 hours; 1, 5 or 15 minutes"),
      limit: limit(100, 1000).describe("How many bars to return, the newest of all"),
    }),
  output: rows(() =>
    z.object({
      time: z.string().describe("The beginning of the bar. Spans without a trade have none"),
      open: z.number(),
      high: z.number(),
      low: z.number(),
      close: z.number(),
      volumeUsd: z.number(),
    }),
  ),
  example: { network: "eth", address: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640", timeframe: "hour", limit: 24 },
  live: { freshDays: 3 },
  check({ timeframe, aggregate }) {
    const aggregates: readonly number[] = TIMEFRAMES[timeframe].aggregates;
    if (!aggregates.includes(aggregate))
      throw invalid("aggregate", `must be ${aggregates.join(", ")} for a timeframe of ${timeframe}`);
  },
  async run({ network, address, timeframe, aggregate, limit }, ctx) {
    const path = segments("networks", network, "pools", address, "ohlcv", timeframe);
    const bars = await readOnchain(ctx, (client) =>
      client.get(path, {
        query: { aggregate, limit, currency: "usd" },
        schema: answer(),
        absent: [404],
        ttlMs: TIMEFRAMES[timeframe].ttlMs,
      }),
    );
    if (!bars) throw new CapabilityError("NOT_FOUND", "This network has no pool with this address.");
    // The newest bar may come twice: the last one counts.
    const byTime = new Map(bars.data.attributes.ohlcv_list.map((bar) => [bar[0], bar]));
    const items = [...byTime.values()]
      .map(([time, open, high, low, close, volumeUsd]) => ({ time, open, high, low, close, volumeUsd }))
      .sort((a, b) => a.time.localeCompare(b.time))
      .slice(-limit);
    const { base = null, quote = null } = bars.meta ?? {};
    return { items, total: items.length, meta: { network, address, timeframe, aggregate, base, quote } };
  },
});
