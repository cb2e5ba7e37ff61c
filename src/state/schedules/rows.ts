/** Rows of schedules, and their next times. */

import { z } from "zod";
import { invalid } from "../../errors.js";
import { type Queryable, rowsOf } from "../database/database.js";
import { insertInto } from "../database/insert.js";
import { epoch, objectSize, timeText } from "../wallet/objects.js";
import type { WriteScope } from "../wallet/scope.js";
import { addCallback } from "../webhooks/rows.js";
import { openCron } from "./cron.js";

/** Times of a schedule: exactly one of three forms. */
export interface Times {
  at?: string | undefined;
  everySeconds?: number | undefined;
  cron?: string | undefined;
  timeZone: string;
}

export interface NewSchedule extends Times {
  callbackUrl: string;
  payload?: Record<string, unknown> | undefined;
  maxFires?: number | undefined;
  expiresInSeconds: number;
  catchUp: "once" | "none";
  label?: string | undefined;
}

const STATUSES = ["active", "completed", "expired", "cancelled", "disabled"] as const;

export const SCHEDULE_COLUMNS = `id as "scheduleId", status, ${epoch("next_at")} as "nextFire", every_seconds as "everySeconds", cron,
  time_zone as "timeZone", max_fires as "maxFires", fires as "firesUsed", missed, reason, label, ${epoch("expires_at")} as "expiresAt",
  ${epoch("created_at")} as "createdAt"`;

export const scheduleRow = z
  .object({
    scheduleId: z.string(),
    status: z.enum(STATUSES),
    nextFire: timeText().nullable(),
    everySeconds: z.int().nullable(),
    cron: z.string().nullable(),
    timeZone: z.string().nullable(),
    maxFires: z.int(),
    firesUsed: z.int(),
    missed: z.int(),
    reason: z.string().nullable(),
    label: z.string().nullable(),
    expiresAt: timeText(),
    createdAt: timeText(),
  })
  .transform(({ nextFire, ...row }) => ({
    ...row,
    // Kept after the end of its window, so that the end is noticed.
    nextFire: row.status === "active" && nextFire && nextFire < row.expiresAt ? nextFire : null,
    firesRemaining: row.maxFires - row.firesUsed,
  }));

/** The first time. Rejects if its window contains none, naming the field. */
export async function firstFire(times: Times, now: Date, expiresAt: Date): Promise<Date> {
  const field = times.at !== undefined ? "at" : times.cron !== undefined ? "cron" : "everySeconds";
  const first = await firstOf(times, now);
  if (!first) throw invalid(field, "never comes");
  if (first >= expiresAt)
    throw invalid(field, `first occurs at ${first.toISOString()}, after the end of expiresInSeconds`);
  return first;
}

async function firstOf({ at, everySeconds, cron, timeZone }: Times, now: Date): Promise<Date | undefined> {
  if (at !== undefined) return new Date(Math.max(Date.parse(at), now.getTime()));
  if (cron !== undefined) return (await openCron(cron, timeZone))(now);
  return new Date(now.getTime() + (everySeconds ?? 0) * 1000);
}

export async function addSchedule(scope: WriteScope, id: string, schedule: NewSchedule): Promise<void> {
  const { at, everySeconds, cron, timeZone, payload, label, catchUp, expiresInSeconds } = schedule;
  const { wallet, now } = scope;
  const expiresAt = new Date(now.getTime() + expiresInSeconds * 1000);
  const nextAt = await firstFire(schedule, now, expiresAt);
  await addCallback(scope, { id, url: schedule.callbackUrl });
  await scope.query(
    ...insertInto("@schedules", {
      id,
      wallet,
      callback: id,
      kind: at ? "at" : cron ? "cron" : "every",
      at: at ? new Date(at) : null,
      every_seconds: everySeconds ?? null,
      cron: cron ?? null,
      time_zone: timeZone,
      payload: payload ? scope.encryption.encrypt(["schedules", "payload", id], JSON.stringify(payload)) : null,
      label: label ?? null,
      catch_up: catchUp,
      max_fires: at ? 1 : (schedule.maxFires ?? DEFAULT_FIRES),
      next_at: nextAt,
      status: "active",
      expires_at: expiresAt,
      created_at: now,
      bytes: sizeOfSchedule(schedule),
    }),
  );
  scope.grow(sizeOfSchedule(schedule));
}

/** Its own size; each of its calls counts, too. */
export const sizeOfSchedule = ({ callbackUrl, payload, label = "", cron = "" }: NewSchedule): number =>
  objectSize(callbackUrl, payload ? JSON.stringify(payload) : "", label, cron);

const DEFAULT_FIRES = 25;

export async function findSchedule(tx: Queryable, wallet: string, id: string) {
  const text = `select ${SCHEDULE_COLUMNS} from @schedules where wallet = $1 and id = $2`;
  return (await rowsOf(tx, scheduleRow, text, [wallet, id]))[0];
}
