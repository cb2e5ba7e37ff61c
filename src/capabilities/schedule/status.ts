import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDateTime } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { schedule, scheduleId, schedules } from "./_schedule.js";

const delivery = () =>
  z.object({
    messageId: z.string().describe("The webhook-id of the call"),
    number: z.int().describe("Which call it is"),
    state: z.enum(["pending", "delivered", "dead", "dropped"]),
    attempts: z.int(),
    lastStatus: z.int().nullable(),
    lastOutcome: z.string().nullable(),
    createdAt: isoDateTime(),
    doneAt: isoDateTime().nullable(),
    nextAttemptAt: isoDateTime().nullable(),
  });

export const scheduleStatus = /* @__PURE__ */ defineCapability({
  id: "schedule.status",
  method: "POST",
  summary:
    "How a schedule of your wallet is doing: when it calls next, its latest deliveries, and what did not arrive.",
  keywords: ["next run", "delivery log", "failed webhook", "dead letter", "cron job"],
  price: "0.002",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () => z.strictObject({ scheduleId: scheduleId() }),
  output: one(() =>
    schedule().extend({
      recentDeliveries: z.array(delivery()).describe("The latest 20"),
      undelivered: z.array(delivery().extend({ body: z.unknown() })).describe("The oldest 20, with their bodies"),
    }),
  ),
  example: { scheduleId: "sch_00000000000000000000000000000001" },
  run: async (input, ctx) => ({
    item: await (await schedules()).scheduleStatus(ctx, input),
    meta: fields.ownedBy(ctx),
  }),
});
