import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The Global Biodiversity Information Facility. Keyless. */
export const gbif = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "GBIF",
  url: "https://www.gbif.org",
  license: "CC0 1.0 / CC BY 4.0 (GBIF Backbone Taxonomy CC BY 4.0)",
  terms: {
    resale: "allowed",
    attribution: "GBIF Backbone Taxonomy, GBIF Secretariat, https://doi.org/10.15468/39omei, CC BY 4.0",
    note: "The GBIF Backbone Taxonomy is CC BY 4.0: it is to be named.",
    url: "https://www.gbif.org/terms",
    checkedAt: null,
  },
  baseUrl: "https://api.gbif.org/v1",
  timeoutMs: 6000,
  refusals: { 400: "GBIF cannot read this name: check its spelling." },
});
