import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Minha Receita: the monthly open data of Brazil's tax office, one legal entity a request. Keyless. */
export const minhaReceita = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Minha Receita (Receita Federal)",
  url: "https://minhareceita.org",
  license: "Receita Federal open data (Brazil, public)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "Brazil's tax office publishes its register of legal entities as open data; Minha Receita passes it on.",
    url: "https://docs.minhareceita.org",
    checkedAt: null,
  },
  baseUrl: "https://minhareceita.org",
  perSecond: 2,
  timeoutMs: 15_000,
  errorIn: (_, status) =>
    status === 400 ? new CapabilityError("INVALID_INPUT", "The register does not accept this CNPJ.") : undefined,
});

/** BrasilAPI, which serves the same answers from another address. */
export const brasilApi = /* @__PURE__ */ defineProvider({
  ...minhaReceita,
  name: "BrasilAPI (Receita Federal)",
  url: "https://brasilapi.com.br",
  baseUrl: "https://brasilapi.com.br/api/cnpj/v1",
});
