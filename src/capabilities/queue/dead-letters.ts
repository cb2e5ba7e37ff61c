import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const load = /* @__PURE__ */ lazy(() => import("../../state/queues/dead-letters.js"));

export const queueDeadLetters = /* @__PURE__ */ defineCapability({
  id: "queue.dead-letters",
  method: "POST",
  summary: "The messages of a queue of your wallet that were set aside after too many attempts, with their last error.",
  keywords: ["dlq", "failed messages", "poison message", "inspect failures"],
  price: "0.002",
  source: fields.walletData,
  wallet: {},
  input: () =>
    z.strictObject({
      queue: fields.queue(),
      limit: limit(20, 100).describe("How many at most; an answer ends at 2 MB of bodies"),
      after: fields.after(),
    }),
  output: rows(() =>
    z.object({
      id: z.string(),
      body: z.unknown(),
      attempts: z.int(),
      lastError: z.string().nullable(),
      deadAt: fields.expiresAt(),
    }),
  ),
  example: { queue: "jobs" },
  async run(input, ctx) {
    return fields.paged(ctx, await (await load()).deadLetters(ctx, input));
  },
});
