import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { subscriptions, topicId } from "./_topic.js";

export const pubsubSubscribe = /* @__PURE__ */ defineCapability({
  id: "pubsub.subscribe",
  method: "POST",
  summary:
    "Have the messages of a topic posted to a URL of yours, once it has confirmed by sending back the token it is asked with.",
  keywords: [
    "webhook subscription",
    "receive events",
    "listen to channel",
    "follow topic",
    "push notifications",
    "pub/sub",
  ],
  price: "0.002",
  packages: ["standardwebhooks"],
  // The confirmation request is sent over the network, so no transaction can undo it.
  batchable: false,
  source: fields.walletData,
  wallet: { effects: true, callsBack: true },
  input: () =>
    z.strictObject({
      topicId: topicId().describe(
        "As given by the topic's owner; a topic has up to 100 subscribers, and a wallet up to 100 subscriptions",
      ),
      callbackUrl: fields
        .callbackUrl()
        .describe("Where messages are posted to, https; it is asked first, and answers with the token that it is sent"),
      label: fields.label(),
    }),
  output: one(() =>
    z.object({
      subscriptionId: z.string(),
      confirmed: z.boolean().describe("Whether messages go there"),
      reason: z
        .enum(["taken", "refused", "unreachable", "limited", "trial"])
        .describe(
          "Why the URL was not confirmed by this call: another wallet has it, it answered otherwise, or not at all, was asked five times this hour, however it is spelled, or its origin refused a hundred times, or nothing is asked in a trial",
        )
        .optional(),
      expiresAt: fields.expiresAt(),
      secret: z.string().describe("Verifies the calls, by Standard Webhooks"),
      publicKey: z.string().describe("Also verifies the calls, without the secret"),
    }),
  ),
  example: {
    topicId: "top_00000000000000000000000000000001",
    callbackUrl: "https://example.com/hooks/prices",
    label: "prices",
  },
  prepare: async (input, ctx) => (await subscriptions()).prepareToSubscribe(ctx, input),
  async run(input, ctx, asked) {
    return { item: await (await subscriptions()).subscribe(ctx, input, asked), meta: fields.ownedBy(ctx) };
  },
});
