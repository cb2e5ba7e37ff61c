/** The endpoint at which buyers ask for their money back. It is mounted where the host has a policy for that. */
import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { words } from "../../capability/fields.js";
import { legacy } from "../../capability/output.js";
import type { AnyCapability, Context, Facts } from "../../capability/types.js";
import type { Host } from "../../host/host.js";
import { lazy } from "../../lib/lazy.js";
import { REFUND_REQUEST, type RefundPolicy } from "../../payment/options/refund-policy.js";
import { OWN } from "./top-up.js";

const runs = /* @__PURE__ */ lazy(() => import("./refund-runs.js"));

export function createRefundRequest({ withinDays, conditions }: RefundPolicy, host: () => Host): AnyCapability {
  const made = defineCapability({
    id: REFUND_REQUEST,
    method: "POST",
    summary: `Ask for the price of a call back, within ${withinDays} days, as its payer: ${conditions}`,
    ...{ price: "1", source: OWN, batchable: false, offline: true, live: false },
    keywords: ["refund", "money back", "complaint", "return"],
    input: () =>
      z.strictObject({
        requestId: z.string().min(1).max(100).describe("Id of the call, as its answer has it"),
        reason: words(1, 500).optional().describe("Why, in your words"),
      }),
    output: legacy(() =>
      z.object({
        requestId: z.string(),
        endpoint: z.string(),
        usd: z.string(),
        state: z
          .enum(["queued", "approved", "declined", "returned", "credited", "owed"])
          .describe("queued: the host decides; owed: the money is on its way"),
        askedAt: z.string(),
        note: z.string().optional().describe("The host's words"),
        transaction: z.string().optional(),
        creditToken: z.string().optional().describe("Of credit: it pays for later calls"),
      }),
    ),
    example: { requestId: "00000000-0000-4000-8000-000000000000", reason: "The answer was empty." },
    run: async (query: { requestId: string; reason?: string }, ctx: Context) =>
      (await runs()).refundAskedBy(host(), ctx, query),
  } as never) as unknown as AnyCapability;
  const free: Partial<Facts> = { price: { mode: "fixed", usd: "0" }, quote: async () => 0n, trial: false };
  return Object.assign(made, free, { ownersOnly: true });
}
