import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { someOf } from "../../../capability/facts.js";
import { one } from "../../../capability/output.js";
import { readGlobals } from "../../../providers/coingecko/coins.js";
import { coingecko } from "../../../providers/coingecko/provider.js";

const figure = () => z.number().nullable();

export const cryptoGlobal = /* @__PURE__ */ defineCapability({
  id: "crypto.global",
  summary: "The cryptocurrency market as a whole: total market cap, 24-hour volume, changes and each coin's dominance.",
  keywords: ["market cap", "bitcoin dominance", "btc dominance", "total volume", "overview", "coingecko"],
  price: "0.0012",
  provider: coingecko,
  input: () => z.strictObject({}),
  output: one(() =>
    z.object({
      totalMarketCapUsd: z.number(),
      totalVolume24hUsd: z.number(),
      marketCapChange24hPct: figure(),
      volumeChange24hPct: figure(),
      dominance: z.record(z.string(), z.number()).describe("Percent of the market cap, by ticker symbol in lower case"),
      activeCryptocurrencies: figure(),
      markets: figure(),
      ongoingIcos: figure(),
      endedIcos: figure(),
      updatedAt: z.string(),
    }),
  ),
  facts: someOf("activeCryptocurrencies", "markets", "marketCapChange24hPct"),
  example: {},
  live: { freshDays: 2 },
  async run(_, ctx) {
    const globals = await readGlobals(ctx);
    return {
      item: {
        totalMarketCapUsd: globals.total_market_cap.usd,
        totalVolume24hUsd: globals.total_volume.usd,
        marketCapChange24hPct: globals.market_cap_change_percentage_24h_usd,
        volumeChange24hPct: globals.volume_change_percentage_24h_usd,
        dominance: globals.market_cap_percentage,
        activeCryptocurrencies: globals.active_cryptocurrencies,
        markets: globals.markets,
        ongoingIcos: globals.ongoing_icos,
        endedIcos: globals.ended_icos,
        updatedAt: globals.updated_at,
      },
    };
  },
});
