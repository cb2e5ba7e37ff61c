import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDateTime, limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";
import { subscriptionId, topicId } from "./_topic.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/topics/deliveries.js"));

const state = () => z.enum(["pending", "delivered", "dead", "dropped"]);

export const pubsubDeliveries = /* @__PURE__ */ defineCapability({
  id: "pubsub.deliveries",
  method: "POST",
  summary: "What became of the messages of a topic or a subscription of your wallet: one row a receiver, newest first.",
  keywords: ["delivery log", "did it arrive", "failed messages", "webhook attempts", "pub/sub"],
  price: "0.002",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () =>
    z.strictObject({
      topicId: topicId().describe("A topic of your wallet").optional(),
      subscriptionId: subscriptionId().describe("Instead of topicId: a subscription of your wallet").optional(),
      state: state().describe("Only this state").optional(),
      limit: limit(20, 100).describe("How many at most"),
      after: fields.after(),
    }),
  output: rows(() =>
    z.object({
      messageId: z.string(),
      state: state(),
      attempts: z.int(),
      lastStatus: z.int().nullable(),
      createdAt: isoDateTime(),
      deliveredAt: isoDateTime().nullable(),
      nextAttemptAt: isoDateTime().nullable(),
    }),
  ),
  example: { topicId: "top_00000000000000000000000000000001" },
  check(input) {
    if ((input.topicId === undefined) === (input.subscriptionId === undefined))
      throw invalid("topicId", "is required, or subscriptionId instead of it");
  },
  async run(input, ctx) {
    const { items, nextCursor } = await (await load()).deliveries(ctx, input);
    return { items, total: null, meta: { ...fields.ownedBy(ctx), ...(nextCursor ? { nextCursor } : {}) } };
  },
});
