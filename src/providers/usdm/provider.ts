import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** U.S. Drought Monitor data services. Keyless; weekly figures, published on Thursdays. */
export const usdm = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "U.S. Drought Monitor",
  url: "https://droughtmonitor.unl.edu",
  license:
    "Free to use with credit: the U.S. Drought Monitor is jointly produced by the National Drought Mitigation Center at the University of Nebraska-Lincoln, USDA and NOAA",
  terms: {
    resale: "allowed",
    attribution:
      "The U.S. Drought Monitor is jointly produced by the National Drought Mitigation Center at the University of Nebraska-Lincoln, the U.S. Department of Agriculture and the National Oceanic and Atmospheric Administration",
    note: "The U.S. Drought Monitor wants those named who make it.",
    url: "https://droughtmonitor.unl.edu/About/Permission.aspx",
    checkedAt: null,
  },
  baseUrl: "https://usdmdataservices.unl.edu/api",
  // Several years of a county take the service long.
  timeoutMs: 20_000,
});
