import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { limit } from "../../capability/fields.js";
import { rows } from "../../capability/output.js";
import * as fields from "../../state/wallet/fields.js";
import { schedule, scheduleStatusField, schedules } from "./_schedule.js";

export const scheduleList = /* @__PURE__ */ defineCapability({
  id: "schedule.list",
  method: "POST",
  summary: "List the schedules of your wallet, those of the last 30 days included, page by page.",
  keywords: ["my timers", "cron jobs", "all schedules", "what is planned"],
  price: "0.002",
  source: fields.walletData,
  wallet: { signIn: true },
  input: () =>
    z.strictObject({
      status: scheduleStatusField().describe("Only those of this status").optional(),
      limit: limit(20, 100).describe("How many at most"),
      after: fields.after(),
    }),
  output: rows(schedule),
  example: { status: "active" },
  async run(input, ctx) {
    return fields.paged(ctx, await (await schedules()).listSchedules(ctx, input));
  },
});
