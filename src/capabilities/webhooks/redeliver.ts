import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const webhooks = /* @__PURE__ */ lazy(() => import("../../state/webhook-operations.js"));

export const webhooksRedeliver = /* @__PURE__ */ defineCapability({
  id: "webhooks.redeliver",
  method: "POST",
  summary:
    "Send one message of a schedule, watcher or subscription of yours once more, arrived or not, under the same id.",
  keywords: ["resend webhook", "retry callback", "dead letter", "replay event"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true, callsBack: true },
  input: () =>
    z.strictObject({
      messageId: fields
        .id("msg")
        .describe("The webhook-id, as schedule.status, watchers.status or pubsub.deliveries lists it"),
      id: fields.callbackId(),
    }),
  output: one(() =>
    z.object({
      messageId: z.string(),
      queued: z.boolean().describe("False if it is still pending, or its callback was ended"),
    }),
  ),
  example: { messageId: "msg_00000000000000000000000000000001", id: "sch_00000000000000000000000000000001" },
  precheck: async (input, ctx) => (await webhooks()).prepareToRedeliver(ctx, input),
  run: async (input, ctx) => ({ item: await (await webhooks()).redeliver(ctx, input), meta: fields.ownedBy(ctx) }),
});
