import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { subscriptionId, subscriptions } from "./_topic.js";

export const pubsubUnsubscribe = /* @__PURE__ */ defineCapability({
  id: "pubsub.unsubscribe",
  method: "POST",
  summary: "End a subscription of your wallet to a topic; messages that still wait for its URL are dropped.",
  keywords: ["stop webhook", "no more messages", "leave channel", "opt out", "pub/sub"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true, signIn: true },
  input: () => z.strictObject({ subscriptionId: subscriptionId() }),
  output: one(() =>
    z.object({
      subscriptionId: z.string(),
      removed: z.boolean().describe("False where your wallet has no such subscription"),
    }),
  ),
  example: { subscriptionId: "sub_00000000000000000000000000000001" },
  run: async (input, ctx) => ({
    item: await (await subscriptions()).unsubscribe(ctx, input),
    meta: fields.ownedBy(ctx),
  }),
});
