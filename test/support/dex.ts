/** Rows of GeckoTerminal as it sends them, with the fields that the capabilities read. */

export function poolRow(network: string, address: string, more: Record<string, unknown> = {}) {
  return {
    id: `${network}_${address}`,
    type: "pool",
    attributes: {
      address,
      name: "WETH / USDC 0.05%",
      pool_created_at: "2021-12-29T12:35:14Z",
      base_token_price_usd: "2084.57",
      fdv_usd: "4700091001.66",
      market_cap_usd: null,
      reserve_in_usd: "-97.36",
      price_change_percentage: { h1: "0", h24: "-1.887" },
      transactions: { h24: { buys: 2436, sells: 2385, buyers: 863, sellers: 989 } },
      volume_usd: { h24: "122795216.58" },
      ...more,
    },
    relationships: {
      base_token: { data: { id: `${network}_0xc02a`, type: "token" } },
      quote_token: { data: { id: `${network}_0xa0b8`, type: "token" } },
      dex: { data: { id: "uniswap_v3", type: "dex" } },
    },
  };
}

/** What goes with rows of `network`. */
export const includedOf = (network: string) => [
  { id: `${network}_0xc02a`, type: "token", attributes: { name: "Wrapped Ether", symbol: "WETH", decimals: 18 } },
  { id: "uniswap_v3", type: "dex", attributes: { name: "Uniswap V3" } },
];

/** A page of `count` rows whose addresses begin with `from`. */
export const poolPage = (network: string, count: number, from = 0) => ({
  data: Array.from({ length: count }, (_, index) => poolRow(network, `0x${from + index}`)),
  included: includedOf(network),
});
