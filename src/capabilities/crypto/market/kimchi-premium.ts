import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { codeList } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import type { Context } from "../../../capability/types.js";
import { CapabilityError } from "../../../errors.js";
import { exact } from "../../../lib/exact.js";
import { SECOND_MS } from "../../../lib/time.js";
import { binance } from "../../../providers/binance/provider.js";
import { bithumb } from "../../../providers/bithumb/provider.js";
import { readTicker } from "../../../providers/coinbase/products.js";
import { coinbase } from "../../../providers/coinbase/provider.js";
import { frankfurter } from "../../../providers/frankfurter/provider.js";
import { upbit } from "../../../providers/upbit/provider.js";
import { readWonTickers } from "../../../providers/upbit/tickers.js";
import { upstream } from "../../../upstream/client.js";
import { failover } from "../../../upstream/failover.js";
import { figure } from "../../../upstream/fields.js";
import { convertCurrency } from "../../convert/currency.js";

const EXCHANGES = { upbit, bithumb } as const;
const MAX_SYMBOLS = 10;

export const cryptoKimchiPremium = /* @__PURE__ */ defineCapability({
  id: "crypto.kimchi-premium",
  summary: "The kimchi premium: by how many percent coins cost more in Korea than in the US, at the day's bank rate.",
  keywords: ["korea", "krw", "won", "upbit", "bithumb", "arbitrage", "price gap", "cross-market", "bitcoin"],
  price: "0.00144",
  origins: [upbit, bithumb, coinbase, binance, frankfurter],
  source: {
    provider: "Upbit or Bithumb, Coinbase or Binance, European Central Bank",
    url: "https://upbit.com",
    license: "Exchanges' API terms; ECB reference rates free with source acknowledgement",
  },
  input: () =>
    z.strictObject({
      symbol: codeList({
        pattern: /^[A-Z0-9]{2,10}$/,
        what: "symbols of 2 to 10 letters and digits, such as BTC,ETH",
        max: MAX_SYMBOLS,
        maxLength: 150,
      })
        .prefault("BTC,ETH,XRP,SOL,DOGE")
        .describe(`Ticker symbols, at most ${MAX_SYMBOLS}, divided by commas`),
      exchange: z.enum(["upbit", "bithumb"]).default("upbit").describe("The Korean exchange"),
    }),
  output: rows(() =>
    z.object({
      symbol: z.string(),
      krwPrice: z.number().describe("In Korean won, on the Korean exchange"),
      usdPrice: z.number().describe("In US dollars, or in the dollar coin USDT where Binance is the exchange"),
      usdKrwRate: z.number().describe("Won for one US dollar: the ECB's reference rate of `data.meta.rateDate`"),
      krwPriceInUsd: z.number(),
      premiumPct: z.number().describe("Negative where Korea is cheaper"),
      volume24hKrw: z.number().nullable(),
      krwExchange: z.enum(["upbit", "bithumb"]),
      usdExchange: z.enum(["coinbase", "binance"]),
      timestamp: z.string().describe("Of the price in won"),
    }),
  ),
  example: { symbol: "BTC,ETH" },
  async run({ symbol: symbols, exchange }, ctx) {
    const inWon = await readWonTickers(ctx, EXCHANGES[exchange], symbols);
    if (inWon.size === 0)
      throw new CapabilityError("NOT_FOUND", "None of these symbols is traded against the won there.");
    const [{ rate, date }, ...inDollars] = await Promise.all([
      ctx.call(convertCurrency, { from: "USD", to: "KRW" }),
      ...symbols.map((symbol) => (inWon.has(symbol) ? dollarPrice(ctx, symbol) : undefined)),
    ]);
    const items = symbols.flatMap((symbol, index) => {
      const [won, dollars] = [inWon.get(symbol), inDollars[index]];
      if (!won || !dollars) return [];
      const krwPriceInUsd = won.trade_price / rate;
      return {
        symbol,
        krwPrice: won.trade_price,
        usdPrice: dollars.price,
        usdKrwRate: rate,
        krwPriceInUsd: exact(krwPriceInUsd),
        premiumPct: exact((krwPriceInUsd / dollars.price - 1) * 100),
        volume24hKrw: won.acc_trade_price_24h,
        krwExchange: exchange,
        usdExchange: dollars.exchange,
        timestamp: won.timestamp,
      };
    });
    if (items.length === 0) throw new CapabilityError("NOT_FOUND", "None of these symbols is traded on both sides.");
    const listed = new Set(items.map(({ symbol }) => symbol));
    return {
      items,
      total: items.length,
      meta: {
        usdKrwRate: rate,
        rateDate: date,
        averagePremiumPct: exact(items.reduce((sum, { premiumPct }) => sum + premiumPct, 0) / items.length),
        skipped: symbols.filter((symbol) => !listed.has(symbol)),
      },
    };
  },
});

interface DollarPrice {
  price: number;
  exchange: "coinbase" | "binance";
}

/** At Coinbase, or at Binance if Coinbase does not trade it or is down. Undefined if neither trades it. */
async function dollarPrice(ctx: Context, symbol: string): Promise<DollarPrice | undefined> {
  const atBinance = () => binancePrice(ctx, symbol);
  const atCoinbase = async () => {
    const ticker = await readTicker(ctx, `${symbol}-USD`);
    return ticker && positive({ price: ticker.price, exchange: "coinbase" });
  };
  return (await failover(atCoinbase, atBinance)) ?? atBinance();
}

async function binancePrice(ctx: Context, symbol: string): Promise<DollarPrice | undefined> {
  const ticker = await upstream(ctx, binance).get("/ticker/price", {
    query: { symbol: `${symbol}USDT` },
    schema: z.object({ price: figure() }),
    // An unknown symbol is a bad request there.
    absent: [400],
    ttlMs: 15 * SECOND_MS,
  });
  return ticker && positive({ price: ticker.price, exchange: "binance" });
}

/** A market that was never traded has a price of zero, which cannot be compared. */
const positive = (found: DollarPrice) => (found.price > 0 ? found : undefined);
