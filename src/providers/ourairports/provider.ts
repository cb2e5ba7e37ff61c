import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** OurAirports: the world's airports as one file, rebuilt every night. Keyless. */
export const ourAirports = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "OurAirports",
  url: "https://ourairports.com/data/",
  license: "Public domain (Unlicense)",
  terms: {
    resale: "allowed",
    attribution: null,
    note: "OurAirports gives its data into the public domain.",
    url: "https://ourairports.com/data/",
    checkedAt: null,
  },
  baseUrl: "https://davidmegginson.github.io/ourairports-data",
});
