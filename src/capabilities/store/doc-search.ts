import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/docs/find.js"));

export const storeDocSearch = /* @__PURE__ */ defineCapability({
  id: "store.doc-search",
  method: "POST",
  summary: "Search the documents of your wallet by words, phrases and prefixes, best first.",
  keywords: ["full text search", "document store", "find text", "knowledge base", "grep", "agent memory"],
  price: "0.002",
  source: fields.walletData,
  wallet: {},
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      query: fields
        .storedText(1, 512)
        .describe(
          'Words, "phrases", prefix*, AND, OR, NOT or -word, and parentheses: at most 32 terms of 64 words and 16 prefixes. Words are not stemmed; accents may be left out; Chinese, Japanese, Korean, Thai and such are found anywhere, emoji, too',
        ),
      filter: fields.filter(["body", "meta"]),
      limit: limit(50, 1000).describe("How many documents at most; with bodies an answer also ends at 2 MB"),
      bodies: z.boolean().default(true).describe("Whether to give the bodies, too"),
    }),
  output: rows(() =>
    z.object({
      id: z.string(),
      score: z.number().describe("From 0 to 1, higher for better matches"),
      meta: z.record(z.string(), z.unknown()),
      body: z.unknown().optional(),
    }),
  ),
  example: { ns: "menu", query: "green tea OR lemon*" },
  check: async ({ query }) => (await load()).assertQuery(query),
  async run(input, ctx) {
    const { items, cut } = await (await load()).search(ctx, input);
    return { items, total: null, meta: { ...fields.ownedBy(ctx), ...(cut ? { truncated: true } : {}) } };
  },
});
