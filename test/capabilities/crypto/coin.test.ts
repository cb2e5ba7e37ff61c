import { describe, expect, it } from "vitest";
import { cryptoCoin } from "../../../src/capabilities/crypto/market/coin.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const MARKET = [
  "fully_diluted_valuation total_volume high_24h low_24h ath ath_change_percentage atl atl_date",
  "price_change_percentage_7d price_change_percentage_30d price_change_percentage_1y circulating_supply total_supply",
].join(" ");
const COIN = emptyBut("block_time_in_minutes hashing_algorithm image", {
  id: "tether",
  symbol: "usdt",
  name: "Tether",
  platforms: { ethereum: "0xdac1", "": "" },
  categories: ["Stablecoins", null, ""],
  description: { en: 'Tied to <a href="https://x.example">the dollar</a>.\r\nSince 2014.' },
  links: emptyBut("whitepaper twitter_screen_name repos_url", {
    homepage: ["https://tether.to", "", ""],
    blockchain_site: ["https://etherscan.io", ""],
    subreddit_url: "",
  }),
  genesis_date: null,
  market_cap_rank: 3,
  last_updated: "2026-04-07T15:24:51.021Z",
  market_data: emptyBut(MARKET, {
    current_price: { usd: 1.0002, eur: 0.92 },
    market_cap: { usd: 9e10 },
    ath_date: { usd: "2018-07-24T00:00:00.000Z" },
    price_change_percentage_24h: -0.01,
    max_supply: null,
  }),
});

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (id: string, secrets: Record<string, string> = {}) =>
    cryptoCoin({ id }, { fetch: fake.fetch, secrets, cache: false });
  return { ...fake, ask };
}

describe("crypto.coin", () => {
  it("gives a coin's profile and market, with null for what is empty", async () => {
    const { ask, seen } = open({ url: "/coins/tether?", body: COIN });
    const { items, source } = await ask(" Tether ");
    expect(items[0]).toMatchObject({
      id: "tether",
      description: "Tied to the dollar.\nSince 2014.",
      categories: ["Stablecoins"],
      platforms: { ethereum: "0xdac1" },
      homepage: "https://tether.to",
      explorers: ["https://etherscan.io"],
      subreddit: null,
      genesisDate: null,
      priceUsd: 1.0002,
      marketCapUsd: 9e10,
      change24hPct: -0.01,
      athDate: "2018-07-24T00:00:00.000Z",
      atlUsd: null,
      maxSupply: null,
      lastUpdated: "2026-04-07T15:24:51.021Z",
    });
    expect(source.url).toBe("https://www.coingecko.com/en/coins/tether");
    expect(seen[0]?.headers.has("x-cg-demo-api-key")).toBe(false);
  });

  it("survives a coin that nobody trades", async () => {
    const { market_data: _, ...dead } = COIN;
    const { items, meta } = await open({ url: "", body: dead }).ask("tether");
    expect(meta).toEqual({ unavailable: ["market"] });
    expect(items[0]).toMatchObject({ priceUsd: null, circulatingSupply: null });
  });

  it("sends the host's key where there is one", async () => {
    const { ask, seen } = open({ url: "", body: COIN });
    await ask("tether", { COINGECKO_API_KEY: "demo" });
    expect(seen[0]?.headers.get("x-cg-demo-api-key")).toBe("demo");
  });

  it.each([
    [404, { error: "coin not found" }, "NOT_FOUND"],
    [429, { status: { error_code: 429, error_message: "Rate Limit" } }, "UPSTREAM_RATE_LIMIT"],
    [401, { status: { error_code: 10002, error_message: "API Key Missing" } }, "PROVIDER_NOT_CONFIGURED"],
    [401, { error: { status: { error_code: 10012 } } }, "INVALID_INPUT"],
    [403, "<html>", "UPSTREAM_ERROR"],
    [200, { symbol: "usdt" }, "UPSTREAM_SCHEMA"],
  ])("takes a %i with %j for %s", async (status, body, code) => {
    const { ask } = open({ url: "", status, body, headers: { "retry-after": "60" } });
    await expect(ask("tether")).rejects.toMatchObject({ code });
  });

  it.each(["", "  ", "x".repeat(81)])("refuses the id %j without asking", async (id) => {
    const { ask, seen } = open();
    await expect(ask(id)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(seen).toEqual([]);
  });

  it("never answers with an old price", async () => {
    const { fetch } = fakeUpstream([
      { url: "/coins/", body: COIN },
      { url: "/coins/", status: 503 },
    ]);
    let now = Date.parse("2026-04-07T00:00:00Z");
    const options = { fetch, secrets: {}, clock: () => new Date(now) };
    await cryptoCoin({ id: "tether" }, options);
    now += 3 * 60_000;
    await expect(cryptoCoin({ id: "tether" }, options)).rejects.toMatchObject({ code: "UPSTREAM_ERROR" });
  });
});
