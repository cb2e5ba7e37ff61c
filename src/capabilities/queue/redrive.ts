import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/queues/dead-letters.js"));

export const queueRedrive = /* @__PURE__ */ defineCapability({
  id: "queue.redrive",
  method: "POST",
  summary: "Send messages of a queue of your wallet that were set aside again, their attempts starting over.",
  keywords: ["retry dead letters", "dlq", "requeue", "replay failures"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      queue: fields.queue(),
      ids: z.array(fields.messageId()).min(1).max(100).describe("Which").optional(),
      all: z.literal(true).describe("Instead of ids: every one of the queue").optional(),
    }),
  output: one(() => z.object({ redriven: z.int().describe("How many") })),
  example: { queue: "jobs", all: true },
  check({ ids, all }) {
    if ((ids === undefined) === (all === undefined)) throw invalid("ids", "is required, or all instead of it");
  },
  run: async (input, ctx) => ({ item: await (await load()).redrive(ctx, input), meta: fields.ownedBy(ctx) }),
});
