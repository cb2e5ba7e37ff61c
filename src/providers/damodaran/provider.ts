import { defineProvider } from "../../capability/provider.js";

/** Aswath Damodaran's country risk premiums: a workbook renewed in January and in July. Keyless. */
export const damodaran = /* @__PURE__ */ defineProvider({
  name: "Damodaran Online (NYU Stern)",
  url: "https://pages.stern.nyu.edu/~adamodar/New_Home_Page/datacurrent.html",
  license: "Free to use with attribution; sovereign ratings in it are Moody's",
  terms: {
    resale: "limited",
    attribution: "Country risk: A. Damodaran, NYU Stern, https://pages.stern.nyu.edu/~adamodar/",
    note: "A. Damodaran offers his data sets to everyone and wants to be named; the ratings in this one are Moody's, whose own terms limit passing them on in bulk.",
    url: "https://pages.stern.nyu.edu/~adamodar/New_Home_Page/datacurrent.html",
    checkedAt: null,
  },
  baseUrl: "https://pages.stern.nyu.edu/~adamodar/pc/datasets",
  settings: [
    {
      name: "COUNTRY_RISK_SOURCE",
      what: "`finnhub`, which is the default, or `damodaran`, which needs no key and whose terms are wider",
    },
  ],
  timeoutMs: 20_000,
});
