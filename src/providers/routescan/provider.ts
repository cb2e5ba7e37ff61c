import { defineProvider } from "../../capability/provider.js";
import { lazy } from "../../lib/lazy.js";
import { EXPLORER_TIMEOUT_MS, refusalsOf } from "../etherscan/provider.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Routescan's explorer of many chains, with Etherscan's API. Keyless: two calls a second, 10,000 a day. */
export const routescan = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Routescan",
  url: "https://routescan.io",
  license: "Routescan terms of service",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "No words of Routescan are known on who sells its answers on.",
    url: "https://routescan.io",
    checkedAt: null,
  },
  baseUrl: "https://api.routescan.io/v2/network/mainnet/evm",
  perSecond: 2,
  timeoutMs: EXPLORER_TIMEOUT_MS,
  errorIn: refusalsOf("Routescan"),
});
