/** Schedules that are due become events, each due time once, whatever number of processes look. */
import { z } from "zod";
import { type Database, type Queryable, rowsOf } from "../database/database.js";
import { ifReadable } from "../database/encryption.js";
import { epoch } from "../objects.js";
import { deliverEvent, disableCallback, isFull, lockRooms, type Rooms, sizeOfEvent } from "../webhooks/rows.js";
import { openCron } from "./cron.js";
import { countCron } from "./cron-count.js";

const BATCH = 50;
const TYPE = "schedule.fired";
const walletRow = z.object({ wallet: z.string() });
/** What is later, or later than half the way to the next, was missed, where a schedule catches nothing up. */
const LATE_MS = 90_000;
/** When a call that has no other time is looked at again, where it could not be opened. */
const ASIDE_MS = 3_600_000;

interface Firing {
  onUnreadable(table: string, error: Error): void;
  /** How much a wallet may have. */
  maxBytes: number;
}

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
type Called = Omit<Due, "payload">;

/**
 * Turns one batch of due schedules into events and their deliveries; the next time is set in the same transaction, and a
 * row that another process holds is passed by. Resolves to how many were due.
 */
export async function fireDue(database: Database, now: Date, { onUnreadable, maxBytes }: Firing): Promise<number> {
  const callers = `select distinct wallet from (select wallet from @schedules
    where status = 'active' and next_at <= $1 order by next_at, id limit $2::int) as due`;
  const wallets = (await rowsOf(database, walletRow, callers, [now, BATCH])).map(({ wallet }) => wallet);
  if (wallets.length === 0) return 0;
  return database.transaction(async (tx) => {
    // A wallet that is at work is left for the next round: nobody else waits for it.
    const rooms = await lockRooms(tx, wallets, { maxBytes, busy: "skip" });
    if (rooms.wallets.length === 0) return 0;
    const text = `select id, wallet, every_seconds as "everySeconds", cron, time_zone as "timeZone", payload, label,
        catch_up as "catchUp", max_fires as "maxFires", fires, ${epoch("next_at")} as "nextAt", ${epoch("expires_at")} as "expiresAt"
      from @schedules where status = 'active' and next_at <= $1 and wallet = any($3::text[])
      order by next_at, id limit $2::int for update skip locked`;
    const due = await rowsOf(tx, dueRow, text, [now, BATCH, rooms.wallets]);
    for (const schedule of due) await fire(tx, schedule, { now, onUnreadable, rooms });
    await rooms.settle();
    return due.length;
  });
}

async function fire(
  tx: Queryable,
  { payload, ...schedule }: Due,
  { now, onUnreadable, rooms }: Pick<Firing, "onUnreadable"> & { now: Date; rooms: Rooms },
): Promise<void> {
  if (schedule.expiresAt <= now) return end(tx, schedule, "expired", now);
  if (await isFull(tx, schedule.id))
    return disableCallback(tx, { id: schedule.id, reason: "too many calls wait for the receiver", now });
  const { dueAt, missed, next } = await timesOf(schedule, now);
  const opened = ifReadable(
    () =>
      payload === null ? null : (JSON.parse(tx.seal.open(["schedules", "payload", schedule.id], payload)) as unknown),
    (error) => onUnreadable("schedules", error),
  );
  if (opened === undefined) return setAside(tx, schedule, { missed: missed + 1, next, now });
  const isSkipped = schedule.catchUp === "none" && isLate({ dueAt, next }, now);
  const skipped = missed + (isSkipped ? 1 : 0);
  const fires = schedule.fires + (isSkipped ? 0 : 1);
  if (!isSkipped) {
    const data = dataOf(schedule, { dueAt, missed, number: fires, payload: opened, now });
    // Its wallet is full: this time was missed.
    if (!rooms.fits(schedule.wallet, sizeOfEvent({ type: TYPE, data })))
      return setAside(tx, schedule, { missed: missed + 1, next, now });
    const happening = { wallet: schedule.wallet, source: schedule.id, number: fires, type: TYPE, data, now };
    rooms.take(schedule.wallet, await deliverEvent(tx, happening));
  }
  await tx.query("update @schedules set fires = $2::int, missed = missed + $3::int, next_at = $4 where id = $1", [
    ...[schedule.id, fires, skipped, next && next < schedule.expiresAt ? next : schedule.expiresAt],
  ]);
  if (fires >= schedule.maxFires || (!next && isOnce(schedule))) await end(tx, schedule, "completed", now);
}

const isLate = ({ dueAt, next }: { dueAt: Date; next: Date | undefined }, now: Date): boolean =>
  now.getTime() - dueAt.getTime() > Math.min(LATE_MS, next ? (next.getTime() - dueAt.getTime()) / 2 : LATE_MS);

/** What it would say cannot be read now, or has no room: this time counts as missed, and one that has no other is put off. */
async function setAside(
  tx: Queryable,
  { id, expiresAt }: Called,
  { missed, next, now }: { missed: number; next: Date | undefined; now: Date },
): Promise<void> {
  const later = next ?? new Date(now.getTime() + ASIDE_MS);
  const text = "update @schedules set missed = missed + $2::int, next_at = $3 where id = $1";
  await tx.query(text, [id, next ? missed : 0, later < expiresAt ? later : expiresAt]);
}

const isOnce = ({ everySeconds, cron }: Called): boolean => everySeconds === null && cron === null;

const dataOf = (
  { id, label }: Called,
  { dueAt, missed, number, payload, now }: { dueAt: Date; missed: number; number: number; payload: unknown; now: Date },
) => ({
  ...{ scheduleId: id, fireNumber: number, firedAt: now.toISOString(), dueAt: dueAt.toISOString(), missed },
  ...{ label, payload },
});

const end = async (tx: Queryable, { id }: Called, status: "expired" | "completed", now: Date): Promise<void> => {
  await tx.query("update @schedules set status = $2, next_at = null, ended_at = $3 where id = $1", [id, status, now]);
};

/** The last time that is past, how many before it nobody saw to, and the next: however long ago it was due, three questions. */
async function timesOf({ nextAt, everySeconds, cron, timeZone }: Called, now: Date) {
  if (everySeconds !== null) {
    const step = everySeconds * 1000;
    const missed = Math.floor((now.getTime() - nextAt.getTime()) / step);
    const dueAt = new Date(nextAt.getTime() + missed * step);
    return { dueAt, missed, next: new Date(dueAt.getTime() + step) };
  }
  if (cron === null) return { dueAt: nextAt, missed: 0, next: undefined };
  const after = await openCron(cron, timeZone);
  const second = after(nextAt);
  if (!second || second > now) return { dueAt: nextAt, missed: 0, next: second };
  const last = after.before(now);
  const dueAt = last && last > second ? last : second;
  return { dueAt, missed: Math.max(1, countCron(cron, timeZone, nextAt, dueAt)), next: after(now) };
}
