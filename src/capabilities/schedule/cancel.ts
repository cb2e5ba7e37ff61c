import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { one } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { scheduleId, schedules } from "./_schedule.js";

export const scheduleCancel = /* @__PURE__ */ defineCapability({
  id: "schedule.cancel",
  method: "POST",
  summary: "End a schedule of your wallet; what still waits for delivery is dropped, and nothing is paid back.",
  keywords: ["stop timer", "delete cron job", "unschedule", "no more callbacks"],
  price: "0.002",
  source: fields.walletData,
  wallet: { effects: true, signIn: true },
  input: () => z.strictObject({ scheduleId: scheduleId() }),
  output: one(() =>
    z.object({ scheduleId: z.string(), cancelled: z.boolean().describe("False if it had already ended") }),
  ),
  example: { scheduleId: "sch_00000000000000000000000000000001" },
  precheck: async (input, ctx) => (await schedules()).prepareToCancelSchedule(ctx, input),
  run: async (input, ctx) => ({
    item: await (await schedules()).cancelSchedule(ctx, input),
    meta: fields.ownedBy(ctx),
  }),
});
