import type { KnownKeys } from "../../support/render-inventories.js";

export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/api/v3/ticker/price",
    source: "developers.binance.com, Symbol price ticker",
    objects: { "": "symbol price time" },
  },
];
