import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";

/** The search of the French administration over its registers of companies. Keyless; seven requests a second. */
export const rechercheEntreprises = /* @__PURE__ */ defineProvider({
  name: "API Recherche d'entreprises (DINUM)",
  url: "https://recherche-entreprises.api.gouv.fr",
  license: "Licence Ouverte 2.0 (Etalab)",
  baseUrl: "https://recherche-entreprises.api.gouv.fr",
  perSecond: 6,
  timeoutMs: 10_000,
  errorIn: (_, status) =>
    status === 400 ? new CapabilityError("INVALID_INPUT", "The French register cannot read this search.") : undefined,
});
