import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const queues = /* @__PURE__ */ lazy(() => import("../../state/queues/queues.js"));

export const queueStats = /* @__PURE__ */ defineCapability({
  id: "queue.stats",
  method: "POST",
  summary:
    "How many messages of a queue of your wallet are ready, delayed, leased or set aside, and how old the oldest is.",
  keywords: ["queue depth", "backlog", "monitor", "how many jobs"],
  price: "0.002",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () => z.strictObject({ queue: fields.queue() }),
  output: one(() =>
    z.object({
      ready: z.int(),
      delayed: z.int(),
      leased: z.int(),
      dlq: z.int().describe("Set aside: see queue.dead-letters"),
      total: z.int(),
      oldestSeconds: z.int().nullable().describe("Age of the oldest that is not set aside"),
    }),
  ),
  example: { queue: "jobs" },
  run: async (input, ctx) => ({ item: await (await queues()).stats(ctx, input), meta: fields.ownedBy(ctx) }),
});
