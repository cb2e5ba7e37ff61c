import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

const leases = /* @__PURE__ */ lazy(() => import("../../state/queues/leases.js"));

export const queueExtend = /* @__PURE__ */ defineCapability({
  id: "queue.extend",
  method: "POST",
  summary: "Keep a leased message of a queue of your wallet for longer, up to twelve hours in all.",
  keywords: ["extend visibility", "heartbeat", "long job", "worker"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true },
  input: () =>
    z.strictObject({
      queue: fields.queue(),
      id: fields.messageId(),
      leaseToken: fields.token(),
      visibilitySeconds: fields.leaseSeconds(3600),
    }),
  output: one(() =>
    z.object({
      id: z.string(),
      extended: z.boolean().describe("False where the lease was over"),
      leaseExpiresAt: fields.expiresAt().optional(),
    }),
  ),
  example: { queue: "jobs", id: "1", leaseToken: fields.SAMPLE_TOKEN, visibilitySeconds: 300 },
  run: async (input, ctx) => ({ item: await (await leases()).extend(ctx, input), meta: fields.ownedBy(ctx) }),
});
