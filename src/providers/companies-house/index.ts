import { defineProvider } from "../../capability/provider.js";

/** The UK's register of companies. A free key is required, and allows 600 requests in five minutes. */
export const companiesHouse = /* @__PURE__ */ defineProvider({
  name: "Companies House",
  url: "https://developer.company-information.service.gov.uk",
  license: "Crown copyright, free re-use (Companies House / OGL v3.0)",
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
