import { describe, expect, it } from "vitest";
import { cryptoDexTokenPools } from "../../../src/capabilities/crypto/dex/dex-token-pools.js";
import { poolRow } from "../../support/dex.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (network: string, address: string) =>
    cryptoDexTokenPools({ network, address }, { fetch: fake.fetch, secrets: {}, cache: false });
  return { ...fake, ask };
}

describe("crypto.dex-token-pools", () => {
  it("gives a token's pools with its price in each", async () => {
    const { ask, seen } = open({
      url: "/networks/eth/tokens/0xdac17f958d2ee523a2206206994597c13d831ec7/pools",
      body: { data: [poolRow("eth", "0x395f", { token_price_usd: "0.9984" })] },
    });
    const { items, meta } = await ask("eth", "0xdAC17F958D2ee523a2206206994597C13D831ec7");
    expect(items).toMatchObject([{ address: "0x395f", tokenPriceUsd: 0.9984, baseToken: { symbol: null } }]);
    const token = { network: "eth", address: "0xdac17f958d2ee523a2206206994597c13d831ec7" };
    // The names stand beside the rows, and are not there.
    expect(meta).toEqual({ ...token, unavailable: ["names"] });
    expect(seen[0]?.url.searchParams.get("sort")).toBe("h24_volume_usd_liquidity_desc");
  });

  it("keeps the case of an address where it matters", async () => {
    const { ask, seen } = open({ url: "", body: { data: [] } });
    expect(await ask("solana", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")).toMatchObject({ items: [] });
    expect(seen[0]?.url.pathname).toContain("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");
  });

  it("does not know a token that is not there", async () => {
    await expect(open({ url: "", status: 404, body: { errors: [] } }).ask("eth", "0x1")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it.each(["..", "."])("does not climb to %s", async (address) => {
    const { ask, seen } = open();
    await expect(ask("eth", address)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(seen).toEqual([]);
  });
});
