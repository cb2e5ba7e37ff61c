import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const kv = /* @__PURE__ */ lazy(() => import("../../state/kv/kv.js"));

export const storeKvIncrement = /* @__PURE__ */ defineCapability({
  id: "store.kv-increment",
  method: "POST",
  summary: "Add to a whole number that your wallet keeps under a key, within bounds if you like; it starts at 0.",
  keywords: ["counter", "count", "atomic add", "decrement", "rate limit", "budget"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      key: fields.key(),
      by: z.int().default(1).describe("What is added; less than 0 counts down"),
      min: z.int().describe("Nothing is changed where the count would fall below").optional(),
      max: z.int().describe("Nothing is changed where the count would rise above").optional(),
      ttlSeconds: fields.ttlSeconds(),
    }),
  output: one(() =>
    z.object({
      key: z.string(),
      value: z.int().describe("The count now"),
      changed: z.boolean(),
      version: fields.version().optional(),
    }),
  ),
  example: { ns: "memory", key: "visits" },
  precheck: async (input, ctx) => (await kv()).prepareToIncrement(ctx, input),
  run: async (input, ctx) => ({ item: await (await kv()).increment(ctx, input), meta: fields.ownedBy(ctx) }),
});
