import type { KnownKeys } from "../../support/render-inventories.js";

const SOURCE = "api-docs.defillama.com and the public sources of its adapters";

const PROTOCOL =
  "id name address symbol url description chain logo audits audit_note audit_links gecko_id cmcId category tags chains module treasury governanceID github twitter discord telegram forkedFrom forkedFromIds oracles oraclesBreakdown oraclesByChain listedAt methodology methodologyURL slug hallmarks parentProtocol parentProtocolSlug isParentProtocol previousNames stablecoins assetToken wrongLiquidity openSource referralUrl deprecated deadUrl deadFrom rugged warningBanners language misrepresentedTokens doublecounted excludeTvlFromParent dimensions raises metrics mcap fdv valuation otherProtocols hacks tokenPrice tokenMcap tokenSupply tokensExcludedFromParent isUpcoming rwaStats stats safeHarbor deployerAddress";

/** A young protocol has no past to compare with; a family of protocols has what its members have in common. */
export const knownKeys: readonly KnownKeys[] = [
  {
    path: "/protocol/*",
    source: SOURCE,
    objects: { "": `${PROTOCOL} tvl chainTvls currentChainTvls tokens tokensInUsd inflows` },
    rare: ["symbol", "url", "logo", "audits", "category", "chains", "twitter", "listedAt", "currentChainTvls", "tvl"],
    tables: ["currentChainTvls", "chainTvls"],
  },
  {
    path: "/protocols",
    source: SOURCE,
    objects: {
      "[]": `${PROTOCOL} tvl tvlPrevDay tvlPrevWeek tvlPrevMonth chainTvls change_1h change_1d change_7d change_1m tokenBreakdowns staking pool2 borrowed treasury vesting offers`,
    },
    rare: ["symbol", "category", "tvl", "chainTvls", "change_1d", "change_7d"].map((name) => `[].${name}`),
    tables: ["[].chainTvls"],
  },
  {
    path: "/overview/*",
    source: SOURCE,
    objects: {
      "": "protocols allChains chain total24h total48hto24h total7d total14dto7d total30d total60dto30d total1y totalAllTime average1y monthlyAverage1y total7DaysAgo total30DaysAgo change_1d change_7d change_1m change_7dover7d change_30dover30d totalDataChart totalDataChartBreakdown breakdown24h breakdown30d dailyRevenue",
      "protocols[]": `${PROTOCOL} defillamaId displayName protocolType latestFetchIsOk disabled versionKey childProtocols linkedProtocols spikes emissions breakdownMethodology total24h total48hto24h total7d total14dto7d total30d total60dto30d total1y totalAllTime average1y monthlyAverage1y total7DaysAgo total30DaysAgo change_1d change_7d change_1m change_7dover7d change_30dover30d breakdown24h breakdown30d chartData hasLabelBreakdown defaultChartView`,
    },
    rare: [
      ...["total24h", "total7d", "total30d", "totalAllTime", "change_1d", "change_7d", "change_1m"],
      ...["category", "slug", "protocolType", "chains"],
    ].map((name) => `protocols[].${name}`),
  },
  {
    path: "/pools",
    source: SOURCE,
    objects: {
      "": "status data",
      "data[]":
        "chain project symbol tvlUsd apyBase apyReward apy rewardTokens pool pool_old apyPct1D apyPct7D apyPct30D stablecoin ilRisk exposure predictions poolMeta mu sigma count outlier underlyingTokens il7d apyBase7d apyMean30d volumeUsd1d volumeUsd7d apyBaseInception apyBaseBorrow apyRewardBorrow totalSupplyUsd totalBorrowUsd debtCeilingUsd ltv mintedCoin borrowable borrowFactor url pricePerShare apyBorrow configID return apyNet7d",
      "data[].predictions": "predictedClass predictedProbability binnedConfidence",
    },
    rare: ["apyBase", "apyReward", "rewardTokens", "poolMeta", "underlyingTokens", "volumeUsd1d", "predictions"].map(
      (name) => `data[].${name}`,
    ),
  },
  {
    path: "/v2/chains",
    source: SOURCE,
    objects: { "[]": "gecko_id tvl tokenSymbol cmcId name chainId chainAssets" },
    rare: ["gecko_id", "tokenSymbol", "cmcId", "chainId"].map((name) => `[].${name}`),
  },
  {
    path: "/v2/historicalChainTvl/*",
    source: SOURCE,
    objects: { "[]": "date tvl" },
  },
];
