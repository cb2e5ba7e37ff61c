import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const TOO_COMMON = "Open Library refuses this search: ask for something less common.";

/** Open Library of the Internet Archive. Keyless; identified callers get three requests a second. */
export const openLibrary = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Open Library",
  url: "https://openlibrary.org",
  license: "CC0 1.0 (Open Library data)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "Open Library gives its catalogue away without claiming rights in it; its API is not for bulk downloads.",
    url: "https://openlibrary.org/developers/licensing",
    checkedAt: null,
  },
  baseUrl: "https://openlibrary.org",
  // Searches for rare words take up to 20 s.
  timeoutMs: 20_000,
  perSecond: 3,
  agent: { contact: "OPENLIBRARY_CONTACT" },
  settings: [{ name: "OPENLIBRARY_CONTACT", what: "an e-mail address that tells Open Library who asks" }],
  refusals: { 400: TOO_COMMON, 422: TOO_COMMON },
});
