import { describe, expect, it } from "vitest";
import { cryptoGlobal } from "../../../src/capabilities/crypto/market/global.js";
import { fakeUpstream } from "../../support/upstream.js";

const DATA = {
  active_cryptocurrencies: 17_397,
  markets: 1476,
  ongoing_icos: 49,
  ended_icos: 3376,
  total_market_cap: { btc: 4e7, usd: 2_621_040_321_355.04 },
  total_volume: { usd: 9e10 },
  market_cap_percentage: { btc: 57.95, eth: 9.58 },
  market_cap_change_percentage_24h_usd: -1.608,
  updated_at: 1_779_878_351,
};

describe("crypto.global", () => {
  it("sums up the market, with null for a change that is not sent", async () => {
    const { fetch } = fakeUpstream([{ url: "/global", body: { data: DATA } }]);
    const { items, total } = await cryptoGlobal({}, { fetch, secrets: {}, cache: false });
    expect(items).toEqual([
      {
        totalMarketCapUsd: 2_621_040_321_355.04,
        totalVolume24hUsd: 9e10,
        marketCapChange24hPct: -1.608,
        volumeChange24hPct: null,
        dominance: { btc: 57.95, eth: 9.58 },
        activeCryptocurrencies: 17_397,
        markets: 1476,
        ongoingIcos: 49,
        endedIcos: 3376,
        updatedAt: "2026-05-27T10:39:11.000Z",
      },
    ]);
    expect(total).toBe(1);
  });

  it("UP-3 does not sell a market without its market cap", async () => {
    const { fetch } = fakeUpstream([{ url: "", body: { data: { ...DATA, total_market_cap: {} } } }]);
    await expect(cryptoGlobal({}, { fetch, secrets: {}, cache: false })).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
  });

  it("asks once for equal calls at the same time", async () => {
    const { fetch, seen } = fakeUpstream([{ url: "/global", body: { data: DATA } }]);
    await Promise.all([1, 2, 3].map(() => cryptoGlobal({}, { fetch, secrets: {} })));
    expect(seen).toHaveLength(1);
  });
});
