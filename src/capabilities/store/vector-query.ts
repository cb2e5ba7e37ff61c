import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/vectors/vectors.js"));

export const storeVectorQuery = /* @__PURE__ */ defineCapability({
  id: "store.vector-query",
  method: "POST",
  summary: "Find the vectors of your wallet that are nearest to one, exactly, by cosine, dot product or distance.",
  keywords: ["embedding", "vector database", "semantic search", "rag", "nearest neighbours", "similarity", "knn"],
  price: "0.01",
  source: fields.walletData,
  wallet: {},
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      embedding: fields.embedding(),
      topK: z.int().min(1).max(100).default(10).describe("How many at most; an answer also ends at 2 MB"),
      metric: z.enum(["cosine", "dot", "l2"]).default("cosine").describe("What is near"),
      filter: fields.filter(["meta"]),
      minScore: z.number().describe("Only matches with at least this score").optional(),
    }),
  output: rows(() =>
    z.object({
      id: z.string(),
      score: z
        .number()
        .describe("Higher is nearer: the cosine, 1 for the same direction; the product; or 1 / (1 + distance)"),
      body: z.unknown().describe("What was put beside it, or null"),
      meta: z.record(z.string(), z.unknown()),
    }),
  ),
  example: { ns: "ideas", embedding: [1, 0.2, 0], topK: 2 },
  check: async (_, ctx) => (await load()).assertVectors(ctx),
  async run(input, ctx) {
    const { items, cut } = await (await load()).queryVectors(ctx, input);
    return { items, total: null, meta: { ...fields.ownedBy(ctx), ...(cut ? { truncated: true } : {}) } };
  },
});
