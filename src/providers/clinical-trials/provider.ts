import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The trial registry of the U.S. National Library of Medicine. Keyless; about 50 requests a minute are welcome. */
export const clinicalTrials = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "ClinicalTrials.gov",
  url: "https://clinicaltrials.gov",
  license: "Public domain (U.S. National Library of Medicine)",
  terms: {
    resale: "allowed",
    attribution: "Source: ClinicalTrials.gov",
    note: "ClinicalTrials.gov wants to be named as the source, and changes to its data to be told.",
    url: "https://clinicaltrials.gov/about-site/terms-conditions",
    checkedAt: null,
  },
  baseUrl: "https://clinicaltrials.gov/api/v2",
  timeoutMs: 9000,
  concurrency: 3,
  // Its own explanation concerns its own parameters.
  refusals: {
    400: "ClinicalTrials.gov refuses this search: write the query in plain words, and take the pageToken from the page before, of the same search and the same day.",
  },
});
