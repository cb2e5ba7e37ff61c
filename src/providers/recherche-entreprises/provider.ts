import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The search of the French administration over its registers of companies. Keyless; seven requests a second. */
export const rechercheEntreprises = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "API Recherche d'entreprises (DINUM)",
  url: "https://recherche-entreprises.api.gouv.fr",
  license: "Licence Ouverte 2.0 (Etalab)",
  terms: {
    resale: "allowed",
    attribution: "Source: API Recherche d'entreprises (DINUM), Licence Ouverte 2.0",
    note: "The Licence Ouverte 2.0 allows every use, with the source named and the day of its last change.",
    url: "https://www.etalab.gouv.fr/wp-content/uploads/2017/04/ETALAB-Licence-Ouverte-v2.0.pdf",
    checkedAt: null,
  },
  baseUrl: "https://recherche-entreprises.api.gouv.fr",
  perSecond: 6,
  timeoutMs: 10_000,
  errorIn: (_, status) =>
    status === 400 ? new CapabilityError("INVALID_INPUT", "The French register cannot read this search.") : undefined,
});
