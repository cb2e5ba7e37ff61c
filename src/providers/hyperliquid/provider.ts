import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Hyperliquid's public API on its perpetuals. Keyless; each of these questions weighs 20 of 1,200 a minute. */
export const hyperliquid = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Hyperliquid",
  url: "https://app.hyperliquid.xyz",
  license: "Public API, no licence stated",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "Hyperliquid publishes no limit on passing on its market data that is known.",
    url: "https://app.hyperliquid.xyz/terms",
    checkedAt: null,
  },
  baseUrl: "https://api.hyperliquid.xyz",
  quota: { requests: 60, perMs: 60_000 },
});
