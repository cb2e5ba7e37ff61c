import { z } from "zod";
import { defineCapability } from "../../capability/define.js";
import { isoDateTime } from "../../capability/fields.js";
import { one } from "../../capability/output.js";
import { invalid } from "../../errors.js";
import { lazy } from "../../lib/lazy.js";
import { isTimeZone } from "../../lib/time-zone.js";
import * as fields from "../../state/wallet/fields.js";
import { schedule, schedules } from "./_schedule.js";

const cron = /* @__PURE__ */ lazy(() => import("../../state/schedules/cron.js"));

export const scheduleCreate = /* @__PURE__ */ defineCapability({
  id: "schedule.create",
  method: "POST",
  summary:
    "Have a URL of yours called at a time, every so many seconds, or by cron in a time zone: signed, retried, with a payload of yours.",
  keywords: [
    "cron job",
    "timer",
    "reminder",
    "webhook",
    "callback",
    "recurring",
    "wake me up",
    "delayed call",
    "later",
  ],
  price: "0.05",
  packages: ["croner", "standardwebhooks"],
  source: fields.walletData,
  wallet: { effects: true, callsBack: true },
  input: () =>
    z.strictObject({
      callbackUrl: fields.callbackUrl(),
      at: isoDateTime().describe("Once, at this time").optional(),
      everySeconds: z.int().min(60).max(fields.MAX_TTL_SECONDS).describe("Again and again, so far apart").optional(),
      cron: fields
        .storedText(9, 100)
        .describe("By five fields: minute, hour, day, month, weekday, such as 30 9 * * MON-FRI")
        .optional(),
      timeZone: fields
        .storedText(1, 64)
        .default("UTC")
        .describe("IANA time zone that cron is read in, such as Europe/Berlin"),
      payload: fields.payload(),
      maxFires: z
        .int()
        .min(1)
        .max(1000)
        .describe("How many calls at most: 25 unless it is said, and 1 with at")
        .optional(),
      expiresInSeconds: z
        .int()
        .min(60)
        .max(fields.MAX_TTL_SECONDS)
        .default(fields.MAX_TTL_SECONDS)
        .describe("How long it lives, in seconds; a wallet has up to 100 active schedules"),
      catchUp: z
        .enum(["once", "none"])
        .default("once")
        .describe(
          "After a time in which nobody could call: once for all that was missed, or not at all; what is 90 seconds late, or half the way to the next time, was missed",
        ),
      label: fields.label(),
    }),
  output: one(() =>
    schedule().extend({
      secret: z.string().describe("Verifies the calls, by Standard Webhooks; shown here, and nowhere else"),
      publicKey: z.string().describe("Also verifies the calls, without the secret"),
    }),
  ),
  example: {
    callbackUrl: "https://example.com/hooks/daily",
    cron: "30 9 * * MON-FRI",
    timeZone: "Europe/Berlin",
    payload: { task: "report" },
  },
  async check({ at, everySeconds, cron: pattern, timeZone, maxFires }) {
    const { isCron } = await cron();
    if ([at, everySeconds, pattern].filter((one) => one !== undefined).length !== 1)
      throw invalid("at", "exactly one of at, everySeconds and cron says when");
    if (at !== undefined && (maxFires ?? 1) !== 1) throw invalid("maxFires", "must be 1 with at");
    if (pattern !== undefined && !isCron(pattern))
      throw invalid("cron", "must be five fields of numbers, names, * , - and /, such as 30 9 * * MON-FRI");
    if (!isTimeZone(timeZone)) throw invalid("timeZone", "must be an IANA time zone, such as Europe/Berlin");
  },
  prepare: async (input, ctx) => (await schedules()).prepareToCreateSchedule(ctx, input),
  run: async (input, ctx) => ({
    item: await (await schedules()).createSchedule(ctx, input),
    meta: fields.ownedBy(ctx),
  }),
});
