import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { someOf } from "../../../capability/facts.js";
import { limit, words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { chainKey } from "../../../providers/defillama/chains.js";
import { defillamaYields } from "../../../providers/defillama/provider.js";
import { readYieldPools, type YieldPool } from "../../../providers/defillama/yields.js";

const figure = () => z.number().nullable();
const label = () => z.string().nullable();
const labels = () => z.array(z.string());

const filters = () => ({
  chain: words(1, 40).optional().describe("Only pools on this chain, such as Ethereum or Base, in any case"),
  project: words(1, 60).optional().describe("Only pools of this project, by DefiLlama's slug, such as aave-v3"),
  symbol: words(1, 40).optional().describe("Only pools whose symbol contains this, such as USDC, in any case"),
  minApy: z.number().min(0).optional().describe("Only pools that yield at least this many percent a year"),
  minTvlUsd: z.number().min(0).optional().describe("Only pools with at least this many US dollars locked"),
});

export const cryptoDefiYields = /* @__PURE__ */ defineCapability({
  id: "crypto.defi-yields",
  summary: "Yield pools of DeFi with APY, its parts and trend, TVL and risk, by chain, project, symbol and minimums.",
  keywords: ["apy", "yield farming", "staking", "lending rates", "stablecoin yield", "liquidity pool", "defillama"],
  price: "0.00144",
  provider: defillamaYields,
  input: () =>
    z.strictObject({
      ...filters(),
      sort: z.enum(["apy", "tvl"]).default("tvl").describe("The largest yield first, or the most locked"),
      limit: limit(25, 100).describe("How many pools to return"),
    }),
  output: rows(() =>
    z.object({
      pool: z.string().describe("DefiLlama's id of the pool"),
      chain: z.string(),
      project: z.string(),
      symbol: z.string(),
      poolMeta: label(),
      tvlUsd: figure(),
      apy: figure().describe("Percent a year, as the other yields"),
      apyBase: figure().describe("From fees and interest"),
      apyReward: figure().describe("Paid in reward tokens"),
      apyMean30d: figure(),
      apyChange1d: figure().describe("Percentage points, as the other changes"),
      apyChange7d: figure(),
      apyChange30d: figure(),
      stablecoin: z.boolean().nullable(),
      ilRisk: label().describe("Of impermanent loss: no or yes"),
      exposure: label().describe("single or multi"),
      rewardTokens: labels(),
      underlyingTokens: labels(),
      volume1dUsd: figure(),
      outlier: z.boolean().nullable(),
      prediction: z.object({ class: label(), probabilityPct: figure() }).nullable(),
      url: z.string(),
    }),
  ),
  facts: someOf("apy", "tvlUsd", "project", "chain", "pool"),
  example: { symbol: "USDC", minTvlUsd: 1_000_000, sort: "apy", limit: 10 },
  async run({ sort, limit, ...filters }, ctx) {
    const pools = (await readYieldPools(ctx)).filter(matcherOf(filters));
    const by = sort === "apy" ? ({ apy }: YieldPool) => apy ?? 0 : ({ tvlUsd }: YieldPool) => tvlUsd ?? 0;
    const items = pools.sort((a, b) => by(b) - by(a)).slice(0, limit);
    return { items: items.map(toItem), total: pools.length, meta: { filters } };
  },
});

type Filters = z.output<z.ZodObject<ReturnType<typeof filters>>>;

function matcherOf({ chain, project, symbol, minApy, minTvlUsd }: Filters): (pool: YieldPool) => boolean {
  const key = chain && chainKey(chain);
  const slug = project?.toLowerCase();
  const part = symbol?.toLowerCase();
  return (pool) =>
    (key === undefined || chainKey(pool.chain) === key) &&
    (slug === undefined || pool.project.toLowerCase() === slug) &&
    (part === undefined || pool.symbol.toLowerCase().includes(part)) &&
    (minApy === undefined || (pool.apy ?? 0) >= minApy) &&
    (minTvlUsd === undefined || (pool.tvlUsd ?? 0) >= minTvlUsd);
}

function toItem({ apyPct1D, apyPct7D, apyPct30D, volumeUsd1d, predictions, ...pool }: YieldPool) {
  return {
    ...pool,
    rewardTokens: pool.rewardTokens.filter((token) => token !== null),
    underlyingTokens: pool.underlyingTokens.filter((token) => token !== null),
    apyChange1d: apyPct1D,
    apyChange7d: apyPct7D,
    apyChange30d: apyPct30D,
    volume1dUsd: volumeUsd1d,
    prediction: predictions && {
      class: predictions.predictedClass,
      probabilityPct: predictions.predictedProbability,
    },
    url: `https://defillama.com/yields/pool/${encodeURIComponent(pool.pool)}`,
  };
}
