import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit, words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { readPools } from "../../../providers/geckoterminal/pools.js";
import { geckoTerminal, ONCHAIN_ORIGINS } from "../../../providers/geckoterminal/provider.js";
import { network, pool, tellNames } from "./_dex.js";

export const cryptoDexSearch = /* @__PURE__ */ defineCapability({
  id: "crypto.dex-search",
  summary: "Search the liquidity pools of decentralised exchanges by token name, symbol, token or pool address.",
  keywords: ["dex", "find token", "pair", "contract address", "liquidity", "memecoin", "geckoterminal", "uniswap"],
  price: "0.00144",
  provider: geckoTerminal,
  origins: ONCHAIN_ORIGINS,
  input: () =>
    z.strictObject({
      query: words(1, 120).describe("Name, symbol, or address of a token or a pool"),
      network: network().optional().describe("Only this network, by its id in crypto.dex-networks, such as eth"),
      limit: limit(20, 50).describe("How many pools to return, the best match first"),
    }),
  output: rows(pool),
  example: { query: "weth", network: "base", limit: 5 },
  async run({ query, network, limit }, ctx) {
    const pools = await readPools(ctx, "/search/pools", { limit, query: { query, network } });
    const items = (pools ?? []).map(({ tokenPriceUsd: _, ...pool }) => pool);
    return { items, total: null, meta: tellNames(items) };
  },
});
