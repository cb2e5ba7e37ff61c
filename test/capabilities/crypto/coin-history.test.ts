import { describe, expect, it } from "vitest";
import { cryptoCoinHistory } from "../../../src/capabilities/crypto/market/coin-history.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const DAY = 86_400_000;
const START = Date.parse("2026-09-02T00:00:00Z");

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof cryptoCoinHistory>[0]) =>
    cryptoCoinHistory(input, { fetch: fake.fetch, secrets: {}, cache: false });
  return { ...fake, ask };
}

describe("crypto.coin-history", () => {
  it("joins prices, market caps and volumes by their times, oldest first", async () => {
    const { ask, seen } = open({
      url: "/coins/stellar/market_chart",
      body: {
        prices: [
          [START + DAY, 0.18],
          [START, 1.6e-5],
        ],
        market_caps: [[START, 6_097_216_301.8]],
        total_volumes: [[START + DAY, 42]],
      },
    });
    const { items, total, meta } = await ask({ id: "Stellar", days: 2, vs: "EUR" });
    expect(items).toEqual([
      { time: "2026-09-02T00:00:00.000Z", price: 1.6e-5, marketCap: 6_097_216_301.8, volume: null },
      { time: "2026-09-03T00:00:00.000Z", price: 0.18, marketCap: null, volume: 42 },
    ]);
    expect({ total, meta }).toEqual({ total: 2, meta: { id: "stellar", days: 2, vs: "eur" } });
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toEqual({ vs_currency: "eur", days: "2" });
  });

  it.each([
    [404, { error: "coin not found" }, "NOT_FOUND"],
    [400, { error: "invalid vs_currency" }, "INVALID_INPUT"],
    [200, { prices: [["yesterday", 1]], market_caps: [], total_volumes: [] }, "UPSTREAM_SCHEMA"],
    [200, { stats: [] }, "UPSTREAM_SCHEMA"],
  ])("takes a %i with %j for %s", async (status, body, code) => {
    await expect(open({ url: "", status, body }).ask({ id: "x" })).rejects.toMatchObject({ code });
  });

  it.each([{ days: 0 }, { days: 366 }, { days: 1.5 }, { vs: "x".repeat(11) }])("refuses %j", async (more) => {
    const { ask, seen } = open();
    await expect(ask({ id: "stellar", ...more })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(seen).toEqual([]);
  });
});
