import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Bithumb, an exchange of Korea whose API follows Upbit's. Keyless. */
export const bithumb = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Bithumb",
  url: "https://www.bithumb.com",
  license: "Bithumb Open API terms",
  terms: {
    resale: "limited",
    attribution: null,
    note: "Bithumb's Open API terms limit redistribution of its prices.",
    url: "https://apidocs.bithumb.com",
    checkedAt: null,
  },
  baseUrl: "https://api.bithumb.com/v1",
  perSecond: 8,
});
