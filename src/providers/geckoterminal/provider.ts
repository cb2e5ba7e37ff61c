import { defineProvider } from "../../capability/provider.js";
import type { Origin } from "../../capability/terms.js";
import type { Context } from "../../capability/types.js";
import { lazy } from "../../lib/lazy.js";
import { type UpstreamClient, upstream } from "../../upstream/client.js";
import { failover } from "../../upstream/failover.js";
import { coingeckoOnchain } from "../coingecko/provider.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

/** Pools of decentralised exchanges. Keyless: some five quick calls, then a pause of seconds. */
export const geckoTerminal = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "GeckoTerminal",
  url: "https://www.geckoterminal.com",
  license: "GeckoTerminal/CoinGecko API terms (attribution)",
  terms: {
    resale: "forbidden",
    attribution: "On-chain data provided by GeckoTerminal",
    note: "GeckoTerminal asks to be named as the source; its free API is not for redistribution.",
    url: "https://www.coingecko.com/en/api_terms",
    checkedAt: null,
  },
  baseUrl: "https://api.geckoterminal.com/api/v2",
  headers: { accept: "application/json;version=20230302" },
  concurrency: 2,
  refusals: { 400: "GeckoTerminal cannot read these parameters." },
});

/** Terms of the data of `readOnchain`. */
export const ONCHAIN_ORIGINS: readonly Origin[] = [geckoTerminal, coingeckoOnchain];

/** Asks GeckoTerminal; with a key, CoinGecko gives the same data while GeckoTerminal is down or limits requests. */
export function readOnchain<T>(ctx: Context, read: (client: UpstreamClient) => Promise<T>): Promise<T> {
  const second = ctx.secret(coingeckoOnchain.secret.name) && (() => read(upstream(ctx, coingeckoOnchain)));
  return failover(() => read(upstream(ctx, geckoTerminal)), second || undefined, { whenBusy: true });
}
