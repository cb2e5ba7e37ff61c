import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const kv = /* @__PURE__ */ lazy(() => import("../../state/kv/kv.js"));

export const storeKvDelete = /* @__PURE__ */ defineCapability({
  id: "store.kv-delete",
  method: "POST",
  summary: "Delete what your wallet keeps under a key; deleting a missing key succeeds.",
  keywords: ["forget", "remove", "key value", "unset", "agent memory"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({ ns: fields.namespace(), key: fields.key(), ifVersion: fields.ifVersion(), fence: fields.fence() }),
  output: one(() => z.object({ key: z.string(), deleted: z.boolean(), reason: fields.refusal() })),
  example: { ns: "memory", key: "farewell" },
  run: async (input, ctx) => ({ item: await (await kv()).removeValue(ctx, input), meta: fields.ownedBy(ctx) }),
});
