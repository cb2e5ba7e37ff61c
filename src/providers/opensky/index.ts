import { defineProvider } from "../../capability/provider.js";

/** Aircraft metadata collected by OpenSky's community. Keyless. */
export const opensky = /* @__PURE__ */ defineProvider({
  name: "OpenSky Network",
  url: "https://opensky-network.org/data/aircraft",
  license: "OpenSky Network aircraft database (non-commercial use; licence required otherwise)",
  baseUrl: "https://opensky-network.org/api",
  terms: "Research and other non-commercial use only; who sells calls needs a licence from OpenSky Network.",
});
