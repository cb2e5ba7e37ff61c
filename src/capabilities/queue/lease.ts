import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { rows } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const leases = /* @__PURE__ */ lazy(() => import("../../state/queues/leases.js"));

export const queueLease = /* @__PURE__ */ defineCapability({
  id: "queue.lease",
  method: "POST",
  summary: "Take messages from a queue of your wallet for some seconds; those not acknowledged by then come again.",
  keywords: ["receive message", "consume", "worker", "poll queue", "visibility timeout", "dequeue"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      queue: fields.queue(),
      count: z.int().min(1).max(100).default(1).describe("How many at most; an answer ends at 2 MB of bodies"),
      visibilitySeconds: fields.leaseSeconds(3600).default(30),
    }),
  output: rows(() =>
    z.object({
      id: z.string(),
      body: z.unknown(),
      attempts: z.int().describe("How often it was handed out, this time included"),
      leaseToken: z.string().describe("Acknowledges it, until then"),
      leaseExpiresAt: fields.expiresAt(),
      enqueuedAt: fields.expiresAt(),
    }),
  ),
  example: { queue: "jobs", count: 2 },
  async run(input, ctx) {
    const items = await (await leases()).lease(ctx, input);
    return { items, total: items.length, meta: fields.ownedBy(ctx) };
  },
});
