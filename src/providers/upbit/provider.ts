import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Upbit, the largest exchange of Korea. Keyless; it takes ten requests a second. */
export const upbit = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Upbit",
  url: "https://upbit.com",
  license: "Upbit Open API terms",
  terms: {
    resale: "limited",
    attribution: null,
    note: "Upbit's Open API terms limit redistribution of its prices.",
    url: "https://upbit.com/open_api_agreement",
    checkedAt: null,
  },
  baseUrl: "https://api.upbit.com/v1",
  perSecond: 8,
});
