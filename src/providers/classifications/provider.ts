import { defineProvider } from "../../capability/provider.js";
import { usGovernmentWork } from "../../capability/terms.js";

/** The Census Bureau, which publishes NAICS and its concordances. Keyless. */
export const censusClassifications = /* @__PURE__ */ defineProvider({
  name: "U.S. Census Bureau",
  url: "https://www.census.gov/naics/",
  license: "Public domain (U.S. Government work)",
  terms: /* @__PURE__ */ usGovernmentWork("https://www.census.gov/naics/"),
  baseUrl: "https://www.census.gov/naics",
});

/** Publishers of industry classifications and their concordances: tables, loaded once. Keyless. */
export const classifications = /* @__PURE__ */ defineProvider({
  name: "U.S. Census Bureau, UN Statistics Division, Eurostat",
  url: "https://www.census.gov/naics/?68967",
  license: "Public domain (Census); UN and Eurostat classifications, re-use with attribution",
  terms: {
    resale: "allowed",
    attribution:
      "Sources: U.S. Census Bureau; United Nations Statistics Division (ISIC); Eurostat (NACE), European Union",
    note: "The Census Bureau claims no rights in its tables; the United Nations and Eurostat want to be named as the source of theirs.",
    url: "https://ec.europa.eu/eurostat/web/main/help/copyright-notice",
    checkedAt: null,
  },
  baseUrl: "https://www.census.gov/naics",
});
