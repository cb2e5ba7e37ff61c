import { describe, expect, it } from "vitest";
import { cryptoDexSearch } from "../../../src/capabilities/crypto/dex/dex-search.js";
import { poolPage } from "../../support/dex.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (input: Parameters<typeof cryptoDexSearch>[0]) =>
    cryptoDexSearch(input, { fetch: fake.fetch, secrets: {}, cache: false });
  return { ...fake, ask };
}

describe("crypto.dex-search", () => {
  it("finds pools, and says which network each is on", async () => {
    const { ask, seen } = open({ url: "/search/pools", body: poolPage("eth", 2) });
    const { items, total } = await ask({ query: " weth ", network: "Ethereum", limit: 1 });
    expect(items).toMatchObject([{ network: "eth", address: "0x0" }]);
    expect(items[0]).not.toHaveProperty("tokenPriceUsd");
    expect(total).toBeNull();
    expect(Object.fromEntries(seen[0]?.url.searchParams ?? [])).toMatchObject({ query: "weth", network: "eth" });
  });

  it("has no rows where nothing matches", async () => {
    const { ask, seen } = open({ url: "", body: { data: [], included: [] } });
    expect(await ask({ query: "nothing at all" })).toMatchObject({ items: [], total: null });
    expect(seen[0]?.url.searchParams.has("network")).toBe(false);
  });

  it("UP-3 reports another form instead of an empty list", async () => {
    await expect(open({ url: "", body: { pools: [] } }).ask({ query: "weth" })).rejects.toMatchObject({
      code: "UPSTREAM_SCHEMA",
    });
  });
});
