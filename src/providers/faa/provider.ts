import { defineProvider } from "../../capability/provider.js";

/** The register of US aircraft, published every night as one archive. Keyless. */
export const faa = /* @__PURE__ */ defineProvider({
  name: "FAA Releasable Aircraft Database",
  url: "https://www.faa.gov/licenses_certificates/aircraft_certification/aircraft_registry",
  license: "Public domain (U.S. Government)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "The FAA's register is a work of the United States government without copyright (17 U.S.C. 105); where AIRCRAFT_SOURCE chooses another, its terms hold instead.",
    url: "https://registry.faa.gov/aircraftinquiry",
    checkedAt: null,
  },
  baseUrl: "https://registry.faa.gov/database",
  settings: [
    { name: "AIRCRAFT_SOURCE", what: "`opensky-csv`, `opensky-api` or `adsbdb` instead of the FAA register" },
    { name: "AIRCRAFT_DATA_URL", what: "a mirror of the source's file" },
  ],
  // It refuses clients that do not look like a browser.
  agent: "browser",
});
