import { defineProvider } from "../../capability/provider.js";

export const federalRegister = /* @__PURE__ */ defineProvider({
  name: "Federal Register",
  url: "https://www.federalregister.gov",
  license: "Public domain (U.S. Government work)",
  baseUrl: "https://www.federalregister.gov/api/v1",
  concurrency: 3,
});
