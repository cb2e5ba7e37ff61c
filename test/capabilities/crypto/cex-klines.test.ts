import { describe, expect, it } from "vitest";
import { cryptoCexKlines } from "../../../src/capabilities/crypto/market/cex-klines.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof cryptoCexKlines>[0]) =>
    cryptoCexKlines(input, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

/** As the exchange sends it: time, low, high, open, close, volume. */
const bar = (time: number) => [time, 1, 4, 2, 3, 0.5];

describe("crypto.cex-klines", () => {
  it("gives the newest bars, oldest first, with the columns in their usual order", async () => {
    const { ask, seen } = open({
      url: "/products/ETH-EUR/candles",
      body: [bar(1_781_887_140), bar(1_781_887_080), bar(1_781_887_020)],
    });
    const { items, total, meta } = await ask({ pair: "eth-eur", interval: "1m", limit: 2 });
    expect(items).toEqual([
      { time: "2026-06-19T16:38:00.000Z", open: 2, high: 4, low: 1, close: 3, volume: 0.5 },
      { time: "2026-06-19T16:39:00.000Z", open: 2, high: 4, low: 1, close: 3, volume: 0.5 },
    ]);
    expect({ total, meta }).toEqual({ total: 2, meta: { pair: "ETH-EUR", interval: "1m" } });
    expect(seen[0]?.url.searchParams.get("granularity")).toBe("60");
  });

  it.each([
    ["1h", "3600"],
    ["6h", "21600"],
    ["1d", "86400"],
  ] as const)("asks for %s as %s seconds", async (interval, granularity) => {
    const { ask, seen } = open({ url: "", body: [] });
    expect(await ask({ pair: "BTC-USD", interval })).toMatchObject({ items: [], total: 0 });
    expect(seen[0]?.url.searchParams.get("granularity")).toBe(granularity);
  });

  it("asks Coinbase's newer API while the older one is down or wants a pause", async () => {
    const start = String(Date.parse("2026-06-19T16:00:00Z") / 1000);
    const body = { candles: [{ start, low: "1", high: "4", open: "2", close: "3", volume: "0.5" }] };
    for (const status of [429, 520]) {
      const { fetch, seen } = fakeUpstream([
        { url: "api.exchange.coinbase.com", status, headers: { "retry-after": "60" } },
        { url: "api.coinbase.com/api/v3/brokerage/market/products/BTC-USD/candles", body },
      ]);
      const clock = () => new Date("2026-06-19T16:39:00Z");
      const { items } = await cryptoCexKlines({ pair: "BTC-USD" }, { fetch, clock, cache: false });
      expect(items).toEqual([{ time: "2026-06-19T16:00:00.000Z", open: 2, high: 4, low: 1, close: 3, volume: 0.5 }]);
      const end = Date.parse("2026-06-19T17:00:00Z") / 1000;
      expect(Object.fromEntries(seen.at(-1)?.url.searchParams ?? [])).toEqual({
        granularity: "ONE_HOUR",
        start: String(end - 300 * 3600),
        end: String(end),
      });
    }
  });

  it.each([
    [404, { message: "NotFound" }, "NOT_FOUND"],
    [400, { message: "Unsupported granularity" }, "INVALID_INPUT"],
    [200, [[1_781_887_140, 1, 4, 2]], "UPSTREAM_SCHEMA"],
    [200, [[1_781_887_140, 1, 4, null, 3, 1]], "UPSTREAM_SCHEMA"],
  ])("takes a %i with %j for %s", async (status, body, code) => {
    await expect(open({ url: "", status, body }).ask({ pair: "BTC-USD" })).rejects.toMatchObject({ code });
  });
});
