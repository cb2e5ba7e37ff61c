import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Norway's Brønnøysund Register Centre: the Central Coordinating Register for Legal Entities. Keyless. */
export const brreg = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Brønnøysundregistrene",
  url: "https://data.brreg.no/enhetsregisteret/api/dokumentasjon/no/index.html",
  license: "NLOD-2.0",
  terms: {
    resale: "allowed",
    attribution:
      "Contains data under the Norwegian licence for Open Government data (NLOD) distributed by Brønnøysundregistrene",
    note: "The Norwegian licence for open government data (NLOD 2.0) allows every use, with the source named.",
    url: "https://data.norge.no/nlod/en/2.0",
    checkedAt: null,
  },
  baseUrl: "https://data.brreg.no/enhetsregisteret/api",
  timeoutMs: 10_000,
});
