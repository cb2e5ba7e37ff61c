import { defineProvider, type Provider } from "../../capability/provider.js";
import type { Context } from "../../capability/types.js";
import { lazy } from "../../lib/lazy.js";
import { EXPLORER_TIMEOUT_MS, refusalsOf } from "../etherscan/provider.js";

const keys = /* @__PURE__ */ lazy(() => import("./inventory.js"));

const GATEWAY = "https://api.blockscout.com";

/**
 * Blockscout's explorers, one for each chain. Keyless; a key opens the gateway to all of them.
 * @public Read by the generator of docs/keys.md.
 */
export const blockscout = /* @__PURE__ */ defineProvider({
  inventory: keys,
  name: "Blockscout",
  url: "https://www.blockscout.com",
  license: "Blockscout terms of service",
  terms: {
    resale: "unknown",
    attribution: null,
    note: "No words of Blockscout are known on who sells the answers of its explorers on.",
    url: "https://www.blockscout.com",
    checkedAt: null,
  },
  baseUrl: "https://eth.blockscout.com",
  secret: {
    name: "BLOCKSCOUT_API_KEY",
    required: false,
    in: { query: "apikey" },
    keyUrl: "https://dev.blockscout.com",
    free: true,
  },
  timeoutMs: EXPLORER_TIMEOUT_MS,
  errorIn: refusalsOf("Blockscout"),
});

/** Chains with an explorer that needs no key. */
const HOSTS: ReadonlyMap<number, string> = /* @__PURE__ */ new Map([
  [1, "eth"],
  [10, "optimism"],
  [100, "gnosis"],
  [137, "polygon"],
  [8453, "base"],
  [42161, "arbitrum"],
]);

const explorers = new Map<number, Provider>();

/** The explorer of a chain; undefined without one and without a key for the gateway. */
export function blockscoutOf(ctx: Context, chainId: number): Provider | undefined {
  const host = HOSTS.get(chainId);
  if (!host && !ctx.secret(blockscout.secret.name)) return undefined;
  const gateway = `${GATEWAY}/${chainId}`;
  const explorer = explorers.get(chainId) ?? {
    ...blockscout,
    baseUrl: host ? `https://${host}.blockscout.com` : gateway,
    withKey: { baseUrl: gateway },
  };
  // Stores only chains with an explorer, because callers may name any number.
  if (host) explorers.set(chainId, explorer);
  return explorer;
}
