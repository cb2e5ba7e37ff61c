import { defineProvider } from "../../capability/provider.js";
import type { Terms } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";
import { SECOND_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const MEGABYTE = 1024 * 1024;

const TERMS: Terms = {
  resale: "unknown",
  attribution: "Data: DefiLlama, https://defillama.com",
  note: "DefiLlama gives its figures away with attribution, and publishes no limit on passing them on that is known.",
  url: "https://defillama.com/terms",
  checkedAt: null,
};

/** DefiLlama's figures on protocols and chains. Keyless; its longest answers have some 30 MB. */
export const defillama = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "DefiLlama",
  url: "https://defillama.com",
  license: "DefiLlama API terms (free, attribution)",
  terms: TERMS,
  baseUrl: "https://api.llama.fi",
  timeoutMs: 25 * SECOND_MS,
  maxBytes: 64 * MEGABYTE,
});

/** DefiLlama's yield pools, all of them in one answer of about 12 MB. Keyless. */
export const defillamaYields = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "DefiLlama",
  url: "https://defillama.com/yields",
  license: "DefiLlama API terms (free, attribution)",
  terms: TERMS,
  baseUrl: "https://yields.llama.fi",
  timeoutMs: 25 * SECOND_MS,
  maxBytes: 64 * MEGABYTE,
});
