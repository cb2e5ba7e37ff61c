/** Shared by the operations on schedules. */
import { z } from "zod";
import { isoDateTime } from "../../capability/fields.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

export const schedules = /* @__PURE__ */ lazy(() => import("../../state/schedules/schedules.js"));

export const scheduleId = () => fields.id("sch").describe("What schedule.create gave");

export const scheduleStatusField = () => z.enum(["active", "completed", "expired", "cancelled", "disabled"]);

/** A schedule as its owner sees it. */
export const schedule = () =>
  z.object({
    scheduleId: z.string(),
    status: scheduleStatusField().describe("disabled: its receiver is gone, or keeps failing"),
    nextFire: isoDateTime().nullable(),
    everySeconds: z.int().nullable(),
    cron: z.string().nullable(),
    timeZone: z.string().nullable(),
    maxFires: z.int(),
    firesUsed: z.int(),
    firesRemaining: z.int(),
    missed: z.int().describe("Times that passed while no process could call"),
    reason: z.string().nullable().describe("Why it is disabled"),
    label: z.string().nullable(),
    expiresAt: fields.expiresAt(),
    createdAt: isoDateTime(),
  });
