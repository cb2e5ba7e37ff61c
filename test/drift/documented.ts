/**
 * Runs against answers that were never recorded here, made up after their provider's documentation: the names and types of
 * their fields are the documented ones, their values are nobody's. Shapes derived from them say so.
 */

import { workbookOf } from "../support/industry-tables.js";
import type { Recording } from "../support/recordings.js";

const exchange = (url: string, body: unknown, more: object = {}): Recording["exchanges"][number] => ({
  ...{ method: "GET", url, status: 200, contentType: "application/json", headers: {}, body },
  ...more,
});

/** Of api.upbit.com (docs.upbit.com, "ticker") and, field by field, of api.bithumb.com, whose API follows it. */
const wonTicker = (market: string) => ({
  market,
  ...{ trade_date: "20260501", trade_time: "120000", trade_date_kst: "20260501", trade_time_kst: "210000" },
  ...{ trade_timestamp: 1777636800000, opening_price: 100000000, high_price: 110000000, low_price: 90000000 },
  ...{ trade_price: 105000000, prev_closing_price: 100000000, change: "RISE", change_price: 5000000 },
  ...{ change_rate: 0.05, signed_change_price: 5000000, signed_change_rate: 0.05, trade_volume: 0.5 },
  ...{ acc_trade_price: 90000000000.5, acc_trade_price_24h: 100000000000.5, acc_trade_volume: 900.5 },
  ...{ acc_trade_volume_24h: 1000.5, highest_52_week_price: 120000000, highest_52_week_date: "2026-01-05" },
  ...{ lowest_52_week_price: 80000000, lowest_52_week_date: "2025-08-05", timestamp: 1777636800123 },
});

const wonPrices = (host: string) =>
  exchange(`https://${host}/v1/ticker?markets=KRW-BTC,KRW-ETH`, [wonTicker("KRW-BTC"), wonTicker("KRW-ETH")]);
const WON_RATE = exchange("https://api.frankfurter.dev/v1/latest?base=USD&symbols=KRW", {
  ...{ amount: 1, base: "USD", date: "2026-05-01", rates: { KRW: 1400.5 } },
});
/** developers.binance.com, "Symbol price ticker". */
const dollarPrices = ["BTC", "ETH"].flatMap((symbol) => [
  exchange(`https://api.exchange.coinbase.com/products/${symbol}-USD/ticker`, { message: "NotFound" }, { status: 404 }),
  exchange(`https://data-api.binance.vision/api/v3/ticker/price?symbol=${symbol}USDT`, {
    symbol: `${symbol}USDT`,
    price: "70000.50000000",
  }),
]);

/** The sheet of January 2022: its titles, its headers, and lands that there are none. */
function countryRisk(): string {
  const risks = Array.from({ length: 120 }, (_, i) => [`Land ${i}`, "x", "Aaa", 0, 0.0424, 0, "NA", "NA", "NA"]);
  const rows = [
    ["Country and Equity Risk Premiums"],
    ["Enter the current risk premium for a mature equity market", null, null, null, 0.04, "Updated January 1, 2026"],
    [
      ...["Country", "Africa", "Moody's rating", "Rating-based Default Spread", "Total Equity Risk Premium"],
      ...["Country Risk Premium", "Sovereign CDS, net of US", "Total Equity Risk Premium2", "Country Risk Premium3"],
    ],
    ["Germany", "Western Europe", "Aaa", 0, 0.0424, 0, "NA", "NA", "NA"],
    ...risks,
  ];
  return workbookOf(rows, "ERPs by country").toString("base64");
}
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const run = (
  name: string,
  recorded: Omit<Recording, "file" | "expect" | "expectApprox" | "contains" | "origin">,
): Recording => ({
  ...recorded,
  ...{ file: `documented/${name}`, expect: {}, expectApprox: {}, contains: [], origin: {} },
});
const NOW = "2026-05-01T12:00:30Z";

export const documented: readonly Recording[] = [
  run("adsbdb", {
    capability: "aircraft.lookup",
    input: { icao24: "aa3487" },
    secrets: { AIRCRAFT_SOURCE: "adsbdb" },
    now: NOW,
    exchanges: [
      // www.adsbdb.com, "Routes".
      exchange("https://api.adsbdb.com/v0/aircraft/aa3487", {
        response: {
          aircraft: {
            ...{
              type: "Cloud 100",
              icao_type: "CLD1",
              manufacturer: "Example",
              mode_s: "AA3487",
              registration: "N757F",
            },
            ...{ registered_owner_country_iso_name: "US", registered_owner_country_name: "United States" },
            ...{ registered_owner_operator_flag_code: "EXA", registered_owner: "Example Air" },
            ...{ url_photo: "https://photos.example/1.jpg", url_photo_thumbnail: "https://photos.example/1s.jpg" },
          },
        },
      }),
    ],
  }),
  run("upbit-and-binance", {
    capability: "crypto.kimchi-premium",
    input: { symbol: "BTC,ETH" },
    secrets: {},
    now: NOW,
    exchanges: [wonPrices("api.upbit.com"), WON_RATE, ...dollarPrices],
  }),
  run("bithumb", {
    capability: "crypto.kimchi-premium",
    input: { symbol: "BTC,ETH", exchange: "bithumb" },
    secrets: {},
    now: NOW,
    exchanges: [wonPrices("api.bithumb.com"), WON_RATE, ...dollarPrices],
  }),
  run("damodaran", {
    capability: "country.financials",
    input: { code: "DE" },
    secrets: { COUNTRY_RISK_SOURCE: "damodaran" },
    now: NOW,
    exchanges: [
      exchange("https://pages.stern.nyu.edu/~adamodar/pc/datasets/ctryprem.xlsx", countryRisk(), {
        contentType: XLSX,
        bodyEncoding: "base64",
      }),
    ],
  }),
];
