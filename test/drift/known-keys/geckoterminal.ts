import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "api.geckoterminal.com/docs, OpenAPI of v2";
const SPANS = "m5 m15 m30 h1 h6 h24";

const POOL = {
  "": "data included links meta",
  "data[]": "id type attributes relationships",
  "data[].attributes":
    "base_token_price_usd base_token_price_native_currency quote_token_price_usd quote_token_price_native_currency base_token_price_quote_token quote_token_price_base_token token_price_usd address name pool_name pool_fee_percentage pool_fee pool_created_at fdv_usd market_cap_usd price_change_percentage transactions volume_usd net_buy_volume_usd buy_volume_usd sell_volume_usd reserve_in_usd locked_liquidity_percentage sentiment_vote_positive_percentage sentiment_vote_negative_percentage community_sus_report base_token_balance quote_token_balance base_token_liquidity_usd quote_token_liquidity_usd last_trade_timestamp",
  "data[].attributes.price_change_percentage": SPANS,
  "data[].attributes.transactions": SPANS,
  "data[].attributes.transactions.h24": "buys sells buyers sellers",
  "data[].attributes.volume_usd": SPANS,
  "data[].relationships": "base_token quote_token quote_tokens dex network pools tokens",
  "data[].relationships.base_token": "data",
  "data[].relationships.base_token.data": "id type",
  "data[].relationships.quote_token": "data",
  "data[].relationships.quote_token.data": "id type",
  "data[].relationships.dex": "data",
  "data[].relationships.dex.data": "id type",
  "included[]": "id type attributes relationships",
  "included[].attributes": "address name symbol decimals image_url coingecko_coin_id coingecko_asset_platform_id",
};

/** A pool of many tokens has no single other one; a young one has neither capitalization nor valuation. */
const RARE = [
  ...["token_price_usd", "pool_created_at", "fdv_usd", "market_cap_usd", "base_token_price_usd", "reserve_in_usd"].map(
    (name) => `data[].attributes.${name}`,
  ),
  ...["data[].attributes.transactions.h24.buyers", "data[].attributes.transactions.h24.sellers", "included"],
  ...["data[].relationships.base_token", "data[].relationships.quote_token", "data[].relationships.dex"],
];

export const knownKeys: readonly KnownKeys[] = [
  ...["networks/*/new_pools", "networks/*/trending_pools", "networks/*/tokens/*/pools", "search/pools"].map((path) => ({
    path: `/api/v2/${path}`,
    source: SOURCE,
    objects: POOL,
    rare: RARE,
  })),
  {
    path: "/api/v2/networks",
    source: SOURCE,
    objects: {
      "": "data links meta",
      "data[]": "id type attributes relationships",
      "data[].attributes": "name coingecko_asset_platform_id image_url",
    },
    rare: ["data[].attributes.coingecko_asset_platform_id"],
  },
  {
    path: "/api/v2/networks/*/pools/*/ohlcv/*",
    source: SOURCE,
    objects: {
      "": "data meta links included",
      data: "id type attributes",
      "data.attributes": "ohlcv_list",
      meta: "base quote",
      "meta.base": "address name symbol decimals image_url coingecko_coin_id",
      "meta.quote": "address name symbol decimals image_url coingecko_coin_id",
    },
  },
];
