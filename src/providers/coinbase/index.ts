import { defineProvider } from "../../capability/provider.js";

/** Market data of Coinbase's exchange. Keyless; it takes ten requests a second and wants to know who asks. */
export const coinbase = /* @__PURE__ */ defineProvider({
  name: "Coinbase Exchange",
  url: "https://exchange.coinbase.com",
  license: "Coinbase market data terms of use",
  terms: "Coinbase's market data terms limit redistribution: who resells it needs their consent.",
  baseUrl: "https://api.exchange.coinbase.com",
  perSecond: 10,
  refusals: { 400: "Coinbase cannot read this pair or interval." },
});
