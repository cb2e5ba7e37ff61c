import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The Finnish Patent and Registration Office: open data of the business information system, version 3. Keyless. */
export const prh = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Finnish Patent and Registration Office (PRH)",
  url: "https://avoindata.prh.fi/en/ytj/swagger-ui",
  license: "CC-BY-4.0",
  terms: {
    resale: "allowed",
    attribution: "Source: Finnish Patent and Registration Office (PRH), CC BY 4.0",
    note: "The open data of the Finnish register are CC BY 4.0: it is to be named.",
    url: "https://creativecommons.org/licenses/by/4.0/",
    checkedAt: null,
  },
  baseUrl: "https://avoindata.prh.fi/opendata-ytj-api/v3",
  perSecond: 2,
  timeoutMs: 12_000,
});
