import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { topics } from "./_topic.js";

export const pubsubCreateTopic = /* @__PURE__ */ defineCapability({
  id: "pubsub.create-topic",
  method: "POST",
  summary: "Make a topic that your wallet publishes to and any wallet that knows its id may subscribe to with a URL.",
  keywords: ["pub/sub", "channel", "broadcast", "fan-out", "event bus", "sns"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      name: fields
        .namespace()
        .describe("A name within your wallet, which has up to 100 topics; the same name is the same topic"),
    }),
  output: one(() =>
    z.object({
      topicId: z.string().describe("Subscribers need it: everybody who knows it may subscribe"),
      name: z.string(),
      subscribers: z.int().describe("Subscribers that get a message"),
      expiresAt: fields.expiresAt(),
    }),
  ),
  example: { name: "prices" },
  precheck: async (input, ctx) => (await topics()).prepareToCreateTopic(ctx, input),
  run: async (input, ctx) => ({ item: await (await topics()).createTopic(ctx, input), meta: fields.ownedBy(ctx) }),
});
