import { describe, expect, it } from "vitest";
import { cryptoDefi } from "../../../src/capabilities/crypto/defi/defi.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const protocol = (name: string, tvl: number | null, more: Record<string, unknown> = {}) => ({
  name,
  slug: name.toLowerCase().replace(" ", "-"),
  symbol: "-",
  category: "Lending",
  chains: ["Ethereum"],
  tvl,
  chainTvls: { Ethereum: tvl ?? 0 },
  ...emptyBut("change_1d change_7d", more),
});
const LIST = [
  protocol("Aave V2", 10, { symbol: "AAVE", parentProtocol: "parent#aave" }),
  protocol("Aave V3", 90, {
    symbol: "AAVE",
    parentProtocol: "parent#aave",
    chains: ["Ethereum", "OP Mainnet"],
    chainTvls: { Ethereum: 70, "OP Mainnet": 20, "OP Mainnet-borrowed": 15, borrowed: 15 },
    change_1d: 2.1,
    mcap: 45,
    audits: "2",
    listedAt: 1_648_776_877,
    gecko_id: "aave",
  }),
  protocol("Big Exchange", 500, { category: "CEX" }),
  protocol("Some Chain", 400, { category: "Chain" }),
  protocol("Lido", 80, { symbol: "LDO", slug: undefined }),
  protocol("Empty", null),
];
const PAGE = { ...protocol("Aave", null), tvl: [{ date: 1_743_638_747, totalLiquidityUSD: 100 }] };
const CHAINS = {
  url: "/v2/chains",
  body: [emptyBut("gecko_id cmcId chainId", { name: "OP Mainnet", tvl: 33, tokenSymbol: "OP" })],
};

function open(...exchanges: Exchange[]) {
  const fake = fakeUpstream([{ url: "/protocols", body: LIST }, CHAINS, ...exchanges]);
  const ask = (input: Parameters<typeof cryptoDefi>[0]) => cryptoDefi(input, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

describe("crypto.defi", () => {
  it("ranks protocols, and leaves exchanges and chains out", async () => {
    const { items, total, meta } = await open().ask({ limit: 3 });
    expect(items.map(({ rank, name, slug, tvlUsd }) => [rank, name, slug, tvlUsd])).toEqual([
      [1, "Aave V3", "aave-v3", 90],
      [2, "Lido", "lido", 80],
      [3, "Aave V2", "aave-v2", 10],
    ]);
    expect(items[0]).toMatchObject({
      symbol: "AAVE",
      change1d: 2.1,
      change7d: null,
      mcapUsd: 45,
      mcapToTvl: 0.5,
      audits: 2,
      listedAt: "2022-04-01T01:34:37.000Z",
      chainTvls: { Ethereum: 70, "OP Mainnet": 20 },
    });
    expect(items[0]?.chainTvls).not.toHaveProperty("borrowed");
    expect(total).toBe(4);
    expect(meta).toBeUndefined();
  });

  it("ranks by what is locked on one chain, by any of its names", async () => {
    expect(await open().ask({ chain: "optimism" })).toMatchObject({
      items: [{ name: "Aave V3", tvlUsd: 20 }],
      total: 1,
      meta: { chain: { name: "OP Mainnet", tvlUsd: 33, symbol: "OP" } },
    });
    await expect(open().ask({ chain: "Nowhere" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    ["aave-v3", "Aave V3"],
    ["AAVE V2", "Aave V2"],
    ["ldo", "Lido"],
    ["big exchange", "Big Exchange"],
  ])("finds %s", async (name, found) => {
    const { items, total } = await open().ask({ protocol: name });
    expect([items.map((item) => item.name), total]).toEqual([[found], 1]);
  });

  it("gives a family as a whole, and not a member with its symbol", async () => {
    const { ask, seen } = open({ url: "/protocol/aave", body: PAGE });
    const { items } = await ask({ protocol: "Aave" });
    expect(items).toMatchObject([{ name: "Aave", slug: "aave", tvlUsd: 100, change1d: null }]);
    expect(seen.at(-1)?.url.pathname).toBe("/protocol/aave");
  });

  it("reads a protocol's own page while there is no list", async () => {
    const { fetch } = fakeUpstream([
      { url: "/protocols", status: 400 },
      { url: "/protocol/aave", body: PAGE },
    ]);
    expect(await cryptoDefi({ protocol: "aave" }, { fetch, cache: false })).toMatchObject({ items: [{ tvlUsd: 100 }] });
  });

  it("does not know a protocol that is nowhere, or not on this chain", async () => {
    const { ask } = open({ url: "/protocol/", status: 400, body: { message: "Protocol is not in our database" } });
    await expect(ask({ protocol: "nope" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(ask({ protocol: "lido", chain: "Optimism" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await ask({ protocol: "aave-v3", chain: "Optimism" })).toMatchObject({ items: [{ tvlUsd: 20 }] });
  });
});
