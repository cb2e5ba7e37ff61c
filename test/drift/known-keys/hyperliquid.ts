import type { KnownKeys } from "../../support/render-inventories.js";

/** A market that nobody trades has no middle price. */
export const knownKeys: readonly KnownKeys[] = [
  {
    method: "POST",
    path: "/info",
    by: "type=metaAndAssetCtxs",
    source: "hyperliquid.gitbook.io, Perpetuals: metaAndAssetCtxs",
    objects: {
      "[0]": "universe marginTables collateralToken",
      "[0].universe[]":
        "name szDecimals maxLeverage marginTableId isDelisted onlyIsolated marginMode strictIsolated growthMode lastGrowthModeChangeTime lastFeeScaleChangeTime feeScale baseId",
      "[1][]":
        "funding openInterest prevDayPx dayNtlVlm dayBaseVlm premium oraclePx markPx midPx impactPxs circulatingSupply coin totalSupply",
    },
    rare: ["[0].universe[].isDelisted", "[1][].premium", "[1][].midPx"],
  },
  {
    method: "POST",
    path: "/info",
    by: "type=predictedFundings",
    source: "hyperliquid.gitbook.io, Perpetuals: predictedFundings",
    objects: { "[][1][][1]": "fundingRate nextFundingTime fundingIntervalHours" },
  },
];
