import { describe, expect, it } from "vitest";
import { cryptoChainTvlHistory } from "../../../src/capabilities/crypto/defi/chain-tvl-history.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const CHAINS = {
  url: "/v2/chains",
  body: [emptyBut("tokenSymbol gecko_id cmcId chainId", { name: "OP Mainnet", tvl: 1 }), { name: "Solana", tvl: 2 }],
};
const day = (date: string, tvl: number) => ({ date: Date.parse(date) / 1000, tvl });

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream(exchanges);
  const ask = (chain: string, limit?: number) =>
    cryptoChainTvlHistory({ chain, ...(limit ? { limit } : {}) }, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

describe("crypto.chain-tvl-history", () => {
  it("gives the newest days, oldest first, and counts all", async () => {
    const { ask } = open(CHAINS, {
      url: "/v2/historicalChainTvl/Solana",
      body: [day("2026-09-03", 3), day("2026-09-01", 1), day("2026-09-02", 2)],
    });
    expect(await ask("solana", 2)).toMatchObject({
      items: [
        { date: "2026-09-02", tvlUsd: 2 },
        { date: "2026-09-03", tvlUsd: 3 },
      ],
      total: 3,
      meta: { chain: "Solana" },
    });
  });

  it.each(["Optimism", "op mainnet", "OP"])("finds %s under the upstream's name", async (chain) => {
    const { ask, seen } = open(CHAINS, { url: "/historicalChainTvl/", body: [day("2026-09-01", 1)] });
    expect(await ask(chain)).toMatchObject({ meta: { chain: "OP Mainnet" } });
    expect(seen[1]?.url.pathname).toBe("/v2/historicalChainTvl/OP%20Mainnet");
  });

  it("does not know a chain that is not listed, and asks for no history of it", async () => {
    const { ask, seen } = open(CHAINS);
    await expect(ask("Nowhere")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(seen).toHaveLength(1);
  });

  it("tries a name as it is while there is no list", async () => {
    const noList = { url: "/v2/chains", status: 400 };
    const { ask } = open(noList, { url: "/historicalChainTvl/Base", body: [day("2026-09-01", 1)] });
    expect(await ask("Base")).toMatchObject({ total: 1 });
    await expect(open(noList, { url: "/historical", body: [] }).ask("Nowhere")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("UP-3 reports a day without a figure", async () => {
    const { ask } = open(CHAINS, { url: "/historical", body: [{ date: 1_788_307_200 }] });
    await expect(ask("Solana")).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
