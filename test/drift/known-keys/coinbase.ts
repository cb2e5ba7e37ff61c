import type { KnownKeys } from "../../support/render-inventories.js";

/** A product that nobody trades has no orders. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/products/*/ticker",
    source: "docs.cdp.coinbase.com/exchange, Get product ticker",
    objects: { "": "ask bid volume trade_id price size time rfq_volume conversions_volume auction_volume" },
    rare: ["ask", "bid", "volume", "trade_id", "time"],
  },
  {
    path: "/products/*/stats",
    source: "docs.cdp.coinbase.com/exchange, Get product stats",
    objects: {
      "": "open high low last volume volume_30day rfq_volume_24hour rfq_volume_30day conversions_volume_24hour conversions_volume_30day",
    },
    rare: ["volume_30day"],
  },
];
