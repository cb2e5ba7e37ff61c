import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDateTime } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const webhooks = /* @__PURE__ */ lazy(() => import("../../state/webhook-operations.js"));

export const webhooksRotate = /* @__PURE__ */ defineCapability({
  id: "webhooks.rotate",
  method: "POST",
  summary:
    "A new signing secret for the calls of a schedule, watcher or subscription of yours; the former one signs beside it for a day.",
  keywords: ["webhook secret", "leaked secret", "rotate key", "show secret again", "callback signature"],
  price: "0.002",
  packages: ["standardwebhooks"],
  source: fields.walletData,
  wallet: { effects: true },
  input: () => z.strictObject({ id: fields.callbackId() }),
  output: one(() =>
    z.object({
      id: z.string(),
      version: z.int().describe("Grows by one with every new secret"),
      secret: z.string().describe("Verifies the calls, by Standard Webhooks; shown here, and nowhere else"),
      previousValidUntil: isoDateTime().describe("Until then the former secret verifies the calls, too"),
    }),
  ),
  example: { id: "sch_00000000000000000000000000000001" },
  prepare: async (input, ctx) => (await webhooks()).prepareToRotate(ctx, input),
  run: async (input, ctx) => ({ item: await (await webhooks()).rotate(ctx, input), meta: fields.ownedBy(ctx) }),
});
