import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";

export const federalRegister = /* @__PURE__ */ defineProvider({
  name: "Federal Register",
  url: "https://www.federalregister.gov",
  license: "Public domain (U.S. Government work)",
  terms: /* @__PURE__ */ usGovernmentWork("https://www.federalregister.gov/reader-aids/developer-resources/rest-api"),
  baseUrl: "https://www.federalregister.gov/api/v1",
  concurrency: 3,
});
