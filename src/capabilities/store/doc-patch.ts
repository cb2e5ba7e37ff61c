import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/docs/docs.js"));

export const storeDocPatch = /* @__PURE__ */ defineCapability({
  id: "store.doc-patch",
  method: "POST",
  summary:
    "Change members of a document that your wallet keeps, by JSON Merge Patch: null removes, the rest is merged.",
  keywords: ["document store", "update json", "merge patch", "rfc 7396", "modify", "partial update"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  maxBodyBytes: fields.MAX_VALUE_BODY_BYTES,
  anyJson: ["body"],
  input: () =>
    z
      .strictObject({
        ns: fields.namespace(),
        id: fields.key().describe("Id within the namespace"),
        body: fields
          .jsonObject(fields.MAX_VALUE_BYTES)
          .describe(
            "What changes in the body, a JSON object; the whole stays within 1 MB and 100,000 elements and members",
          )
          .optional(),
        meta: fields
          .jsonObject(fields.MAX_META_BYTES)
          .describe("What changes in the meta data, which stay within 16 KB")
          .optional(),
        ifVersion: fields.ifVersion(),
        fence: fields.fence(),
      })
      .refine(({ body, meta }) => body !== undefined || meta !== undefined, {
        path: ["body"],
        error: "give body or meta, or both",
      }),
  output: one(() =>
    z.object({
      id: z.string(),
      ...fields.written(),
    }),
  ),
  example: { ns: "menu", id: "tea", body: { price: 5 } },
  precheck: async (input, ctx) => (await load()).prepareToPatch(ctx, input),
  run: async (input, ctx) => ({ item: await (await load()).patch(ctx, input), meta: fields.ownedBy(ctx) }),
});
