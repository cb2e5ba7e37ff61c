import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** The UK's register of companies. A free key is required, and allows 600 requests in five minutes. */
export const companiesHouse = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Companies House",
  url: "https://developer.company-information.service.gov.uk",
  license: "Crown copyright, free re-use (Companies House / OGL v3.0)",
  terms: {
    resale: "allowed",
    attribution: "Contains Companies House information licensed under the Open Government Licence v3.0",
    note: "Companies House allows every use of its register under the Open Government Licence, with the licence named.",
    url: "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
    checkedAt: null,
  },
  baseUrl: "https://api.company-information.service.gov.uk",
  secret: {
    name: "COMPANIES_HOUSE_API_KEY",
    required: true,
    // As the user name of HTTP Basic, with an empty password.
    in: { basicUser: true },
    keyUrl: "https://developer.company-information.service.gov.uk/manage-applications",
    free: true,
  },
  quota: { requests: 600, perMs: 5 * 60_000 },
  timeoutMs: 10_000,
});
