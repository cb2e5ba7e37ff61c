import { defineProvider } from "../../capability/provider.js";

/** The European Central Bank's data portal (SDMX). Keyless. */
export const ecb = /* @__PURE__ */ defineProvider({
  name: "European Central Bank",
  url: "https://data.ecb.europa.eu",
  license: "Free reuse with source acknowledgement",
  baseUrl: "https://data-api.ecb.europa.eu/service",
  timeoutMs: 6000,
});
