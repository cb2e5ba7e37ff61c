/** Pairs that are traded on Coinbase's exchange, such as BTC-USD. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS, SECOND_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { figure, instant, number, unixTime } from "../../upstream/fields.js";
import { coinbase } from "./index.js";

const ticker = lazySchema(() =>
  z.object({ price: figure(), bid: number(), ask: number(), volume: number(), trade_id: number(), time: instant() }),
);
export type Ticker = z.output<ReturnType<typeof ticker>>;

/** The last trade, and the best offers of this moment. Undefined for a pair that is not traded. */
export function readTicker(ctx: Context, pair: string): Promise<Ticker | undefined> {
  return upstream(ctx, coinbase).get(segments("products", pair, "ticker"), {
    schema: ticker(),
    absent: [404],
    ttlMs: 5 * SECOND_MS,
  });
}

const stats = lazySchema(() =>
  z.object({ open: figure(), high: number(), low: number(), volume: number(), volume_30day: number() }),
);
export type Stats = z.output<ReturnType<typeof stats>>;

/** The last 24 hours of a pair. Undefined for one that is not traded. */
export function readStats(ctx: Context, pair: string): Promise<Stats | undefined> {
  return upstream(ctx, coinbase).get(segments("products", pair, "stats"), {
    schema: stats(),
    absent: [404],
    ttlMs: 5 * SECOND_MS,
  });
}

// Time, low, high, open, close, volume.
const candles = lazySchema(() => z.array(z.tuple([unixTime("s"), figure(), figure(), figure(), figure(), figure()])));
export type Candle = z.output<ReturnType<typeof candles>>[number];

/** The newest 300 bars at most, of `seconds` each. Undefined for a pair that is not traded. */
export function readCandles(ctx: Context, pair: string, seconds: number): Promise<Candle[] | undefined> {
  return upstream(ctx, coinbase).get(segments("products", pair, "candles"), {
    query: { granularity: seconds },
    schema: candles(),
    absent: [404],
    ttlMs: Math.min((seconds * SECOND_MS) / 4, MINUTE_MS),
  });
}
