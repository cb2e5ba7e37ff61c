import { defineProvider } from "../../capability/provider.js";

/** The Census Bureau, which publishes NAICS and its concordances. Keyless. */
export const census = /* @__PURE__ */ defineProvider({
  name: "U.S. Census Bureau",
  url: "https://www.census.gov/naics/",
  license: "Public domain (U.S. Government work)",
  baseUrl: "https://www.census.gov/naics",
});

/** Those who publish the classifications of industries and what links them: tables, loaded once. Keyless. */
export const classifications = /* @__PURE__ */ defineProvider({
  name: "U.S. Census Bureau, UN Statistics Division, Eurostat",
  url: "https://www.census.gov/naics/?68967",
  license: "Public domain (Census); UN and Eurostat classifications, re-use with attribution",
  baseUrl: "https://www.census.gov/naics",
});
