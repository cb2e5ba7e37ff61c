import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Recipients of money from the US government. Keyless. */
export const usaspending = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "USAspending",
  url: "https://www.usaspending.gov",
  license: "U.S. Government work, public domain",
  terms: /* @__PURE__ */ usGovernmentWork("https://www.usaspending.gov/about"),
  baseUrl: "https://api.usaspending.gov/api/v2",
  timeoutMs: 10_000,
});
