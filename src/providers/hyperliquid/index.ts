import { defineProvider } from "../../capability/provider.js";

/** Hyperliquid's public API on its perpetuals. Keyless; each of these questions weighs 20 of 1,200 a minute. */
export const hyperliquid = /* @__PURE__ */ defineProvider({
  name: "Hyperliquid",
  url: "https://app.hyperliquid.xyz",
  license: "Public API, no licence stated",
  baseUrl: "https://api.hyperliquid.xyz",
  quota: { requests: 60, perMs: 60_000 },
});
