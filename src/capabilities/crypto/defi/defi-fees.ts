import { z } from "zod";
import { defineCapability } from "../../../capability/define.js";
import { someOf } from "../../../capability/facts.js";
import { lazySchema, limit } from "../../../capability/fields.js";
import { rows } from "../../../capability/output.js";
import { HOUR_MS, MINUTE_MS } from "../../../lib/time.js";
import { defillama } from "../../../providers/defillama/provider.js";
import { segments, upstream } from "../../../upstream/client.js";
import { identifiedRows, label, labels, number } from "../../../upstream/fields.js";

const SORTS = ["total24h", "total7d", "total30d"] as const;

const totals = lazySchema(() =>
  z.object({
    total24h: number(),
    total7d: number(),
    total30d: number(),
    change_1d: number(),
    change_7d: number(),
    change_1m: number(),
  }),
);

const overview = lazySchema(() =>
  totals().extend({
    protocols: identifiedRows(
      totals().extend({
        totalAllTime: number(),
        name: z.string(),
        displayName: label(),
        slug: label(),
        category: label(),
        protocolType: label(),
        chains: labels(),
      }),
      ["name"],
      [...Object.keys(totals().shape), "totalAllTime", "slug", "category", "protocolType", "chains"],
      1,
    ),
  }),
);

const figure = () => z.number().nullable();
const text = () => z.string().nullable();

export const cryptoDefiFees = /* @__PURE__ */ defineCapability({
  id: "crypto.defi-fees",
  summary: "DeFi protocols and chains ranked by the fees they took, or exchanges by their trading volume.",
  keywords: ["fees", "revenue", "dex volume", "leaderboard", "ranking", "protocol earnings", "defillama", "uniswap"],
  price: "0.00144",
  provider: defillama,
  input: () =>
    z.strictObject({
      kind: z
        .enum(["fees", "dexs"])
        .default("fees")
        .describe("fees: what users paid; dexs: the trading volume of decentralised exchanges"),
      sort: z.enum(SORTS).default("total24h").describe("The span to rank by: 24 hours, 7 or 30 days"),
      limit: limit(25, 100).describe("How many to return, the largest first"),
    }),
  output: rows(() =>
    z.object({
      rank: z.int(),
      name: z.string(),
      slug: text(),
      category: text(),
      type: text().describe("protocol or chain"),
      chains: z.array(z.string()),
      total24h: figure().describe("US dollars, as the other totals"),
      total7d: figure(),
      total30d: figure(),
      totalAllTime: figure(),
      change1d: figure().describe("Percent, as the other changes"),
      change7d: figure(),
      change1m: figure(),
    }),
  ),
  facts: someOf("total24h", "total7d", "total30d", "category", "chains"),
  example: { kind: "fees", sort: "total24h", limit: 10 },
  async run({ kind, sort, limit }, ctx) {
    const { protocols, total24h, total7d, total30d, change_1d } = await upstream(ctx, defillama).get(
      segments("overview", kind),
      {
        // The charts are several megabytes.
        query: { excludeTotalDataChart: true, excludeTotalDataChartBreakdown: true },
        schema: overview(),
        ttlMs: 15 * MINUTE_MS,
        staleMs: HOUR_MS,
      },
    );
    const items = protocols
      .toSorted((a, b) => (b[sort] ?? -Infinity) - (a[sort] ?? -Infinity) || 0)
      .slice(0, limit)
      .map(({ displayName, name, protocolType, change_1d, change_7d, change_1m, ...row }, index) => ({
        rank: index + 1,
        name: displayName ?? name,
        type: protocolType,
        ...row,
        change1d: change_1d,
        change7d: change_7d,
        change1m: change_1m,
      }));
    const meta = { kind, sort, total24h, total7d, total30d, change1d: change_1d };
    return { items, total: protocols.length, meta };
  },
});
