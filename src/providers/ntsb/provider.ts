import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The service behind the NTSB's public case search (CAROL). Keyless and without documentation. */
export const ntsb = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "NTSB CAROL",
  url: "https://data.ntsb.gov/carol-main-public/basic-search",
  license: "Public domain (U.S. Government)",
  terms: /* @__PURE__ */ usGovernmentWork("https://data.ntsb.gov/carol-main-public/basic-search"),
  baseUrl: "https://data.ntsb.gov/carol-main-public/api",
  timeoutMs: 20_000,
  // No limit is published, so requests are sent one at a time.
  concurrency: 1,
});
