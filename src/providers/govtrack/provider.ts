import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

export const govTrack = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "GovTrack",
  url: "https://www.govtrack.us",
  license: "Public domain; credit requested",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "GovTrack gives its data of Congress into the public domain and asks, without demanding it, to be named.",
    url: "https://www.govtrack.us/legal",
    checkedAt: null,
  },
  baseUrl: "https://www.govtrack.us/api/v2",
  // The service of one small organisation.
  concurrency: 2,
  timeoutMs: 12_000,
});
