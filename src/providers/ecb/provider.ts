import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The European Central Bank's data portal (SDMX). Keyless. */
export const ecb = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "European Central Bank",
  url: "https://data.ecb.europa.eu",
  license: "Free reuse with source acknowledgement",
  terms: {
    resale: "allowed",
    attribution: "Source: European Central Bank",
    note: "The European Central Bank wants its statistics passed on unaltered, with itself named as their source.",
    url: "https://www.ecb.europa.eu/services/disclaimer/html/index.en.html",
    checkedAt: null,
  },
  baseUrl: "https://data-api.ecb.europa.eu/service",
  timeoutMs: 6000,
});
