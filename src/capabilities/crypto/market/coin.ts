import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { unavailableIn } from "../../../capability/facts.js";
import { words } from "../../../capability/fields.js";
import { one } from "../../../capability/output.js";
import { sourceOf } from "../../../capability/provider.js";
import { CapabilityError } from "../../../errors.js";
import { type Coin, readCoin } from "../../../providers/coingecko/coins.js";
import { coingecko } from "../../../providers/coingecko/provider.js";

const MAX_DESCRIPTION = 2000;

const label = () => z.string().nullable();
const labels = () => z.array(z.string());
const figure = () => z.number().nullable();

export const cryptoCoin = /* @__PURE__ */ defineCapability({
  id: "crypto.coin",
  summary: "Full profile of a cryptocurrency: price, market cap, supply, all-time high and low, links and contracts.",
  keywords: [
    "price",
    "bitcoin",
    "ethereum",
    "altcoin",
    "token",
    "market cap",
    "coingecko",
    "circulating supply",
    "ath",
  ],
  price: "0.00144",
  provider: coingecko,
  input: () =>
    z.strictObject({
      id: words(1, 80).toLowerCase().describe("CoinGecko's id of the coin, such as bitcoin; not its ticker symbol"),
    }),
  output: one(() =>
    z.object({
      id: z.string(),
      symbol: z.string().describe("In lower case"),
      name: z.string(),
      description: label().describe(`Plain text, at most ${MAX_DESCRIPTION} characters`),
      categories: labels(),
      platforms: z.record(z.string(), z.string()).describe("Contract address by chain; empty for a chain's own coin"),
      homepage: label(),
      whitepaper: label(),
      explorers: labels(),
      twitter: label(),
      subreddit: label(),
      github: labels(),
      image: label(),
      genesisDate: label(),
      hashingAlgorithm: label(),
      blockTimeMinutes: figure(),
      marketCapRank: figure(),
      priceUsd: figure(),
      marketCapUsd: figure(),
      fdvUsd: figure().describe("Fully diluted valuation"),
      volume24hUsd: figure(),
      high24hUsd: figure(),
      low24hUsd: figure(),
      change24hPct: figure(),
      change7dPct: figure(),
      change30dPct: figure(),
      change1yPct: figure(),
      athUsd: figure(),
      athDate: label(),
      athChangePct: figure(),
      atlUsd: figure(),
      atlDate: label(),
      circulatingSupply: figure(),
      totalSupply: figure(),
      maxSupply: figure(),
      lastUpdated: label(),
    }),
  ),
  example: { id: "bitcoin" },
  live: { freshDays: 2 },
  async run({ id }, ctx) {
    const coin = await readCoin(ctx, id);
    if (!coin) throw new CapabilityError("NOT_FOUND", "CoinGecko has no coin of this id. Ids are no ticker symbols.");
    const market = toMarket(coin.market_data);
    return {
      item: { ...toProfile(coin), ...market, lastUpdated: coin.last_updated },
      // The coin is not traded, or CoinGecko left its market out.
      meta: unavailableIn([market], { market: Object.keys(market) }),
      source: { ...sourceOf(coingecko), url: `https://www.coingecko.com/en/coins/${encodeURIComponent(coin.id)}` },
    };
  },
});

function toProfile({ links, ...coin }: Coin) {
  const platforms = Object.entries(coin.platforms ?? {}).filter(([chain, address]) => chain && address);
  return {
    id: coin.id,
    symbol: coin.symbol,
    name: coin.name,
    description: toPlainText(coin.description.en),
    categories: coin.categories,
    platforms: Object.fromEntries(platforms) as Record<string, string>,
    homepage: links.homepage[0] ?? null,
    whitepaper: links.whitepaper,
    explorers: links.blockchain_site,
    twitter: links.twitter_screen_name,
    subreddit: links.subreddit_url,
    github: links.repos_url.github,
    image: coin.image.large,
    genesisDate: coin.genesis_date,
    hashingAlgorithm: coin.hashing_algorithm,
    blockTimeMinutes: coin.block_time_in_minutes,
    marketCapRank: coin.market_cap_rank,
  };
}

const toMarket = (market: Coin["market_data"]) => ({
  priceUsd: market.current_price.usd,
  marketCapUsd: market.market_cap.usd,
  fdvUsd: market.fully_diluted_valuation.usd,
  volume24hUsd: market.total_volume.usd,
  high24hUsd: market.high_24h.usd,
  low24hUsd: market.low_24h.usd,
  change24hPct: market.price_change_percentage_24h,
  change7dPct: market.price_change_percentage_7d,
  change30dPct: market.price_change_percentage_30d,
  change1yPct: market.price_change_percentage_1y,
  athUsd: market.ath.usd,
  athDate: market.ath_date.usd,
  athChangePct: market.ath_change_percentage.usd,
  atlUsd: market.atl.usd,
  atlDate: market.atl_date.usd,
  circulatingSupply: market.circulating_supply,
  totalSupply: market.total_supply,
  maxSupply: market.max_supply,
});

/** Descriptions contain links as HTML. */
function toPlainText(html: string | null): string | null {
  const text = html
    ?.replace(/<[^<>]*>/g, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  return text ? [...text].slice(0, MAX_DESCRIPTION).join("") : null;
}
