import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";
import { MINUTE_MS } from "../../lib/time.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The Global Legal Entity Identifier Foundation: every LEI record, renewed three times a day. Keyless. */
export const gleif = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "GLEIF",
  url: "https://www.gleif.org/en/lei-data/gleif-api",
  license: "CC0-1.0",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "GLEIF gives its data into the public domain (CC0 1.0).",
    url: "https://www.gleif.org/en/meta/lei-data-terms-of-use",
    checkedAt: null,
  },
  baseUrl: "https://api.gleif.org/api/v1",
  headers: { accept: "application/vnd.api+json" },
  quota: { requests: 60, perMs: MINUTE_MS },
  timeoutMs: 10_000,
});
