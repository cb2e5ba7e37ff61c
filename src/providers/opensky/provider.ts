import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Aircraft metadata collected by OpenSky's community. Keyless. */
export const opensky = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "OpenSky Network",
  url: "https://opensky-network.org/data/aircraft",
  license: "OpenSky Network aircraft database (non-commercial use; licence required otherwise)",
  terms: {
    resale: "forbidden",
    attribution: "Source: The OpenSky Network, https://opensky-network.org",
    note: "OpenSky Network is for research and other non-commercial use only: who sells calls needs a licence from it.",
    url: "https://opensky-network.org/about/terms-of-use",
    checkedAt: null,
  },
  baseUrl: "https://opensky-network.org/api",
});
