import { defineProvider, type Provider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const shared = {
  inventory: keys,
  name: "SEC EDGAR",
  url: "https://www.sec.gov/edgar",
  license: "Public domain (U.S. SEC EDGAR)",
  terms: /* @__PURE__ */ usGovernmentWork("https://www.sec.gov/about/privacy-information"),
  secret: {
    // Requests without contact information get a 403.
    name: "SEC_USER_AGENT",
    required: false,
    in: { header: "user-agent" },
    keyUrl: "https://www.sec.gov/about/webmaster-frequently-asked-questions#developers",
    free: true,
  },
  perSecond: 8,
  timeoutMs: 10_000,
  // The master data includes the newest thousand filings.
  maxBytes: 20_000_000,
} as const satisfies Omit<Provider, "baseUrl">;

/** The SEC's register of filers. Keyless; it requires contact information, and allows ten requests a second. */
export const sec = /* @__PURE__ */ defineProvider({ ...shared, baseUrl: "https://data.sec.gov" });

/** The SEC's website, which has the list of tickers. */
export const secFiles = /* @__PURE__ */ defineProvider({ ...shared, baseUrl: "https://www.sec.gov/files" });
