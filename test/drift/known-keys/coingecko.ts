import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "docs.coingecko.com, OpenAPI of v3";

/** CoinGecko passes on the pools of GeckoTerminal. */
const ONCHAIN = [
  ...["networks", "networks/*/new_pools", "networks/*/trending_pools", "networks/*/tokens/*/pools", "search/pools"],
  "networks/*/pools/*/ohlcv/*",
];

export const knownKeys: readonly KnownKeys[] = [
  ...ONCHAIN.map((path) => ({
    path: `/api/v3/onchain/${path}`,
    source: SOURCE,
    objects: {},
    like: { provider: "geckoterminal", path: `/api/v2/${path}` },
  })),
  {
    path: "/api/v3/global",
    source: SOURCE,
    objects: { data: "upcoming_icos market_cap_change_percentage_24h_usd volume_change_percentage_24h_usd updated_at" },
    tables: ["data.market_cap_percentage", "data.total_market_cap", "data.total_volume"],
  },
  {
    path: "/api/v3/coins/*",
    source: SOURCE,
    objects: {
      "": "web_slug asset_platform_id detail_platforms localization public_interest_stats preview_listing public_notice additional_notices sentiment_votes_up_percentage sentiment_votes_down_percentage watchlist_portfolio_users ico_data contract_address developer_score community_score liquidity_score public_interest_score coingecko_rank coingecko_score country_origin community_data developer_data status_updates tickers",
      links:
        "whitepaper official_forum_url chat_url announcement_url snapshot_url facebook_username bitcointalk_thread_identifier telegram_channel_identifier subreddit_url repos_url",
      "links.repos_url": "github bitbucket",
      image: "thumb small large",
      market_data: "max_supply_infinite sparkline_7d last_updated fully_diluted_valuation_rank",
    },
    rare: ["block_time_in_minutes", "hashing_algorithm", "genesis_date", "platforms", "links.whitepaper"],
    tables: [
      ...["current_price", "ath", "ath_change_percentage", "ath_date", "atl", "atl_date", "market_cap"],
      ...["fully_diluted_valuation", "total_volume", "high_24h", "low_24h"],
    ].map((name) => `market_data.${name}`),
  },
];
