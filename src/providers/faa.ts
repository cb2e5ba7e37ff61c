import { defineProvider } from "../provider.js";

/** The register of US aircraft, published every night as one archive. Keyless. */
export const faa = /* @__PURE__ */ defineProvider({
  name: "FAA Releasable Aircraft Database",
  url: "https://www.faa.gov/licenses_certificates/aircraft_certification/aircraft_registry",
  license: "Public domain (U.S. Government)",
  baseUrl: "https://registry.faa.gov/database",
  // The host turns away clients that do not name themselves.
  headers: { "user-agent": "Mozilla/5.0 (compatible; coinslot)" },
});
