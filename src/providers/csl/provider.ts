import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/**
 * The US government's lists of parties that need a licence to be exported to, in one file. Keyless; renewed every day.
 */
export const csl = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Consolidated Screening List",
  url: "https://www.trade.gov/consolidated-screening-list",
  license: "U.S. Government work, public domain",
  terms: /* @__PURE__ */ usGovernmentWork("https://www.trade.gov/consolidated-screening-list"),
  baseUrl: "https://data.trade.gov/downloadable_consolidated_screening_list/v1",
});
