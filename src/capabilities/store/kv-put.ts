import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const kv = /* @__PURE__ */ lazy(() => import("../../state/kv/kv.js"));

export const storeKvPut = /* @__PURE__ */ defineCapability({
  id: "store.kv-put",
  method: "POST",
  summary: "Keep a JSON value under a key that only your wallet can read, with compare-and-set and a time to live.",
  keywords: ["remember", "agent memory", "key value", "persist", "set", "save state", "upsert"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  maxBodyBytes: fields.MAX_VALUE_BODY_BYTES,
  anyJson: ["value"],
  input: () =>
    z.strictObject({
      ns: fields.namespace(),
      key: fields.key(),
      value: fields.jsonValue().describe("Any JSON, up to 1 MB and 100,000 elements and members in all"),
      ...fields.writeOptions(),
    }),
  output: one(() =>
    z.object({
      key: z.string(),
      ...fields.written(),
    }),
  ),
  example: { ns: "memory", key: "greeting", value: { text: "hello" } },
  precheck: async (input, ctx) => (await kv()).prepareToPutValue(ctx, input),
  run: async (input, ctx) => ({ item: await (await kv()).putValue(ctx, input), meta: fields.ownedBy(ctx) }),
});
