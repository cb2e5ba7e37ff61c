import { describe, expect, it } from "vitest";
import { cryptoPerpvenueFunding } from "../../../src/capabilities/crypto/market/perpvenue-funding.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const market = (name: string, more = {}) => ({ name, szDecimals: 2, maxLeverage: 20, ...more });
const state = (funding: string, openInterest: string, dayNtlVlm: string, more = {}) => ({
  funding,
  openInterest,
  dayNtlVlm,
  markPx: "10",
  oraclePx: "10.01",
  midPx: "10.005",
  premium: "-0.0005",
  prevDayPx: "8",
  ...more,
});
const ANSWER = [
  {
    universe: [
      market("BTC"),
      market("kPEPE", { onlyIsolated: true }),
      market("ATOM"),
      market("MATIC", { isDelisted: true }),
    ],
    collateralToken: 0,
  },
  [
    state("0.00001", "300", "20"),
    state("-0.00009", "100", "30"),
    state("0.00002", "200", "10"),
    state("0.0", "0.0", "0.0", { premium: null, midPx: null, prevDayPx: "0.0" }),
  ],
];

function open(exchange: Partial<Exchange> = { body: ANSWER }) {
  const fake = fakeUpstream([{ url: "/info", ...exchange }]);
  const ask = (input: Parameters<typeof cryptoPerpvenueFunding>[0]) =>
    cryptoPerpvenueFunding(input, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

describe("crypto.perpvenue-funding", () => {
  it("gives one coin, whatever the case of its symbol", async () => {
    const { ask, seen } = open();
    const { items, total, meta } = await ask({ coin: "KPEPE" });
    expect(items).toEqual([
      {
        coin: "kPEPE",
        fundingRate: -0.00009,
        fundingRateAnnualPct: -78.84,
        openInterest: 100,
        openInterestUsd: 1000,
        markPrice: 10,
        oraclePrice: 10.01,
        midPrice: 10.005,
        premium: -0.0005,
        volume24hUsd: 30,
        prevDayPrice: 8,
        change24hPct: 25,
        maxLeverage: 20,
        onlyIsolated: true,
        delisted: false,
      },
    ]);
    expect({ total, meta }).toEqual({ total: 1, meta: { intervalHours: 1 } });
    expect(JSON.parse(seen[0]?.body ?? "")).toEqual({ type: "metaAndAssetCtxs" });
  });

  it.each([
    [undefined, ["BTC", "ATOM", "kPEPE"]],
    ["oi", ["BTC", "ATOM", "kPEPE"]],
    ["volume", ["kPEPE", "BTC", "ATOM"]],
    ["funding", ["kPEPE", "ATOM", "BTC"]],
  ] as const)("sorts by %s, without delisted coins", async (sort, coins) => {
    const { items, total } = await open().ask({ sort });
    expect(items.map(({ coin }) => coin)).toEqual(coins);
    expect(total).toBe(3);
  });

  it("gives a delisted coin to who names it", async () => {
    const { items } = await open().ask({ coin: "matic" });
    expect(items[0]).toMatchObject({ delisted: true, midPrice: null, premium: null, change24hPct: null });
  });

  it("cuts to the limit, and counts all", async () => {
    const { items, total } = await open().ask({ limit: 1 });
    expect([items.length, total]).toEqual([1, 3]);
  });

  it("does not know a coin that is not there", async () => {
    await expect(open().ask({ coin: "NOPE" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["nothing", { body: "null" }, "UPSTREAM_SCHEMA"],
    ["states that do not fit the markets", { body: [ANSWER[0], [state("0", "0", "0")]] }, "UPSTREAM_SCHEMA"],
    ["a refusal of the body", { status: 422, body: "Failed to deserialize" }, "UPSTREAM_ERROR"],
  ])("reports %s", async (_, exchange, code) => {
    await expect(open(exchange).ask({})).rejects.toMatchObject({ code });
  });
});
