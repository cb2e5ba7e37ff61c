import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { someOf } from "../../../capability/facts.js";
import { limit, words } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { CapabilityError } from "../../../errors.js";
import { exact } from "../../../lib/exact.js";
import { type Perpetual, readPerpetuals } from "../../../providers/hyperliquid/perpetuals.js";
import { hyperliquid } from "../../../providers/hyperliquid/provider.js";

const HOURS_A_YEAR = 365 * 24;

const figure = () => z.number().nullable();

export const cryptoPerpvenueFunding = /* @__PURE__ */ defineCapability({
  id: "crypto.perpvenue-funding",
  summary: "Funding rates, open interest, prices and volume of the perpetual futures on a large on-chain venue.",
  keywords: [
    "funding rate",
    "perps",
    "perpetual swap",
    "futures",
    "hyperliquid",
    "leverage",
    "open interest",
    "basis",
    "derivatives",
  ],
  price: "0.00144",
  provider: hyperliquid,
  input: () =>
    z.strictObject({
      coin: words(1, 40)
        .optional()
        .describe("One coin by its symbol in any case, such as BTC. Left out: all that are listed"),
      sort: z
        .enum(["oi", "volume", "funding"])
        .default("oi")
        .describe("The largest first: open interest in US dollars, 24-hour volume, or funding whatever its sign"),
      limit: limit(50, 250).describe("How many coins to return"),
    }),
  output: rows(() =>
    z.object({
      coin: z.string(),
      fundingRate: z.number().describe("Of one hour, as a fraction: longs pay shorts where it is positive"),
      fundingRateAnnualPct: z.number().describe("The same for a year, in percent, without compounding"),
      openInterest: z.number().describe("In coins"),
      openInterestUsd: z.number(),
      markPrice: z.number().describe("In US dollars, as the other prices"),
      oraclePrice: figure(),
      midPrice: figure(),
      premium: figure().describe("Of the venue's price over the oracle's, as a fraction"),
      volume24hUsd: z.number(),
      prevDayPrice: figure(),
      change24hPct: figure(),
      maxLeverage: figure(),
      onlyIsolated: z.boolean().describe("Whether cross margin is not offered"),
      delisted: z.boolean(),
    }),
  ),
  facts: someOf("oraclePrice", "premium", "prevDayPrice", "maxLeverage"),
  example: { coin: "BTC" },
  async run({ coin, sort, limit }, ctx) {
    const name = coin?.toLowerCase();
    const perpetuals = (await readPerpetuals(ctx)).filter((perpetual) =>
      name === undefined ? !perpetual.isDelisted : perpetual.name.toLowerCase() === name,
    );
    if (name !== undefined && perpetuals.length === 0)
      throw new CapabilityError("NOT_FOUND", "The venue has no perpetual of this coin.");
    const by = ORDER[sort];
    const items = perpetuals
      .sort((a, b) => by(b) - by(a))
      .slice(0, limit)
      .map(toItem);
    return { items, total: perpetuals.length, meta: { intervalHours: 1 } };
  },
});

const openInterestUsd = ({ openInterest, markPx }: Perpetual) => openInterest * markPx;

const ORDER = {
  oi: openInterestUsd,
  volume: ({ dayNtlVlm }: Perpetual) => dayNtlVlm,
  funding: ({ funding }: Perpetual) => Math.abs(funding),
};

const toItem = (perpetual: Perpetual) => ({
  coin: perpetual.name,
  fundingRate: perpetual.funding,
  fundingRateAnnualPct: exact(perpetual.funding * HOURS_A_YEAR * 100),
  openInterest: perpetual.openInterest,
  openInterestUsd: openInterestUsd(perpetual),
  markPrice: perpetual.markPx,
  oraclePrice: perpetual.oraclePx,
  midPrice: perpetual.midPx,
  premium: perpetual.premium,
  volume24hUsd: perpetual.dayNtlVlm,
  prevDayPrice: perpetual.prevDayPx,
  change24hPct: perpetual.prevDayPx ? exact((perpetual.markPx / perpetual.prevDayPx - 1) * 100) : null,
  maxLeverage: perpetual.maxLeverage,
  onlyIsolated: perpetual.onlyIsolated ?? false,
  delisted: perpetual.isDelisted ?? false,
});
