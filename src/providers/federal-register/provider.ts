import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

export const federalRegister = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Federal Register",
  url: "https://www.federalregister.gov",
  license: "Public domain (U.S. Government work)",
  terms: /* @__PURE__ */ usGovernmentWork("https://www.federalregister.gov/reader-aids/developer-resources/rest-api"),
  baseUrl: "https://www.federalregister.gov/api/v1",
  concurrency: 3,
});
