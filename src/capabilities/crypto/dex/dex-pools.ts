import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { readPools } from "../../../providers/geckoterminal/pools.js";
import { geckoTerminal, ONCHAIN_ORIGINS } from "../../../providers/geckoterminal/provider.js";
import { segments } from "../../../upstream/client.js";
import { network, pool, tellNames } from "./_dex.js";

export const cryptoDexPools = /* @__PURE__ */ defineCapability({
  id: "crypto.dex-pools",
  summary: "Trending or new liquidity pools of a network's decentralised exchanges, with price, volume and trades.",
  keywords: ["dex", "trending tokens", "new pairs", "memecoin", "liquidity", "uniswap", "raydium", "geckoterminal"],
  price: "0.00144",
  provider: geckoTerminal,
  origins: ONCHAIN_ORIGINS,
  input: () =>
    z.strictObject({
      network: network().describe("Id of the network as crypto.dex-networks lists it, such as eth, base or solana"),
      kind: z.enum(["trending", "new"]).default("trending").describe("What is traded most now, or was made last"),
      limit: limit(20, 50).describe("How many pools to return"),
    }),
  output: rows(pool),
  example: { network: "base", limit: 10 },
  async run({ network, kind, limit }, ctx) {
    const pools = await readPools(ctx, segments("networks", network, `${kind}_pools`), { limit });
    if (!pools) throw new CapabilityError("NOT_FOUND", "Unknown network; crypto.dex-networks lists the known ones.");
    const items = pools.map(({ tokenPriceUsd: _, ...pool }) => pool);
    return { items, total: null, meta: { network, kind, ...tellNames(items) } };
  },
});
