import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";
import { MINUTE_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Finnhub's stock and economy API. It needs a key; the free plan takes 60 requests a minute. */
export const finnhub = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Finnhub",
  url: "https://finnhub.io/docs/api",
  license: "Finnhub API terms",
  terms: {
    resale: "forbidden",
    attribution: null,
    note: "Finnhub's plans are for personal or internal use: passing its data on needs an agreement with Finnhub.",
    url: "https://finnhub.io/terms-of-service",
    checkedAt: null,
  },
  baseUrl: "https://finnhub.io/api/v1",
  secret: {
    name: "FINNHUB_API_KEY",
    required: true,
    in: { header: "x-finnhub-token" },
    keyUrl: "https://finnhub.io/register",
    free: true,
  },
  quota: { requests: 60, perMs: MINUTE_MS },
});
