import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Binance's host for public market data. Keyless. */
export const binance = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Binance",
  url: "https://www.binance.com",
  license: "Binance API terms",
  terms: {
    resale: "limited",
    attribution: null,
    note: "Binance's terms limit redistribution of its market data.",
    url: "https://www.binance.com/en/terms",
    checkedAt: null,
  },
  baseUrl: "https://data-api.binance.vision/api/v3",
});
