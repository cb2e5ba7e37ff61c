import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { limit, words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { type PredictedFunding, readPredictedFunding } from "../../../providers/hyperliquid/perpetuals.js";
import { hyperliquid } from "../../../providers/hyperliquid/provider.js";

/** Venues by the upstream's ids, with their usual interval in case an answer omits it. */
const VENUES = new Map([
  ["HlPerp", { venue: "hyperliquid", intervalHours: 1 }],
  ["BinPerp", { venue: "binance", intervalHours: 8 }],
  ["BybitPerp", { venue: "bybit", intervalHours: 8 }],
]);

export const cryptoPerpvenuePredictedFunding = /* @__PURE__ */ defineCapability({
  id: "crypto.perpvenue-predicted-funding",
  summary: "The next funding rates of perpetual futures by coin, side by side on several venues, made comparable.",
  keywords: ["perps", "perpetual swap", "funding arbitrage", "hyperliquid", "binance", "bybit", "derivatives"],
  price: "0.00144",
  provider: hyperliquid,
  input: () =>
    z.strictObject({
      coin: words(1, 40).optional().describe("One coin by its symbol in any case, such as BTC. Left out: all"),
      limit: limit(50, 250).describe("How many coins to return"),
    }),
  output: rows(() =>
    z.object({
      coin: z.string(),
      venues: z.array(
        z.object({
          venue: z.string().describe("hyperliquid, binance, bybit, or the upstream's id of another"),
          venueId: z.string().describe("As the upstream calls it"),
          fundingRate: z.number().describe("Of one interval, as a fraction"),
          nextFundingTime: z.string(),
          fundingIntervalHours: z.number().nullable(),
          intervalAssumed: z.boolean().describe("Whether the interval is the venue's usual one, since none was stated"),
          hourlyRate: z.number().nullable().describe("The rate by its interval: what to compare"),
        }),
      ),
    }),
  ),
  example: { coin: "BTC" },
  async run({ coin, limit }, ctx) {
    const name = coin?.toLowerCase();
    const coins = (await readPredictedFunding(ctx)).filter(
      (entry) => name === undefined || entry.coin.toLowerCase() === name,
    );
    if (name !== undefined && coins.length === 0)
      throw new CapabilityError("NOT_FOUND", "No venue has a perpetual of this coin.");
    return { items: coins.slice(0, limit).map(toItem), total: coins.length };
  },
});

function toItem({ coin, venues }: PredictedFunding) {
  return {
    coin,
    venues: venues.flatMap(([venueId, prediction]) => {
      if (!prediction) return [];
      const { fundingRate, nextFundingTime, fundingIntervalHours: stated } = prediction;
      const known = VENUES.get(venueId);
      const hours = stated ?? known?.intervalHours ?? null;
      return {
        venue: known?.venue ?? venueId,
        venueId,
        fundingRate,
        nextFundingTime,
        fundingIntervalHours: hours,
        intervalAssumed: stated === null && hours !== null,
        hourlyRate: hours ? fundingRate / hours : null,
      };
    }),
  };
}
