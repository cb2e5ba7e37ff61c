import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const kv = /* @__PURE__ */ lazy(() => import("../../state/kv/kv.js"));

export const storeKvGet = /* @__PURE__ */ defineCapability({
  id: "store.kv-get",
  method: "POST",
  summary: "Read the JSON value that your wallet keeps under a key; reading it prolongs its life.",
  keywords: ["recall", "agent memory", "key value", "load", "fetch state"],
  price: "0.002",
  source: fields.walletData,
  wallet: {},
  input: () => z.strictObject({ ns: fields.namespace(), key: fields.key() }),
  output: one(() =>
    z.object({
      key: z.string(),
      value: z.unknown().describe("The JSON that was put"),
      version: fields.version(),
      bytes: fields.bytes(),
      expiresAt: fields.expiresAt(),
    }),
  ),
  example: { ns: "memory", key: "greeting" },
  run: async (input, ctx) => ({ item: await (await kv()).getValue(ctx, input), meta: fields.ownedBy(ctx) }),
});
