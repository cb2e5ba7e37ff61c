/** Traded pairs on Coinbase's exchange, such as BTC-USD. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS, SECOND_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";
import { figure, identifiedRows, instant, number, unixTime, whole } from "../../upstream/fields.js";
import { coinbase, coinbaseAdvanced } from "./provider.js";

const ticker = lazySchema(() =>
  whole({ price: figure(), bid: number(), ask: number(), volume: number(), trade_id: number(), time: instant() }),
);
type Ticker = z.output<ReturnType<typeof ticker>>;

/** The last trade, and the best offers of this moment. Undefined for a pair that is not traded. */
export function readTicker(ctx: Context, pair: string): Promise<Ticker | undefined> {
  return upstream(ctx, coinbase).get(segments("products", pair, "ticker"), {
    schema: ticker(),
    absent: [404],
    ttlMs: 5 * SECOND_MS,
  });
}

const stats = lazySchema(() =>
  whole({ open: figure(), high: number(), low: number(), volume: number(), volume_30day: number() }),
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

/** The names of the newer API for bars of so many seconds. */
const GRANULARITIES = {
  60: "ONE_MINUTE",
  300: "FIVE_MINUTE",
  900: "FIFTEEN_MINUTE",
  3600: "ONE_HOUR",
  21600: "SIX_HOUR",
  86400: "ONE_DAY",
} as const;
export type BarSeconds = keyof typeof GRANULARITIES;

const MAX_BARS = 300;

// Time, low, high, open, close, volume.
const candles = lazySchema(() =>
  identifiedRows(
    z
      .tuple([unixTime("s"), figure(), figure(), figure(), figure(), figure()])
      .transform(([time, low, high, open, close, volume]) => ({ time, open, high, low, close, volume })),
    [],
  ),
);
export type Candle = z.output<ReturnType<typeof candles>>[number];

const namedCandles = lazySchema(() =>
  z
    .object({
      candles: identifiedRows(
        z
          .object({
            start: unixTime("s"),
            open: figure(),
            high: figure(),
            low: figure(),
            close: figure(),
            volume: figure(),
          })
          .transform(({ start: time, ...bar }) => ({ time, ...bar })),
        ["start"],
      ),
    })
    .transform(({ candles }) => candles),
);

/** The newest bars of `seconds` each, 300 at most and in no order. Undefined for a pair that is not traded. */
export function readCandles(ctx: Context, pair: string, seconds: BarSeconds): Promise<Candle[] | undefined> {
  const kept = { absent: [404], ttlMs: Math.min((seconds * SECOND_MS) / 4, MINUTE_MS) };
  const path = segments("products", pair, "candles");
  return failover(
    () => upstream(ctx, coinbase).get(path, { query: { granularity: seconds }, schema: candles(), ...kept }),
    () => {
      // The API needs a time range. Uses the end of the current bar, so that equal requests stay equal.
      const end = Math.ceil(ctx.clock().getTime() / SECOND_MS / seconds) * seconds;
      const query = { granularity: GRANULARITIES[seconds], start: end - MAX_BARS * seconds, end };
      return upstream(ctx, coinbaseAdvanced).get(path, { query, schema: namedCandles(), ...kept });
    },
    { whenBusy: true },
  );
}
