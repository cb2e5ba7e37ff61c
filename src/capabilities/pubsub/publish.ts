import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { toMicros } from "../../lib/money.js";
import * as fields from "../../state/wallet/fields.js";
import { topicId, topics } from "./_topic.js";

const MAX_MESSAGE_BYTES = 64 * 1024;
const BASE = "0.002";
const PER_SUBSCRIBER = "0.0005";

export const pubsubPublish = /* @__PURE__ */ defineCapability({
  id: "pubsub.publish",
  method: "POST",
  summary:
    "Send a message to all confirmed subscribers of a topic of your wallet: signed, retried, queued at once; priced by every five of them.",
  keywords: ["broadcast", "notify subscribers", "fan-out", "push event", "send webhook", "announce", "pub/sub"],
  price: {
    min: BASE,
    max: "0.052",
    async quote(input, ctx) {
      const subscribers = await (await topics()).countSubscribers(ctx, input.topicId);
      return toMicros(BASE) + BigInt(Math.min(subscribers, 100)) * toMicros(PER_SUBSCRIBER);
    },
  },
  packages: ["standardwebhooks"],
  source: fields.walletData,
  wallet: { effects: true, callsBack: true },
  anyJson: ["message"],
  input: () =>
    z.strictObject({
      topicId: topicId(),
      message: fields
        .jsonValue(MAX_MESSAGE_BYTES)
        .describe(
          "Any JSON, up to 64 KB; it counts towards the wallet's room, with 200 bytes for each subscriber, until a week after it arrived. A subscriber for whom 1,000 messages wait is ended",
        ),
      dedupId: fields.storedText(1, 128).describe("Under one id a topic takes one message in 24 hours").optional(),
    }),
  output: one(() =>
    z.object({
      topicId: z.string(),
      messageId: z.string().describe("The webhook-id that subscribers get"),
      queued: z.int().describe("How many subscribers it is on its way to"),
      duplicate: z.literal(true).describe("It was published already").optional(),
    }),
  ),
  example: { topicId: "top_00000000000000000000000000000001", message: { item: "tea", price: 4 } },
  precheck: async (input, ctx) => (await topics()).prepareToPublish(ctx, input),
  run: async (input, ctx) => ({ item: await (await topics()).publish(ctx, input), meta: fields.ownedBy(ctx) }),
});
