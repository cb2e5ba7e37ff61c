// Generated: npx vitest run test/generated.test.ts -u
import type { CallKeys } from "../../capability/provider.js";

/** Keys that its answers are known to have: recorded, or documented by it. */
// biome-ignore format: one line each
export const inventory: readonly CallKeys[] = [
  {"method":"POST","path":"/info","by":"type=metaAndAssetCtxs","objects":"[0]\tuniverse! a\tmarginTables|collateralToken\n[0].universe[]\tname! s|maxLeverage! n|isDelisted? b\tszDecimals|marginTableId|onlyIsolated|marginMode|strictIsolated|growthMode|lastGrowthModeChangeTime|lastFeeScaleChangeTime|feeScale|baseId\n[1][]\tfunding! f|openInterest! f|prevDayPx! f|dayNtlVlm! f|premium? fz|oraclePx! f|markPx! f|midPx? fz\timpactPxs|dayBaseVlm|circulatingSupply|coin|totalSupply"},
  {"method":"POST","path":"/info","by":"type=predictedFundings","objects":"[][1][][1]\tfundingRate! f|nextFundingTime! n\tfundingIntervalHours"},
];
