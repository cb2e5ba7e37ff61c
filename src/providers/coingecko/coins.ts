/** Coins of CoinGecko by id, and the whole market. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS } from "../../lib/time.js";
import { segments, upstream } from "../../upstream/client.js";
import { day, figure, instant, label, labels, number, unixTime, whole, wholeOrNone } from "../../upstream/fields.js";
import { coingecko } from "./provider.js";

/** Entry of a map by currency, which is empty for a coin that is not traded; else it has dollars, under that name. */
const usd = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (map, { issues }) => {
      if (typeof map === "object" && map !== null && !("usd" in map) && Object.keys(map).length > 0)
        issues.push({ code: "custom", input: map, message: "usd is not among the currencies" });
      return map;
    },
    wholeOrNone({ usd: value }),
  );

const coin = lazySchema(() =>
  whole(
    {
      id: z.string(),
      symbol: z.string(),
      name: z.string(),
      // Coins with their own chain have one entry with an empty name.
      platforms: z.record(z.string(), label()).nullish(),
      block_time_in_minutes: number(),
      hashing_algorithm: label(),
      categories: labels(),
      description: wholeOrNone({ en: label() }),
      links: wholeOrNone({
        homepage: labels(),
        whitepaper: label(),
        blockchain_site: labels(),
        twitter_screen_name: label(),
        subreddit_url: label(),
        repos_url: wholeOrNone({ github: labels() }),
      }),
      image: wholeOrNone({ large: label() }),
      genesis_date: day(),
      market_cap_rank: number(),
      last_updated: instant(),
    },
    {
      // A coin that is not traded has none.
      market_data: wholeOrNone({
        current_price: usd(number()),
        market_cap: usd(number()),
        fully_diluted_valuation: usd(number()),
        total_volume: usd(number()),
        high_24h: usd(number()),
        low_24h: usd(number()),
        ath: usd(number()),
        ath_date: usd(instant()),
        ath_change_percentage: usd(number()),
        atl: usd(number()),
        atl_date: usd(instant()),
        price_change_percentage_24h: number(),
        price_change_percentage_7d: number(),
        price_change_percentage_30d: number(),
        price_change_percentage_1y: number(),
        circulating_supply: number(),
        total_supply: number(),
        max_supply: number(),
      }),
    },
  ),
);
export type Coin = z.output<ReturnType<typeof coin>>;

/** Undefined if no coin has this id. */
export function readCoin(ctx: Context, id: string): Promise<Coin | undefined> {
  return upstream(ctx, coingecko).get(segments("coins", id), {
    query: {
      localization: false,
      tickers: false,
      market_data: true,
      community_data: false,
      developer_data: false,
      sparkline: false,
    },
    schema: coin(),
    absent: [404],
    ttlMs: 2 * MINUTE_MS,
  });
}

const points = () => z.array(z.tuple([unixTime("ms"), number()]));
const chart = lazySchema(() => z.object({ prices: points(), market_caps: points(), total_volumes: points() }));
export type Chart = z.output<ReturnType<typeof chart>>;

export interface ChartQuery {
  id: string;
  days: number;
  vs: string;
}

/** Undefined if no coin has this id. Steps of 5 minutes for a day, hours up to 90 days, otherwise days. */
export function readChart(ctx: Context, { id, days, vs }: ChartQuery): Promise<Chart | undefined> {
  return upstream(ctx, coingecko).get(segments("coins", id, "market_chart"), {
    query: { vs_currency: vs, days },
    schema: chart(),
    absent: [404],
    ttlMs: days === 1 ? 5 * MINUTE_MS : 30 * MINUTE_MS,
  });
}

const globals = lazySchema(() =>
  z
    .object({
      data: whole(
        {
          active_cryptocurrencies: number(),
          ongoing_icos: number(),
          ended_icos: number(),
          markets: number(),
          total_market_cap: z.object({ usd: figure() }),
          total_volume: z.object({ usd: figure() }),
          market_cap_percentage: z
            .record(z.string(), number())
            .transform((shares) =>
              Object.fromEntries(
                Object.entries(shares).flatMap(([coin, share]) => (share === null ? [] : [[coin, share]])),
              ),
            ),
          market_cap_change_percentage_24h_usd: number(),
          updated_at: unixTime("s"),
          // Added later than the other fields.
        },
        { volume_change_percentage_24h_usd: number() },
      ),
    })
    .transform(({ data }) => data),
);
export type Globals = z.output<ReturnType<typeof globals>>;

export function readGlobals(ctx: Context): Promise<Globals> {
  return upstream(ctx, coingecko).get("/global", { schema: globals(), ttlMs: 5 * MINUTE_MS });
}
