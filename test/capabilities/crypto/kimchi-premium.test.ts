import { describe, expect, it } from "vitest";
import { cryptoKimchiPremium } from "../../../src/capabilities/crypto/market/kimchi-premium.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const won = (symbol: string, trade_price: number) => ({
  market: `KRW-${symbol}`,
  trade_price,
  acc_trade_price_24h: 167_740_032_580.7,
  timestamp: 1_753_894_995_113,
});
const RATE = { url: "frankfurter", body: { base: "USD", date: "2025-07-30", rates: { KRW: 1400 } } };
const dollars = (symbol: string, price: string) => ({
  url: `/products/${symbol}-USD/ticker`,
  body: emptyBut("bid ask volume trade_id", { price, time: "2025-07-30T17:03:15Z" }),
});
const noBinance = { url: "binance", status: 400, body: { code: -1121, msg: "Invalid symbol." } };

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof cryptoKimchiPremium>[0]) =>
    cryptoKimchiPremium(input, { fetch: fake.fetch, secrets: {}, cache: false });
  return { ...fake, ask };
}

describe("crypto.kimchi-premium", () => {
  it("compares prices in Korea with those in the US at the bank rate, in the order asked", async () => {
    const { ask, seen } = open(
      { url: "upbit.com/v1/ticker", body: [won("ETH", 2_520_000), won("BTC", 154_000_000)] },
      dollars("BTC", "100000"),
      dollars("ETH", "2000"),
      RATE,
    );
    const { items, total, meta } = await ask({ symbol: "btc, eth,BTC" });
    expect(items).toEqual([
      {
        symbol: "BTC",
        krwPrice: 154_000_000,
        usdPrice: 100_000,
        usdKrwRate: 1400,
        krwPriceInUsd: 110_000,
        premiumPct: 10,
        volume24hKrw: 167_740_032_580.7,
        krwExchange: "upbit",
        usdExchange: "coinbase",
        timestamp: "2025-07-30T17:03:15.113Z",
      },
      expect.objectContaining({ symbol: "ETH", premiumPct: -10, krwPriceInUsd: 1800 }),
    ]);
    expect({ total, meta }).toEqual({
      total: 2,
      meta: { usdKrwRate: 1400, rateDate: "2025-07-30", averagePremiumPct: 0, skipped: [] },
    });
    expect(seen[0]?.url.searchParams.get("markets")).toBe("KRW-BTC,KRW-ETH");
  });

  it("asks Bithumb instead, for five coins when none is named", async () => {
    const { ask, seen } = open(
      { url: "api.bithumb.com/v1/ticker", body: [won("XRP", 4200)] },
      dollars("XRP", "3"),
      RATE,
    );
    expect(await ask({ exchange: "bithumb" })).toMatchObject({
      items: [{ symbol: "XRP", premiumPct: 0, krwExchange: "bithumb" }],
      meta: { skipped: ["BTC", "ETH", "SOL", "DOGE"] },
    });
    expect(seen[0]?.url.searchParams.get("markets")).toBe("KRW-BTC,KRW-ETH,KRW-XRP,KRW-SOL,KRW-DOGE");
  });

  it("asks one by one when the list holds a symbol that is not traded in won", async () => {
    const unknown = { status: 404, body: { error: { name: 404, message: "Code not found" } } };
    const { ask } = open(
      { url: "markets=KRW-BTC%2CKRW-NOPE", ...unknown },
      { url: "markets=KRW-NOPE", ...unknown },
      { url: "markets=KRW-BTC", body: [won("BTC", 154_000_000)] },
      dollars("BTC", "100000"),
      RATE,
    );
    expect(await ask({ symbol: "BTC,NOPE" })).toMatchObject({
      items: [{ symbol: "BTC" }],
      meta: { skipped: ["NOPE"] },
    });
  });

  it("takes Binance's price for what Coinbase does not trade, or while Coinbase is down", async () => {
    const legs = [{ url: "upbit", body: [won("BNB", 1_540_000)] }, RATE];
    const atBinance = { url: "binance.vision/api/v3/ticker/price?symbol=BNBUSDT", body: { price: "1000" } };
    for (const status of [404, 520]) {
      const { ask } = open(...legs, { url: "coinbase", status }, atBinance);
      expect(await ask({ symbol: "BNB" })).toMatchObject({ items: [{ premiumPct: 10, usdExchange: "binance" }] });
    }
  });

  it("has nothing for symbols that are not traded on both sides", async () => {
    const inWon = { url: "upbit", body: [won("ZZZ", 1)] };
    await expect(
      open(inWon, RATE, { url: "coinbase", status: 404 }, noBinance).ask({ symbol: "ZZZ" }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(open({ url: "upbit", status: 404 }).ask({ symbol: "ZZZ" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it.each<[string, Exchange[]]>([
    ["the exchanges in dollars", [RATE, { url: "coinbase", status: 520 }, { url: "binance", status: 520 }]],
    ["the bank rate", [dollars("BTC", "1"), { url: "frankfurter", status: 520 }, { url: "ecb", status: 520 }]],
  ])("sells nothing without %s", async (_, legs) => {
    const { ask } = open({ url: "upbit", body: [won("BTC", 1)] }, ...legs);
    await expect(ask({ symbol: "BTC" })).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });

  it.each(["B", "BTC,E!H", "KRW-BTC", "", Array.from({ length: 11 }, (_, index) => `C${index}`).join()])(
    "refuses the symbols %j without asking",
    async (symbol) => {
      const { ask, seen } = open();
      await expect(ask({ symbol })).rejects.toMatchObject({ code: "INVALID_INPUT" });
      expect(seen).toEqual([]);
    },
  );
});
