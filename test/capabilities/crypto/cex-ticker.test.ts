import { describe, expect, it } from "vitest";
import { cryptoCexTicker } from "../../../src/capabilities/crypto/market/cex-ticker.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const TICKER = {
  price: "110.00",
  bid: "109.99",
  ask: "110.01",
  volume: "5",
  trade_id: 7,
  time: "2026-06-19T16:43:33.016274911Z",
};
const STATS = { open: "100", high: "120", low: "90", volume: "4918.33", volume_30day: "269980.6" };

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  return { ...fake, ask: (pair: string) => cryptoCexTicker({ pair }, { fetch: fake.fetch, cache: false }) };
}

describe("crypto.cex-ticker", () => {
  it("gives price, spread and the last 24 hours of a pair, whatever its case", async () => {
    const { ask } = open({ url: "/products/BTC-USD/ticker", body: TICKER }, { url: "/BTC-USD/stats", body: STATS });
    const { items, meta } = await ask("btc-usd");
    expect(items).toEqual([
      {
        pair: "BTC-USD",
        price: 110,
        bid: 109.99,
        ask: 110.01,
        open24h: 100,
        high24h: 120,
        low24h: 90,
        change24h: 10,
        changePct24h: 10,
        volume24h: 4918.33,
        volume30d: 269_980.6,
        tradeId: 7,
        time: "2026-06-19T16:43:33.016Z",
      },
    ]);
    expect(meta).toBeUndefined();
  });

  it("says so when the 24 hours are missing", async () => {
    const { ask } = open({ url: "/ticker", body: TICKER }, { url: "/stats", status: 400, body: {} });
    const { items, meta } = await ask("BTC-USD");
    expect(items[0]).toMatchObject({ price: 110, open24h: null, changePct24h: null, volume24h: 5 });
    expect(meta).toEqual({ partial: true });
  });

  it("has nothing to sell without a price", async () => {
    const stats = { url: "/stats", body: STATS };
    await expect(open({ url: "/ticker", status: 404 }, stats).ask("NO-SUCH")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(open({ url: "/ticker", body: { bid: "1" } }, stats).ask("BTC-USD")).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
  });

  it.each(["BTCUSD", "BTC-USD-EUR", "B-USD", "BTC-", "../BTC-USD"])("refuses the pair %s", async (pair) => {
    const { ask, seen } = open();
    await expect(ask(pair)).rejects.toMatchObject({ code: "INVALID_INPUT", issues: [{ path: "pair" }] });
    expect(seen).toEqual([]);
  });
});
