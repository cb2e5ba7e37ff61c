import { defineProvider } from "../../capability/provider.js";

/** NOAA's National Centers for Environmental Information: GHCN-Daily, the world's daily weather records. Keyless. */
export const ncei = /* @__PURE__ */ defineProvider({
  name: "NOAA NCEI",
  url: "https://www.ncei.noaa.gov/products/land-based-station/global-historical-climatology-network-daily",
  license: "Public domain (U.S. Government; NOAA)",
  baseUrl: "https://www.ncei.noaa.gov",
  // No limit is published; more would be impolite.
  perSecond: 5,
  timeoutMs: 30_000,
  refusals: { 400: "NOAA NCEI does not accept this station, these dates or these data types." },
});
