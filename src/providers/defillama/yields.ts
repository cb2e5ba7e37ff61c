/** Yield pools of DefiLlama. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { MINUTE_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { flag, identifiedRows, label, list, maybe, number, whole } from "../../upstream/fields.js";
import { defillamaYields } from "./provider.js";

const pool = lazySchema(() =>
  z.object({
    pool: z.string(),
    chain: z.string(),
    project: z.string(),
    symbol: z.string(),
    poolMeta: label(),
    tvlUsd: number(),
    apy: number(),
    apyBase: number(),
    apyReward: number(),
    apyMean30d: number(),
    apyPct1D: number(),
    apyPct7D: number(),
    apyPct30D: number(),
    stablecoin: flag(),
    ilRisk: label(),
    exposure: label(),
    rewardTokens: list(label()),
    underlyingTokens: list(label()),
    volumeUsd1d: number(),
    outlier: flag(),
    predictions: maybe(whole({ predictedClass: label(), predictedProbability: number() })),
  }),
);
export type YieldPool = z.output<ReturnType<typeof pool>>;

/** Fields that many pools have, but not all. */
const COMMON = [
  "poolMeta",
  "tvlUsd",
  "apy",
  "apyBase",
  "apyReward",
  "apyMean30d",
  "apyPct1D",
  "apyPct7D",
  "apyPct30D",
  "stablecoin",
  "ilRisk",
  "exposure",
  "rewardTokens",
  "underlyingTokens",
  "volumeUsd1d",
  "outlier",
  "predictions",
];

/** All of them, some seventeen thousand. */
export async function readYieldPools(ctx: Context): Promise<YieldPool[]> {
  const { data } = await upstream(ctx, defillamaYields).get("/pools", {
    schema: z.object({ data: identifiedRows(pool(), ["pool", "chain", "project"], COMMON, 1) }),
    ttlMs: 30 * MINUTE_MS,
  });
  return data;
}
