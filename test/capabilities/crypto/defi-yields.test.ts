import { describe, expect, it } from "vitest";
import { cryptoDefiYields } from "../../../src/capabilities/crypto/defi/defi-yields.js";
import { emptyBut } from "../../support/empty-but.js";
import { fakeUpstream } from "../../support/upstream.js";

/** What pools may lack, and this one has none of. */
const COMMON = [
  "poolMeta apyBase apyMean30d apyPct1D apyPct7D apyPct30D stablecoin ilRisk exposure rewardTokens underlyingTokens",
  "volumeUsd1d outlier predictions",
].join(" ");
const pool = (id: string, more: Record<string, unknown> = {}) => ({
  ...emptyBut(COMMON, {}),
  pool: id,
  chain: "Ethereum",
  project: "lido",
  symbol: "STETH",
  tvlUsd: 100,
  apy: 2,
  apyReward: null,
  ...more,
});
const POOLS = [
  pool("a", {
    apyPct1D: -0.08,
    predictions: { predictedClass: "Stable/Up", predictedProbability: 72, binnedConfidence: 2 },
    rewardTokens: ["0x1", null],
    stablecoin: false,
  }),
  pool("b", { chain: "OP Mainnet", project: "aave-v3", symbol: "USDC", apy: 5, tvlUsd: 50 }),
  pool("c", { chain: "Optimism", project: "aave-v3", symbol: "USDC-WETH", apy: null, tvlUsd: 70 }),
];

const ask = (input: Parameters<typeof cryptoDefiYields>[0], data: unknown = POOLS) => {
  const { fetch } = fakeUpstream([{ url: "yields.llama.fi/pools", body: { status: "success", data } }]);
  return cryptoDefiYields(input, { fetch, cache: false });
};
const ids = async (input: Parameters<typeof cryptoDefiYields>[0]) => (await ask(input)).items.map(({ pool }) => pool);

describe("crypto.defi-yields", () => {
  it("describes pools with yields, trend and risk", async () => {
    const { items, total } = await ask({ project: "LIDO" });
    expect(items).toMatchObject([
      {
        pool: "a",
        apy: 2,
        apyReward: null,
        apyChange1d: -0.08,
        stablecoin: false,
        outlier: null,
        rewardTokens: ["0x1"],
        underlyingTokens: [],
        prediction: { class: "Stable/Up", probabilityPct: 72 },
        url: "https://defillama.com/yields/pool/a",
      },
    ]);
    expect(total).toBe(1);
  });

  it.each([
    [{}, ["a", "c", "b"]],
    [{ sort: "apy" }, ["b", "a", "c"]],
    [{ chain: "optimism" }, ["c", "b"]],
    [{ symbol: "usdc" }, ["c", "b"]],
    [{ minApy: 2 }, ["a", "b"]],
    [{ minTvlUsd: 60 }, ["a", "c"]],
    [{ project: "aave" }, []],
    [{ limit: 1 }, ["a"]],
  ] as const)("filters by %j", async (filters, expected) => {
    expect(await ids(filters)).toEqual(expected);
  });

  it("counts what matches before the limit, and says what was asked", async () => {
    expect(await ask({ symbol: "USDC", limit: 1 })).toMatchObject({ total: 2, meta: { filters: { symbol: "USDC" } } });
  });

  it("UP-3 reports another form instead of an empty list", async () => {
    await expect(ask({}, [{ id: "a" }])).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
