import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { readChains } from "../../../providers/defillama/chains.js";
import { defillama } from "../../../providers/defillama/provider.js";

export const cryptoDefiChains = /* @__PURE__ */ defineCapability({
  id: "crypto.defi-chains",
  summary: "Blockchains ranked by the total value locked (TVL) in their DeFi protocols, with each one's share.",
  keywords: ["tvl", "defi", "total value locked", "ranking", "blockchain", "layer 2", "defillama", "chain id"],
  price: "0.00144",
  provider: defillama,
  input: () => z.strictObject({ limit: limit(50, 200).describe("How many chains to return, the largest first") }),
  output: rows(() =>
    z.object({
      rank: z.int(),
      name: z.string(),
      tvlUsd: z.number(),
      sharePct: z.number().describe("Percent of the value locked on all chains"),
      symbol: z.string().nullable().describe("Of the chain's own token"),
      chainId: z.int().nullable().describe("EIP-155 id, of EVM chains"),
      geckoId: z.string().nullable(),
      cmcId: z.string().nullable(),
    }),
  ),
  example: { limit: 10 },
  async run({ limit }, ctx) {
    const chains = (await readChains(ctx))
      .map(({ tvl, ...chain }) => ({ ...chain, tvlUsd: tvl ?? 0 }))
      .sort((a, b) => b.tvlUsd - a.tvlUsd);
    const totalTvlUsd = chains.reduce((sum, { tvlUsd }) => sum + tvlUsd, 0);
    const items = chains.slice(0, limit).map(({ name, tvlUsd, tokenSymbol, chainId, gecko_id, cmcId }, index) => ({
      rank: index + 1,
      name,
      tvlUsd,
      sharePct: totalTvlUsd > 0 ? (tvlUsd / totalTvlUsd) * 100 : 0,
      symbol: tokenSymbol,
      chainId,
      geckoId: gecko_id,
      cmcId,
    }));
    return { items, total: chains.length, meta: { totalTvlUsd } };
  },
});
