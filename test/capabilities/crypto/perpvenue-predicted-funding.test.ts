import { describe, expect, it } from "vitest";
import { cryptoPerpvenuePredictedFunding } from "../../../src/capabilities/crypto/market/perpvenue-predicted-funding.js";
import { fakeUpstream } from "../../support/upstream.js";

const NEXT = 1_733_961_600_000;
const ANSWER = [
  [
    "AVAX",
    [
      ["BinPerp", { fundingRate: "0.0001", nextFundingTime: NEXT, fundingIntervalHours: 4 }],
      ["HlPerp", { fundingRate: "0.0000125", nextFundingTime: NEXT }],
      ["BybitPerp", null],
      ["NewPerp", { fundingRate: "-0.0002", nextFundingTime: NEXT }],
    ],
  ],
  ["BTC", [["HlPerp", { fundingRate: "0.00001", nextFundingTime: NEXT }]]],
];

const ask = (input: Parameters<typeof cryptoPerpvenuePredictedFunding>[0], body: unknown = ANSWER) =>
  cryptoPerpvenuePredictedFunding(input, { fetch: fakeUpstream([{ url: "/info", body }]).fetch, cache: false });

describe("crypto.perpvenue-predicted-funding", () => {
  it("UP-2 a list without any coin is an upstream's failure, not the answer that a coin is unknown", async () => {
    await expect(ask({ coin: "avax" }, [])).rejects.toMatchObject({ status: 502, code: "UPSTREAM_SCHEMA" });
  });

  it("puts venues side by side, and says where an interval is assumed", async () => {
    const { items, total } = await ask({ coin: "avax" });
    const next = "2024-12-12T00:00:00.000Z";
    expect(items).toEqual([
      {
        coin: "AVAX",
        venues: [
          {
            venue: "binance",
            venueId: "BinPerp",
            fundingRate: 0.0001,
            nextFundingTime: next,
            fundingIntervalHours: 4,
            intervalAssumed: false,
            hourlyRate: 0.000025,
          },
          {
            venue: "hyperliquid",
            venueId: "HlPerp",
            fundingRate: 0.0000125,
            nextFundingTime: next,
            fundingIntervalHours: 1,
            intervalAssumed: true,
            hourlyRate: 0.0000125,
          },
          {
            venue: "NewPerp",
            venueId: "NewPerp",
            fundingRate: -0.0002,
            nextFundingTime: next,
            fundingIntervalHours: null,
            intervalAssumed: false,
            hourlyRate: null,
          },
        ],
      },
    ]);
    expect(total).toBe(1);
  });

  it("gives all coins up to the limit, and counts them", async () => {
    const { items, total } = await ask({ limit: 1 });
    expect([items.map(({ coin }) => coin), total]).toEqual([["AVAX"], 2]);
  });

  it("does not know a coin that no venue has", async () => {
    await expect(ask({ coin: "NOPE" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("UP-3 reports another form", async () => {
    await expect(ask({}, [["BTC", [["HlPerp", { rate: "1" }]]]])).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
