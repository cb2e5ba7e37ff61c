import { defineProvider } from "../../capability/provider.js";
import type { Terms } from "../../capability/terms.js";
import { lazy } from "../../lib/lazy.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const TERMS: Terms = {
  resale: "forbidden",
  attribution: null,
  note: "Coinbase's market data terms limit redistribution: who resells it needs their consent.",
  url: "https://www.coinbase.com/legal/market_data",
  checkedAt: null,
};
const LICENSE = "Coinbase market data terms of use";

/** Market data of Coinbase's exchange. Keyless; it takes ten requests a second and wants to know who asks. */
export const coinbase = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Coinbase Exchange",
  url: "https://exchange.coinbase.com",
  license: LICENSE,
  terms: TERMS,
  baseUrl: "https://api.exchange.coinbase.com",
  perSecond: 10,
  refusals: { 400: "Coinbase cannot read this pair or interval." },
});

/** The same markets behind Coinbase's newer API, of which the market data is keyless too. */
export const coinbaseAdvanced = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Coinbase Advanced",
  url: "https://www.coinbase.com/advanced-trade",
  license: LICENSE,
  terms: TERMS,
  baseUrl: "https://api.coinbase.com/api/v3/brokerage/market",
  perSecond: 10,
  refusals: { 400: "Coinbase cannot read this pair or interval." },
});
