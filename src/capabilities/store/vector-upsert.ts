import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/vectors/vectors.js"));

export const storeVectorUpsert = /* @__PURE__ */ defineCapability({
  id: "store.vector-upsert",
  method: "POST",
  summary:
    "Keep a vector with a body and meta data, to be found by its nearness to others; an id that is there is replaced.",
  keywords: ["embedding", "vector database", "semantic search", "rag", "similarity", "agent memory", "index"],
  price: "0.005",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      id: fields.key().describe("Id within the namespace"),
      embedding: fields.embedding(),
      body: fields
        .docBody(64 * 1024)
        .describe("A text or a JSON object, up to 64 KB, given back with it")
        .optional(),
      meta: fields.jsonObject(fields.MAX_META_BYTES).describe("A JSON object to filter by, up to 16 KB").default({}),
      ttlSeconds: fields.ttlSeconds(),
    }),
  output: one(() =>
    z.object({
      id: z.string(),
      dim: z.int().describe("How many numbers it has"),
      bytes: fields.bytes(),
      expiresAt: fields.expiresAt(),
    }),
  ),
  example: { ns: "ideas", id: "cocoa", embedding: [0.7, 0.4, 0.1], body: "Hot cocoa", meta: { lang: "en" } },
  check: async (_, ctx) => (await load()).assertVectors(ctx),
  precheck: async (input, ctx) => (await load()).prepareToPutVector(ctx, input),
  run: async (input, ctx) => ({ item: await (await load()).putVector(ctx, input), meta: fields.ownedBy(ctx) }),
});
