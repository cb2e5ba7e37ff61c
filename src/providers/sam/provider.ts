import { defineProvider, type Provider } from "../../capability/provider.js";
import { CapabilityError } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const sam = {
  url: "https://sam.gov/exclusions",
  license: "U.S. Government work, public domain (records before April 2022 hold D&B data: no bulk redistribution)",
  terms: {
    resale: "limited",
    attribution: null,
    note: "Answers of SAM.gov about single names may be resold; the list as a whole, and D-U-N-S numbers, may not.",
    url: "https://sam.gov/about/terms-of-use",
    checkedAt: null,
  },
} as const satisfies Partial<Provider>;

/** Parties excluded from US federal contracts: the extract that SAM.gov publishes every day. Keyless. */
export const samExtract = /* @__PURE__ */ defineProvider({
  inventory: keys,
  ...sam,
  name: "SAM.gov exclusions",
  baseUrl: "https://sam.gov/api/prod/fileextractservices/v1/api",
  timeoutMs: 10_000,
});

/** The same data by name. Only used if the extract is unavailable: a free key allows ten requests a day. */
export const samApi = /* @__PURE__ */ defineProvider({
  inventory: keys,
  ...sam,
  name: "SAM.gov exclusions API",
  baseUrl: "https://api.sam.gov/entity-information/v4",
  secret: {
    name: "SAM_API_KEY",
    required: false,
    in: { query: "api_key" },
    keyUrl: "https://open.gsa.gov/api/exclusions-api/",
    free: true,
  },
  timeoutMs: 8000,
  errorIn: (_body, status) =>
    status === 400 ? new CapabilityError("UPSTREAM_ERROR", "SAM.gov cannot read this name.") : undefined,
});
