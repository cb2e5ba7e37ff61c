import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { readPools } from "../../../providers/geckoterminal/pools.js";
import { geckoTerminal, ONCHAIN_ORIGINS } from "../../../providers/geckoterminal/provider.js";
import { segments } from "../../../upstream/client.js";
import { dexAddress, network, pool, tellNames } from "./_dex.js";

export const cryptoDexTokenPools = /* @__PURE__ */ defineCapability({
  id: "crypto.dex-token-pools",
  summary: "The liquidity pools that trade one token, by its contract address, the most liquid and active first.",
  keywords: ["dex", "token price", "contract address", "pairs", "liquidity", "erc-20", "spl token", "geckoterminal"],
  price: "0.00144",
  provider: geckoTerminal,
  origins: ONCHAIN_ORIGINS,
  input: () =>
    z.strictObject({
      network: network().describe("Id of the network as crypto.dex-networks lists it, such as eth, base or solana"),
      address: dexAddress().describe("The token's contract or mint address"),
      limit: limit(20, 50).describe("How many pools to return"),
    }),
  output: rows(() =>
    pool().extend({ tokenPriceUsd: z.number().nullable().describe("Of the token that was asked for, in this pool") }),
  ),
  example: { network: "eth", address: "0xdac17f958d2ee523a2206206994597c13d831ec7", limit: 5 },
  async run({ network, address, limit }, ctx) {
    const path = segments("networks", network, "tokens", address, "pools");
    const pools = await readPools(ctx, path, {
      limit,
      query: { sort: "h24_volume_usd_liquidity_desc" },
      common: ["attributes.token_price_usd"],
    });
    if (!pools) throw new CapabilityError("NOT_FOUND", "This token is not known on this network.");
    return { items: pools, total: null, meta: { network, address, ...tellNames(pools) } };
  },
});
