import { describe, expect, it } from "vitest";
import { cryptoDefiProtocolHistory } from "../../../src/capabilities/crypto/defi/defi-protocol-history.js";
import { fakeUpstream } from "../../support/upstream.js";

const point = (time: string, totalLiquidityUSD: number) => ({ date: Date.parse(time) / 1000, totalLiquidityUSD });
const PAGE = {
  id: "4752",
  name: "Maverick V2",
  symbol: "MAV",
  category: "Dexs",
  chains: ["Base", "zkSync Era"],
  currentChainTvls: { Base: 5, "zkSync Era": 3, "Base-staking": 2, staking: 2, borrowed: 1 },
  tvl: [point("2025-04-01", 10), point("2025-04-02", 11), point("2025-04-02T18:05:47Z", 12)],
};

const open = (exchange: { status?: number; body?: unknown }) => {
  const fake = fakeUpstream([{ url: "/protocol/", ...exchange }]);
  const ask = (slug: string, limit = 90) =>
    cryptoDefiProtocolHistory({ slug, limit }, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
};

describe("crypto.defi-protocol-history", () => {
  it("gives one row a day, the value of this moment for today", async () => {
    const { ask, seen } = open({ body: PAGE });
    expect(await ask("Maverick V2")).toMatchObject({
      items: [
        { date: "2025-04-01", tvlUsd: 10 },
        { date: "2025-04-02", tvlUsd: 12 },
      ],
      total: 2,
      meta: { name: "Maverick V2", slug: "maverick-v2", category: "Dexs", chains: ["Base", "zkSync Era"] },
    });
    expect(seen[0]?.url.pathname).toBe("/protocol/maverick-v2");
    expect((await ask("maverick-v2", 1)).items).toEqual([{ date: "2025-04-02", tvlUsd: 12 }]);
  });

  it("tells chains from what only looks like one", async () => {
    const { meta } = await open({ body: PAGE }).ask("maverick-v2");
    expect(meta).toMatchObject({ currentChainTvls: { Base: 5, "zkSync Era": 3 } });
    expect(Object.keys((meta as { currentChainTvls: object }).currentChainTvls)).toHaveLength(2);
  });

  it.each([
    [400, { message: "Protocol is not in our database" }, "NOT_FOUND"],
    [404, "Not found", "NOT_FOUND"],
    [200, { name: "Maverick V2" }, "UPSTREAM_SCHEMA"],
  ])("takes a %i with %j for %s", async (status, body, code) => {
    await expect(open({ status, body }).ask("x")).rejects.toMatchObject({ code });
  });
});
