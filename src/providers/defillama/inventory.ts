// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"GET","path":"/overview/*","objects":"\tprotocols! a\t\nprotocols[]\ttotal24h! n|total7d n|total30d! n|totalAllTime! n|name! s|category! s|chains! a|protocolType! s|slug! s|change_1d n|change_7d n|change_1m n\ttotal48hto24h|total14dto7d|total60dto30d|total1y|average1y|breakdown24h|defillamaId|displayName|module|latestFetchIsOk|parentProtocol|id|change_7dover7d|change_30dover30d"},
  {"method":"GET","path":"/pools","objects":"\tdata! a\tstatus\ndata[]\tchain! s|project! s|symbol! s|tvlUsd! n|apyBase! n|apyReward! z|apy! n|rewardTokens z|pool! s|apyPct1D n|apyPct7D n|apyPct30D n|stablecoin! b|ilRisk s|exposure s|predictions o|poolMeta! sz|outlier! b|underlyingTokens a|apyMean30d! n|volumeUsd1d n\tmu|sigma|count|apyBaseInception|apyBase7d|volumeUsd7d\ndata[].predictions\tpredictedClass! s|predictedProbability! n\tbinnedConfidence"},
  {"method":"GET","path":"/protocol/*","objects":"\tname! s|symbol! s|url! s|logo! s|audits! f|category! s|chains! a|twitter! s|listedAt! n|tvl! a|currentChainTvls! o\tid|address|description|chain|audit_note|gecko_id|cmcId|oracles|forkedFrom|module|parentProtocol|chainTvls|raises|metrics|mcap|otherProtocols\ntvl[]\tdate! n|totalLiquidityUSD! n\t\ncurrentChainTvls\tBinance! n|Scroll! n|Ethereum! n|zkSync Era! n|Arbitrum! n|Base! n\t"},
  {"method":"GET","path":"/protocols","objects":"[]\tname! s|symbol! s|category! s|chains! a|tvl! n|chainTvls! o|change_1d! n|change_7d! n\tid\n[].chainTvls\tEthereum! n|Polygon! n\t"},
  {"method":"GET","path":"/v2/chains","objects":"[]\tgecko_id! s|tvl! n|tokenSymbol! s|cmcId! f|name! s|chainId! n\t"},
  {"method":"GET","path":"/v2/historicalChainTvl/*","objects":"[]\tdate! n|tvl! n\t"},
];
