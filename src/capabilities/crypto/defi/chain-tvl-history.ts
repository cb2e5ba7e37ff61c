import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit, words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { findChain, readChainHistory, readChains } from "../../../providers/defillama/chains.js";
import { defillama } from "../../../providers/defillama/provider.js";
import { optional } from "../../../upstream/optional.js";
import { dailyTvl, tvlDay } from "./_tvl.js";

export const cryptoChainTvlHistory = /* @__PURE__ */ defineCapability({
  id: "crypto.chain-tvl-history",
  summary: "Total value locked (TVL) in the DeFi protocols of one blockchain, day by day, oldest first.",
  keywords: ["tvl", "defi", "total value locked", "blockchain", "time series", "defillama", "solana", "base"],
  price: "0.00144",
  provider: defillama,
  input: () =>
    z.strictObject({
      chain: words(1, 40).describe("DefiLlama's name of the chain in any case, such as Ethereum, Base or OP Mainnet"),
      limit: limit(90, 1000).describe("How many days to return, the newest of all"),
    }),
  output: rows(tvlDay),
  example: { chain: "Base", limit: 30 },
  live: { freshDays: 3 },
  async run({ chain, limit }, ctx) {
    const chains = await optional(readChains(ctx), undefined, () => {});
    const name = chains ? findChain(chains, chain)?.name : chain;
    const history = name === undefined ? undefined : await readChainHistory(ctx, name);
    if (!history?.length) throw new CapabilityError("NOT_FOUND", "DefiLlama has no chain of this name.");
    const days = dailyTvl(history.map(({ date, tvl }) => [date, tvl]));
    return { items: days.slice(-limit), total: days.length, meta: { chain: name } };
  },
});
