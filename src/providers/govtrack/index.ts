import { defineProvider } from "../../capability/provider.js";

export const govTrack = /* @__PURE__ */ defineProvider({
  name: "GovTrack",
  url: "https://www.govtrack.us",
  license: "Public domain; credit requested",
  baseUrl: "https://www.govtrack.us/api/v2",
  // The service of one small organisation.
  concurrency: 2,
  timeoutMs: 12_000,
});
