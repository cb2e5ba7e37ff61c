/** Schedules that are due become events, each due time once, whatever number of processes look. */
import { z } from "zod";
import { deliverEvent, disableCallback, isFull } from "./callback-rows.js";
import { openCron } from "./cron.js";
import { type Database, type Queryable, rowsOf } from "./database.js";
import { epoch } from "./objects.js";

const BATCH = 50;
/** Of missed times; nobody needs to know more exactly. */
const MAX_COUNTED = 2000;
/** What is later was missed, where a schedule catches nothing up. */
const LATE_MS = 90_000;

const instant = () => z.number().transform((ms) => new Date(Math.round(ms)));
const dueRow = z.object({
  id: z.string(),
  wallet: z.string(),
  everySeconds: z.int().nullable(),
  cron: z.string().nullable(),
  timeZone: z.string(),
  payload: z.string().nullable(),
  label: z.string().nullable(),
  catchUp: z.enum(["once", "none"]),
  maxFires: z.int(),
  fires: z.int(),
  nextAt: instant(),
  expiresAt: instant(),
});
type Due = z.infer<typeof dueRow>;

/**
 * Turns one batch of due schedules into events and their deliveries; the next time is set in the same transaction, and a
 * row that another process holds is passed by. Resolves to how many were due.
 */
export const fireDue = (database: Database, now: Date): Promise<number> =>
  database.transaction(async (tx) => {
    const text = `select id, wallet, every_seconds as "everySeconds", cron, time_zone as "timeZone", payload, label,
        catch_up as "catchUp", max_fires as "maxFires", fires, ${epoch("next_at")} as "nextAt", ${epoch("expires_at")} as "expiresAt"
      from @schedules where status = 'active' and next_at <= $1
      order by next_at, id limit $2::int for update skip locked`;
    const due = await rowsOf(tx, dueRow, text, [now, BATCH]);
    for (const schedule of due) await fire(tx, schedule, now);
    return due.length;
  });

async function fire(tx: Queryable, schedule: Due, now: Date): Promise<void> {
  if (schedule.expiresAt <= now) return end(tx, schedule, "expired", now);
  if (await isFull(tx, schedule.id))
    return disableCallback(tx, { id: schedule.id, reason: "too many calls wait for the receiver", now });
  const { dueAt, missed, next } = await timesOf(schedule, now);
  const isSkipped = schedule.catchUp === "none" && now.getTime() - dueAt.getTime() > LATE_MS;
  const skipped = missed + (isSkipped ? 1 : 0);
  const fires = schedule.fires + (isSkipped ? 0 : 1);
  if (!isSkipped) await deliver(tx, schedule, { dueAt, missed, number: fires, now });
  await tx.query("update @schedules set fires = $2::int, missed = missed + $3::int, next_at = $4 where id = $1", [
    ...[schedule.id, fires, skipped, next && next < schedule.expiresAt ? next : schedule.expiresAt],
  ]);
  if (fires >= schedule.maxFires || (!next && isOnce(schedule))) await end(tx, schedule, "completed", now);
}

const isOnce = ({ everySeconds, cron }: Due): boolean => everySeconds === null && cron === null;

async function deliver(
  tx: Queryable,
  { id, wallet, label, payload }: Due,
  { dueAt, missed, number, now }: { dueAt: Date; missed: number; number: number; now: Date },
): Promise<void> {
  const data = {
    ...{ scheduleId: id, fireNumber: number, firedAt: now.toISOString(), dueAt: dueAt.toISOString(), missed },
    ...{ label, payload: payload === null ? null : (JSON.parse(tx.seal.open(["schedules", id], payload)) as unknown) },
  };
  await deliverEvent(tx, { wallet, source: id, number, type: "schedule.fired", data, now });
}

const end = async (tx: Queryable, { id }: Due, status: "expired" | "completed", now: Date): Promise<void> => {
  await tx.query("update @schedules set status = $2, next_at = null, ended_at = $3 where id = $1", [id, status, now]);
};

/** The last time that is past, how many before it nobody saw to, and the next. */
async function timesOf({ nextAt, everySeconds, cron, timeZone }: Due, now: Date) {
  if (everySeconds !== null) {
    const step = everySeconds * 1000;
    const missed = Math.floor((now.getTime() - nextAt.getTime()) / step);
    const dueAt = new Date(nextAt.getTime() + missed * step);
    return { dueAt, missed, next: new Date(dueAt.getTime() + step) };
  }
  if (cron === null) return { dueAt: nextAt, missed: 0, next: undefined };
  const after = await openCron(cron, timeZone);
  let [dueAt, missed] = [nextAt, 0];
  for (let later = after(dueAt); later && later <= now && missed < MAX_COUNTED; later = after(later))
    [dueAt, missed] = [later, missed + 1];
  return { dueAt, missed, next: after(now) };
}
