import { defineProvider } from "../../capability/provider.js";

/** OurAirports: the world's airports as one file, rebuilt every night. Keyless. */
export const ourAirports = /* @__PURE__ */ defineProvider({
  name: "OurAirports",
  url: "https://ourairports.com/data/",
  license: "Public domain (Unlicense)",
  baseUrl: "https://davidmegginson.github.io/ourairports-data",
});
