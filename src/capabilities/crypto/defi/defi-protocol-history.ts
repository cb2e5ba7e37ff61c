import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit, words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { readProtocolHistory, toSlug } from "../../../providers/defillama/protocols.js";
import { defillama } from "../../../providers/defillama/provider.js";
import { dailyTvl, tvlDay } from "./_tvl.js";

export const cryptoDefiProtocolHistory = /* @__PURE__ */ defineCapability({
  id: "crypto.defi-protocol-history",
  summary: "Total value locked (TVL) in one DeFi protocol day by day, oldest first, and its chains' shares now.",
  keywords: ["tvl", "defi", "total value locked", "protocol", "time series", "defillama", "aave", "uniswap", "lido"],
  price: "0.00144",
  provider: defillama,
  input: () =>
    z.strictObject({
      slug: words(1, 80).transform(toSlug).describe("DefiLlama's slug or name of the protocol, such as aave-v3"),
      limit: limit(90, 1000).describe("How many days to return, the newest of all"),
    }),
  output: rows(tvlDay),
  example: { slug: "lido", limit: 30 },
  live: { freshDays: 4 },
  async run({ slug, limit }, ctx) {
    const protocol = await readProtocolHistory(ctx, slug);
    if (!protocol) throw new CapabilityError("NOT_FOUND", "DefiLlama has no protocol of this slug.");
    const days = dailyTvl(protocol.tvl.map(({ date, totalLiquidityUSD }) => [date, totalLiquidityUSD]));
    const { name, category, chains, currentChainTvls } = protocol;
    return {
      items: days.slice(-limit),
      total: days.length,
      meta: { name, slug, category, chains, currentChainTvls },
    };
  },
});
