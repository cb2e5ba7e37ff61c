import { defineProvider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";

/** MyGene.info, which joins NCBI Gene, Ensembl and others. Keyless; it asks for at most 10 requests a second. */
export const mygene = /* @__PURE__ */ defineProvider({
  name: "MyGene.info",
  url: "https://mygene.info",
  license: "Public domain (NCBI Gene)",
  baseUrl: "https://mygene.info/v3",
  headers: { "user-agent": "Coinslot" },
  timeoutMs: 6000,
  perSecond: 10,
  errorIn: (_, status) =>
    status === 400 ? new CapabilityError("INVALID_INPUT", "MyGene.info cannot read this symbol.") : undefined,
});
