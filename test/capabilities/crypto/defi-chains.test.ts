import { describe, expect, it } from "vitest";
import { cryptoDefiChains } from "../../../src/capabilities/crypto/defi/defi-chains.js";
import { fakeUpstream } from "../../support/upstream.js";

const CHAINS = [
  { name: "Solana", tvl: 25, tokenSymbol: "SOL", gecko_id: "solana", cmcId: "5426", chainId: null },
  { name: "Ethereum", tvl: 75, tokenSymbol: "ETH", gecko_id: "ethereum", cmcId: "1027", chainId: "1" },
  { name: "Tiny", tvl: null, chainId: "not a number" },
];
const ask = (limit: number, body: unknown = CHAINS) =>
  cryptoDefiChains({ limit }, { fetch: fakeUpstream([{ url: "/v2/chains", body }]).fetch, cache: false });

describe("crypto.defi-chains", () => {
  it("UP-2 a list without any chain is an upstream's failure", async () => {
    await expect(ask(3, [])).rejects.toMatchObject({ status: 502, code: "UPSTREAM_SCHEMA" });
  });

  it("ranks chains by what is locked on them", async () => {
    const { items, total, meta } = await ask(3);
    expect(items).toEqual([
      {
        rank: 1,
        name: "Ethereum",
        tvlUsd: 75,
        sharePct: 75,
        symbol: "ETH",
        chainId: 1,
        geckoId: "ethereum",
        cmcId: "1027",
      },
      {
        rank: 2,
        name: "Solana",
        tvlUsd: 25,
        sharePct: 25,
        symbol: "SOL",
        chainId: null,
        geckoId: "solana",
        cmcId: "5426",
      },
      { rank: 3, name: "Tiny", tvlUsd: 0, sharePct: 0, symbol: null, chainId: null, geckoId: null, cmcId: null },
    ]);
    expect({ total, meta }).toEqual({ total: 3, meta: { totalTvlUsd: 100 } });
  });

  it("cuts to the limit after the shares are known", async () => {
    const { items, total } = await ask(1);
    expect([items.map(({ name }) => name), items[0]?.sharePct, total]).toEqual([["Ethereum"], 75, 3]);
  });

  it("UP-3 reports another form", async () => {
    await expect(ask(1, [{ chain: "Ethereum" }])).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
