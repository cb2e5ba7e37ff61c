import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** A community's database of aircraft. Keyless, with a limit of requests by address. */
export const adsbdb = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "adsbdb",
  url: "https://www.adsbdb.com",
  license: "Free to use; data of PlaneBase and other contributors",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "adsbdb is free to use; no words of its contributors are known on who sells their data on.",
    url: "https://www.adsbdb.com",
    checkedAt: null,
  },
  baseUrl: "https://api.adsbdb.com/v0",
});
