import { describe, expect, it } from "vitest";
import { cryptoDexPools } from "../../../src/capabilities/crypto/dex/dex-pools.js";
import { includedOf, poolPage, poolRow } from "../../support/dex.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof cryptoDexPools>[0], secrets: Record<string, string> = {}) =>
    cryptoDexPools(input, { fetch: fake.fetch, secrets, cache: false });
  return { ...fake, ask };
}

describe("crypto.dex-pools", () => {
  it("describes a network's pools with the names of their tokens", async () => {
    const { ask, seen } = open({
      url: "/networks/polygon_pos/trending_pools",
      body: { data: [poolRow("polygon_pos", "0x88e6")], included: includedOf("polygon_pos") },
    });
    const { items, total, meta } = await ask({ network: "Polygon" });
    expect(items).toEqual([
      {
        id: "polygon_pos_0x88e6",
        network: "polygon_pos",
        address: "0x88e6",
        name: "WETH / USDC 0.05%",
        dexId: "uniswap_v3",
        dexName: "Uniswap V3",
        createdAt: "2021-12-29T12:35:14.000Z",
        baseToken: { address: "0xc02a", symbol: "WETH", name: "Wrapped Ether" },
        quoteToken: { address: "0xa0b8", symbol: null, name: null },
        priceUsd: 2084.57,
        fdvUsd: 4_700_091_001.66,
        marketCapUsd: null,
        reserveUsd: -97.36,
        volume24hUsd: 122_795_216.58,
        change24hPct: -1.887,
        buys24h: 2436,
        sells24h: 2385,
        buyers24h: 863,
        sellers24h: 989,
        url: "https://www.geckoterminal.com/polygon_pos/pools/0x88e6",
      },
    ]);
    expect({ total, meta }).toEqual({ total: null, meta: { network: "polygon_pos", kind: "trending" } });
    expect(seen[0]?.headers.get("accept")).toBe("application/json;version=20230302");
  });

  it("leaves out what a thin row does not say", async () => {
    const { id, attributes } = poolRow("solana", "8myc");
    const { address, name } = attributes;
    const POOL =
      "pool_created_at fdv_usd market_cap_usd reserve_in_usd volume_usd price_change_percentage transactions";
    const thin = {
      id,
      attributes: emptyBut(POOL, { address, name, base_token_price_usd: "NaN" }),
      relationships: { dex: null, base_token: null, quote_token: null },
    };
    const { items } = await open({ url: "", body: { data: [thin] } }).ask({ network: "solana" });
    expect(items[0]).toMatchObject({ priceUsd: null, baseToken: null, dexId: null, dexName: null, buys24h: null });
  });

  it("turns pages up to the limit, and stops at a short one", async () => {
    const pages = [
      { url: "page=1", body: poolPage("eth", 20) },
      { url: "page=2", body: poolPage("eth", 20, 19) },
      { url: "page=3", body: poolPage("eth", 5, 40) },
    ];
    const three = open(...pages);
    // One pool had slipped from the first page to the second.
    expect((await three.ask({ network: "eth", kind: "new", limit: 50 })).items).toHaveLength(44);
    expect(three.seen.map(({ url }) => url.searchParams.get("page"))).toEqual(["1", "2", "3"]);
    const one = open(...pages);
    expect((await one.ask({ network: "eth", limit: 3 })).items).toHaveLength(3);
    expect(one.seen).toHaveLength(1);
    const short = open({ url: "page=1", body: poolPage("eth", 7) });
    expect((await short.ask({ network: "eth", limit: 50 })).items).toHaveLength(7);
    expect(short.seen).toHaveLength(1);
  });

  it("asks CoinGecko while GeckoTerminal wants a pause, where the host has a key", async () => {
    const busy = { url: "api.geckoterminal.com", status: 429, headers: { "retry-after": "60" } };
    const { ask, seen } = open(busy, {
      url: "api.coingecko.com/api/v3/onchain/networks/eth",
      body: poolPage("eth", 2),
    });
    expect((await ask({ network: "eth" }, { COINGECKO_API_KEY: "demo" })).items).toHaveLength(2);
    expect(seen.map(({ headers }) => headers.get("x-cg-demo-api-key"))).toEqual([null, "demo"]);
    await expect(ask({ network: "eth" })).rejects.toMatchObject({ code: "UPSTREAM_RATE_LIMIT", retryAfter: 60 });
  });

  it.each([
    [404, { errors: [{ status: "404", title: "Not Found" }] }, "NOT_FOUND"],
    [401, { errors: [{ status: "401", title: "exceeds the allowed max number for page" }] }, "UPSTREAM_ERROR"],
    [400, { errors: [{ status: "400", title: "Bad" }] }, "INVALID_INPUT"],
    [200, { data: [{ id: "eth_0x1" }] }, "UPSTREAM_SCHEMA"],
  ])("takes a %i with %j for %s", async (status, body, code) => {
    await expect(open({ url: "", status, body }).ask({ network: "eth" })).rejects.toMatchObject({ code });
  });
});
