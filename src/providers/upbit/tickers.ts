/** Prices in won, from Upbit and exchanges with the same API. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { SECOND_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { identifiedRows, number, unixTime } from "../../upstream/fields.js";

const ticker = lazySchema(() =>
  z.object({
    market: z.string(),
    trade_price: z.number().positive(),
    acc_trade_price_24h: number(),
    timestamp: unixTime("ms"),
  }),
);
export type WonTicker = z.output<ReturnType<typeof ticker>>;

/** The last trades of `symbols` against the won, by symbol; without untraded ones. */
export async function readWonTickers(
  ctx: Context,
  exchange: Provider,
  symbols: readonly string[],
): Promise<Map<string, WonTicker>> {
  const answered = await askFor(ctx, exchange, symbols);
  // One unknown market fails the whole list, so each is then requested alone.
  const tickers =
    answered ??
    (symbols.length > 1 ? (await Promise.all(symbols.map((one) => askFor(ctx, exchange, [one])))).flat() : []);
  return new Map(tickers.flatMap((ticker) => (ticker ? [[ticker.market.replace(/^KRW-/, ""), ticker]] : [])));
}

function askFor(ctx: Context, exchange: Provider, symbols: readonly string[]): Promise<WonTicker[] | undefined> {
  return upstream(ctx, exchange).get("/ticker", {
    query: { markets: symbols.map((symbol) => `KRW-${symbol}`).join(",") },
    schema: identifiedRows(ticker(), ["market"]),
    absent: [404],
    ttlMs: 15 * SECOND_MS,
  });
}
