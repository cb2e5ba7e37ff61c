import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { topicId, topics } from "./_topic.js";

export const pubsubDeleteTopic = /* @__PURE__ */ defineCapability({
  id: "pubsub.delete-topic",
  method: "POST",
  summary: "End a topic of your wallet with all subscriptions to it; what still waits for delivery is dropped.",
  keywords: ["remove channel", "close topic", "stop broadcasting", "pub/sub"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () => z.strictObject({ topicId: topicId() }),
  output: one(() =>
    z.object({ topicId: z.string(), deleted: z.boolean().describe("False where your wallet has no such topic") }),
  ),
  example: { topicId: "top_00000000000000000000000000000001" },
  run: async (input, ctx) => ({ item: await (await topics()).removeTopic(ctx, input), meta: fields.ownedBy(ctx) }),
});
