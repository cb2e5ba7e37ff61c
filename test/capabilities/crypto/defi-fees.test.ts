import { describe, expect, it } from "vitest";
import { cryptoDefiFees } from "../../../src/capabilities/crypto/defi/defi-fees.js";
import { emptyBut } from "../../support/empty-but.js";
import { type Exchange, fakeUpstream } from "../../support/upstream.js";

const row = (name: string, figures: Record<string, number | null>) => ({
  name,
  displayName: `${name}!`,
  slug: name.toLowerCase(),
  category: "Dexs",
  protocolType: "protocol",
  chains: ["Base"],
  defillamaId: 7,
  ...emptyBut("total24h total7d total30d totalAllTime change_1d change_7d change_1m", figures),
});

function open(exchange: Partial<Exchange>) {
  const fake = fakeUpstream([{ url: "/overview/", ...exchange }]);
  const ask = (input: Parameters<typeof cryptoDefiFees>[0]) =>
    cryptoDefiFees(input, { fetch: fake.fetch, cache: false });
  return { ...fake, ask };
}

const ANSWER = {
  protocols: [row("A", { total24h: 1, total30d: 9 }), row("B", {}), row("C", { total24h: 3, change_1d: -2 })],
  total24h: 4,
  change_1d: 0.5,
};

describe("crypto.defi-fees", () => {
  it("ranks by a total, those without one last", async () => {
    const { ask, seen } = open({ body: ANSWER });
    const { items, total, meta } = await ask({ limit: 2 });
    expect(items).toEqual([
      {
        rank: 1,
        name: "C!",
        slug: "c",
        category: "Dexs",
        type: "protocol",
        chains: ["Base"],
        total24h: 3,
        total7d: null,
        total30d: null,
        totalAllTime: null,
        change1d: -2,
        change7d: null,
        change1m: null,
      },
      expect.objectContaining({ rank: 2, name: "A!" }),
    ]);
    expect(total).toBe(3);
    expect(meta).toEqual({
      kind: "fees",
      sort: "total24h",
      total24h: 4,
      total7d: null,
      total30d: null,
      change1d: 0.5,
    });
    expect(seen[0]?.url.pathname).toBe("/overview/fees");
    expect(seen[0]?.url.searchParams.get("excludeTotalDataChartBreakdown")).toBe("true");
  });

  it("ranks exchanges by their volume of 30 days", async () => {
    const { ask, seen } = open({ body: ANSWER });
    const { items } = await ask({ kind: "dexs", sort: "total30d" });
    expect(items.map(({ name }) => name)).toEqual(["A!", "B!", "C!"]);
    expect(seen[0]?.url.pathname).toBe("/overview/dexs");
  });

  it("UP-3 reports another form", async () => {
    await expect(open({ body: { rows: [] } }).ask({})).rejects.toMatchObject({ code: "UPSTREAM_SCHEMA" });
  });
});
