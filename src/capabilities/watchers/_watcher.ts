/** Shared by the operations on watchers. */
import { z } from "zod";
import { isoDateTime } from "../../capability/fields.js";
import { lazy } from "../../lib/lazy.js";
import * as fields from "../../state/wallet/fields.js";

export const watchers = /* @__PURE__ */ lazy(() => import("../../state/watchers/watchers.js"));

export const watcherId = () => fields.id("wat").describe("What watchers.arm gave");

export const watcherStatusField = () => z.enum(["armed", "failing", "completed", "expired", "cancelled", "disabled"]);

export const conditionType = () => z.enum(["changed", "new_items", "above", "below", "pct_up", "pct_down", "equals"]);

/** A watcher as its owner sees it, without the last value. */
export const watcher = () =>
  z.object({
    watcherId: z.string(),
    status: watcherStatusField().describe(
      "failing: ten polls in a row failed; disabled: its receiver is gone, or keeps failing",
    ),
    endpoint: z.string(),
    everySeconds: z.int(),
    conditionType: conditionType(),
    maxFires: z.int(),
    firesUsed: z.int(),
    firesRemaining: z.int(),
    lastPoll: isoDateTime().nullable(),
    nextPoll: isoDateTime().nullable(),
    lateBySeconds: z.int().describe("How long a poll has been due: many at once wait for one another"),
    failures: z.int().describe("Polls in a row that failed; each doubles the time to the next, up to a day"),
    lastError: z.string().nullable(),
    reason: z.string().nullable().describe("Why it is disabled"),
    label: z.string().nullable(),
    expiresAt: fields.expiresAt(),
    createdAt: isoDateTime(),
  });

export const lastValue = () => z.unknown().describe("What stood at the path; null where that is larger than 16 KB");
