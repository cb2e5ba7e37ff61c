import { defineProvider } from "../../capability/provider.js";

/** Norway's Brønnøysund Register Centre: the Central Coordinating Register for Legal Entities. Keyless. */
export const brreg = /* @__PURE__ */ defineProvider({
  name: "Brønnøysundregistrene",
  url: "https://data.brreg.no/enhetsregisteret/api/dokumentasjon/no/index.html",
  license: "NLOD-2.0",
  baseUrl: "https://data.brreg.no/enhetsregisteret/api",
  timeoutMs: 10_000,
});
