import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** NOAA's National Centers for Environmental Information: GHCN-Daily, the world's daily weather records. Keyless. */
export const ncei = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "NOAA NCEI",
  url: "https://www.ncei.noaa.gov/products/land-based-station/global-historical-climatology-network-daily",
  license: "Public domain (U.S. Government; NOAA)",
  terms: /* @__PURE__ */ usGovernmentWork(
    "https://www.ncei.noaa.gov/products/land-based-station/global-historical-climatology-network-daily",
  ),
  baseUrl: "https://www.ncei.noaa.gov",
  // No limit is published, so this one is cautious.
  perSecond: 5,
  timeoutMs: 30_000,
  refusals: { 400: "NOAA NCEI does not accept this station, these dates or these data types." },
});
