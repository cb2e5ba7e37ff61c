import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const kv = /* @__PURE__ */ lazy(() => import("../../state/kv/kv.js"));

export const storeKvScan = /* @__PURE__ */ defineCapability({
  id: "store.kv-scan",
  method: "POST",
  summary:
    "List the keys of a namespace of your wallet in byte order, by prefix and page by page, with values on request.",
  keywords: ["list keys", "prefix", "key value", "iterate", "agent memory"],
  price: "0.002",
  source: fields.walletData,
  wallet: {},
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      prefix: fields.keyPrefix(),
      limit: limit(50, 1000).describe("How many keys at most"),
      after: fields.after(),
      values: z
        .boolean()
        .default(false)
        .describe(
          "Whether to give the values, too: a page then ends at 2 MB of them, and one that cannot be opened now is left out of its item",
        ),
    }),
  output: rows(() =>
    z.object({
      key: z.string(),
      value: z.unknown().optional(),
      bytes: fields.bytes(),
      version: fields.version(),
      expiresAt: fields.expiresAt(),
    }),
  ),
  example: { ns: "memory" },
  async run(input, ctx) {
    return fields.paged(ctx, await (await kv()).scanValues(ctx, input));
  },
});
