/** Perpetuals of Hyperliquid's own exchange: markets, and predicted funding there and elsewhere. */
import { z } from "zod";
import { lazySchema } from "../../capability/fields.js";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { SECOND_MS } from "../../lib/time.js";
import { upstream } from "../../upstream/client.js";
import { figure, flag, identifiedRows, isFilled, number, rowsInPlace, unixTime, whole } from "../../upstream/fields.js";
import { hyperliquid } from "./provider.js";

const market = lazySchema(() =>
  whole({ name: z.string(), maxLeverage: number() }, { onlyIsolated: flag(), isDelisted: flag() }),
);
const state = lazySchema(() =>
  whole({
    funding: figure(),
    openInterest: figure(),
    markPx: figure(),
    oraclePx: number(),
    // Null without trades.
    midPx: number(),
    premium: number(),
    dayNtlVlm: figure(),
    prevDayPx: number(),
  }),
);
export type Perpetual = z.output<ReturnType<typeof market>> & z.output<ReturnType<typeof state>>;

/** Every perpetual, delisted ones among them. */
export async function readPerpetuals(ctx: Context): Promise<Perpetual[]> {
  const [{ universe }, states] = await upstream(ctx, hyperliquid).ask("/info", {
    body: { type: "metaAndAssetCtxs" },
    schema: z.tuple([
      z.object({ universe: rowsInPlace(market(), ["name"]) }),
      rowsInPlace(state(), ["funding", "openInterest", "markPx", "dayNtlVlm"]),
    ]),
    ttlMs: 15 * SECOND_MS,
  });
  if (universe.length !== states.length)
    throw new CapabilityError("UPSTREAM_SCHEMA", "Hyperliquid's markets and their states are not of equal number.");
  const found = universe.flatMap((market, index) => {
    const state = states[index];
    return market && state ? { ...market, ...state } : [];
  });
  if (found.length * 2 < universe.length)
    throw new CapabilityError("UPSTREAM_SCHEMA", "Of most of Hyperliquid's markets the market or its state is odd.");
  return found;
}

const prediction = lazySchema(() =>
  z.object({ fundingRate: figure(), nextFundingTime: unixTime("ms"), fundingIntervalHours: number() }),
);
const predicted = lazySchema(() =>
  identifiedRows(
    z
      .tuple([z.string(), identifiedRows(z.tuple([z.string(), prediction().nullable()]), [])])
      .transform(([coin, venues]) => ({ coin, venues })),
    [],
  ).refine(isFilled, "is empty"),
);
export type PredictedFunding = z.output<ReturnType<typeof predicted>>[number];

/** Predicted next funding of each venue by coin; null for a venue without the coin. */
export function readPredictedFunding(ctx: Context): Promise<PredictedFunding[]> {
  return upstream(ctx, hyperliquid).ask("/info", {
    body: { type: "predictedFundings" },
    schema: predicted(),
    ttlMs: 30 * SECOND_MS,
  });
}
