import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** MyGene.info, which joins NCBI Gene, Ensembl and others. Keyless; it asks for at most 10 requests a second. */
export const mygene = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "MyGene.info",
  url: "https://mygene.info",
  license: "Public domain (NCBI Gene)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "MyGene.info passes on public data, most of it of NCBI Gene, and claims nothing in it; each source keeps its own terms.",
    url: "https://mygene.info/terms",
    checkedAt: null,
  },
  baseUrl: "https://mygene.info/v3",
  timeoutMs: 6000,
  perSecond: 10,
  refusals: { 400: "MyGene.info cannot read this symbol." },
});
