import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/docs/find.js"));

export const storeDocQuery = /* @__PURE__ */ defineCapability({
  id: "store.doc-query",
  method: "POST",
  summary: "Find documents of your wallet by conditions on their JSON, sorted and page by page.",
  keywords: ["document store", "filter", "where", "sort", "nosql", "json query", "select"],
  price: "0.002",
  source: fields.walletData,
  wallet: {},
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      filter: fields.filter(["body", "meta"]),
      sort: z
        .array(
          z.strictObject({
            path: fields.pointer().describe("JSON pointer below /body or /meta"),
            direction: z.enum(["asc", "desc"]).default("asc").describe("Which end comes first"),
          }),
        )
        .max(2)
        .default([])
        .describe(
          "Numbers stand before texts and both before all else; texts count by their first 64 characters. Where the host lets a wallet have far more than 50 MB, meta.truncated says that not all was looked at",
        ),
      limit: limit(50, 1000).describe("How many documents at most; a page also ends at 2 MB of them"),
      after: fields.after(),
      fields: z
        .array(fields.pointer())
        .min(1)
        .max(20)
        .describe("JSON pointers of the parts to give, instead of whole documents: up to 20")
        .optional(),
    }),
  output: rows(() =>
    z.object({
      id: z.string(),
      body: z.unknown().optional(),
      meta: z.record(z.string(), z.unknown()).optional(),
      fields: z
        .record(z.string(), z.unknown())
        .describe("What is at each pointer that was asked for, or null")
        .optional(),
      version: fields.version(),
      bytes: fields.bytes(),
      expiresAt: fields.expiresAt(),
    }),
  ),
  example: { ns: "menu", filter: { "/body/price": { lt: 5 } }, sort: [{ path: "/body/price" }] },
  async run(input, ctx) {
    const { cut, ...page } = await (await load()).queryDocs(ctx, input);
    const result = fields.paged(ctx, page);
    return cut ? { ...result, meta: { ...result.meta, truncated: true } } : result;
  },
});
