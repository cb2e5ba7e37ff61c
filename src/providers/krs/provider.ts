import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Poland's National Court Register at the Ministry of Justice. Keyless. */
export const krs = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Krajowy Rejestr Sądowy (Polish Ministry of Justice)",
  url: "https://prs.ms.gov.pl/krs/openApi",
  license: "Polish public sector information (re-use free, source to be named)",
  terms: {
    resale: "allowed",
    attribution: "Source: Krajowy Rejestr Sądowy, Polish Ministry of Justice",
    note: "Poland allows the re-use of public sector information, with its source named.",
    url: "https://prs.ms.gov.pl/krs/openApi",
    checkedAt: null,
  },
  baseUrl: "https://api-krs.ms.gov.pl/api/krs",
  perSecond: 1,
  timeoutMs: 15_000,
});
