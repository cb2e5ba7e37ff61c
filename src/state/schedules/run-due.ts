/** Turns due schedules into events, each due time once, in any number of processes. */
import { z } from "zod";
import { createPacer } from "../../lib/pacer.js";
import { openZone } from "../../lib/time-zone.js";
import { type Database, type Queryable, rowsOf } from "../database/database.js";
import { ifReadable } from "../database/encryption.js";
import { epoch } from "../wallet/objects.js";
import {
  deliverEvents,
  disableCallback,
  fullOnes,
  type Happening,
  lockRooms,
  type Rooms,
  sizeOfEvent,
  TOO_MANY_PENDING,
} from "../webhooks/rows.js";
import { openCron } from "./cron.js";
import { countCron } from "./cron-count.js";

/** Small, so that others do not wait long for the transaction. */
const BATCH = 20;
const TYPE = "schedule.fired";
/** Computing times gets a quarter of the thread. */
const SLICE_MS = 1;
const REST_TIMES = 3;
/** Without catch-up, a time this late, or later than half the way to the next, counts as missed. */
const LATE_MS = 90_000;
/** Pause before an undecryptable one-time call is read again. */
const ASIDE_MS = 3_600_000;

interface Firing {
  onUnreadable(table: string, error: Error): void;
  /** Quota of a wallet in bytes. */
  maxBytes: number;
  /** Wallets whose rows were locked a moment ago: they are skipped, so that a busy wallet delays no other. */
  busy?: readonly string[];
}

export interface Fired {
  /** Number of due schedules that were handled. */
  count: number;
  /** Wallets with due schedules whose rows another transaction holds. */
  busy: string[];
}

const instant = () => z.number().transform((ms) => new Date(Math.round(ms)));
const timedRow = z.object({
  id: z.string(),
  wallet: z.string(),
  everySeconds: z.int().nullable(),
  cron: z.string().nullable(),
  timeZone: z.string(),
  nextAt: instant(),
});
type Timed = z.infer<typeof timedRow>;
const TIMED = `id, wallet, every_seconds as "everySeconds", cron, time_zone as "timeZone", ${epoch("next_at")} as "nextAt"`;
const dueRow = timedRow.extend({
  payload: z.string().nullable(),
  label: z.string().nullable(),
  catchUp: z.enum(["once", "none"]),
  maxFires: z.int(),
  fires: z.int(),
  expiresAt: instant(),
});
type Due = z.infer<typeof dueRow>;
type Called = Omit<Due, "payload">;

/**
 * Turns one batch of due schedules into events and deliveries, and sets their next time in the same transaction. Rows
 * that another process holds are skipped.
 */
export async function runDueSchedules(
  database: Database,
  now: Date,
  { onUnreadable, maxBytes, busy = [] }: Firing,
): Promise<Fired> {
  const first = `select ${TIMED} from @schedules
    where status = 'active' and next_at <= $1 and wallet <> all ($3::text[]) order by next_at, id limit $2::int`;
  // guard: wallets: schedules of a wallet that is always at work hold up no other | busy -> [] | schedule
  const timed = await rowsOf(database, timedRow, first, [now, BATCH, busy]);
  if (timed.length === 0) return { count: 0, busy: [] };
  const times = await timesOfAll(timed, now);
  const wallets = [...new Set(timed.map(({ wallet }) => wallet))];
  return database.transaction(async (tx) => {
    // A busy wallet is left for the next round, so that the others do not wait.
    const rooms = await lockRooms(tx, wallets, { maxBytes, busy: "skip" });
    const held = wallets.filter((wallet) => !rooms.wallets.includes(wallet));
    if (rooms.wallets.length === 0) return { count: 0, busy: held };
    // guard: wallets: what is due is taken by one instance | id for update skip locked -> id | schedule
    const text = `select ${TIMED}, payload, label, catch_up as "catchUp", max_fires as "maxFires", fires,
        ${epoch("expires_at")} as "expiresAt"
      from @schedules where status = 'active' and next_at <= $1 and wallet = any($2::text[]) and id = any($3::text[])
      order by next_at, id for update skip locked`;
    const due = await rowsOf(tx, dueRow, text, [now, rooms.wallets, [...times.keys()]]);
    const full = await fullOnes(
      tx,
      due.map(({ id }) => id),
    );
    const steps: Step[] = [];
    for (const schedule of due) {
      const isEnded = schedule.expiresAt > now && full.has(schedule.id);
      if (isEnded) await disableCallback(tx, { id: schedule.id, reason: TOO_MANY_PENDING, now });
      else steps.push(await stepOf(tx, schedule, { now, onUnreadable, rooms, times: times.get(schedule.id) }));
    }
    await deliverEvents(
      tx,
      steps.flatMap(({ fired }) => fired ?? []),
    );
    await write(tx, steps, now);
    await rooms.settle();
    return { count: due.length, busy: held };
  });
}

/** Outcome of a due schedule. */
interface Step {
  id: string;
  fires: number;
  /** Number of further missed times. */
  missed: number;
  /** Null if the schedule has ended. */
  nextAt: Date | null;
  status: "active" | "expired" | "completed";
  fired?: Happening;
}

async function stepOf(
  tx: Queryable,
  { payload, ...schedule }: Due,
  {
    now,
    onUnreadable,
    rooms,
    times,
  }: Pick<Firing, "onUnreadable"> & { now: Date; rooms: Rooms; times?: Times | undefined },
): Promise<Step> {
  const { id, wallet, expiresAt } = schedule;
  const as = { id, fires: schedule.fires, missed: 0 };
  if (expiresAt <= now) return { ...as, nextAt: null, status: "expired" };
  const { dueAt, missed, next } = await stillTimesOf(schedule, { times, now });
  const within = (time: Date) => (time < expiresAt ? time : expiresAt);
  // Its payload cannot be decrypted now, or has no room: a repeated schedule misses this time, a single one is
  // postponed.
  const aside = (): Step => ({
    ...as,
    missed: next ? missed + 1 : 0,
    status: "active",
    nextAt: within(next ?? new Date(now.getTime() + ASIDE_MS)),
  });
  const opened = ifReadable(
    () =>
      payload === null ? null : (JSON.parse(tx.encryption.decrypt(["schedules", "payload", id], payload)) as unknown),
    (error) => onUnreadable("schedules", error),
  );
  if (opened === undefined) return aside();
  const isSkipped = schedule.catchUp === "none" && isLate({ dueAt, next }, now);
  const fires = schedule.fires + (isSkipped ? 0 : 1);
  const data = dataOf(schedule, { dueAt, missed, number: fires, payload: opened, now });
  const fired = isSkipped ? undefined : { wallet, source: id, number: fires, type: TYPE, data, now };
  // guard: wallets: without room a schedule's time is missed | gone | outgoing-room
  if (fired && !rooms.fits(schedule.wallet, sizeOfEvent(fired))) return aside();
  if (fired) rooms.take(wallet, sizeOfEvent(fired));
  const isOver = fires >= schedule.maxFires || (!next && isOnce(schedule));
  return {
    id,
    fires,
    missed: missed + (isSkipped ? 1 : 0),
    status: isOver ? "completed" : "active",
    nextAt: isOver ? null : within(next ?? expiresAt),
    ...(fired ? { fired } : {}),
  };
}

/** All in one statement. */
async function write(tx: Queryable, steps: readonly Step[], now: Date): Promise<void> {
  await tx.query(
    `update @schedules s set fires = step.fires, missed = s.missed + step.missed, next_at = step.next_at, status = step.status,
        ended_at = case when step.status = 'active' then s.ended_at else $6::timestamptz end
      from unnest($1::text[], $2::int[], $3::int[], $4::timestamptz[], $5::text[]) as step(id, fires, missed, next_at, status)
      where s.id = step.id`,
    [
      steps.map(({ id }) => id),
      steps.map(({ fires }) => fires),
      steps.map(({ missed }) => missed),
      steps.map(({ nextAt }) => nextAt?.toISOString() ?? null),
      steps.map(({ status }) => status),
      now,
    ],
  );
}

const isLate = ({ dueAt, next }: { dueAt: Date; next: Date | undefined }, now: Date): boolean =>
  now.getTime() - dueAt.getTime() > Math.min(LATE_MS, next ? (next.getTime() - dueAt.getTime()) / 2 : LATE_MS);

const isOnce = ({ everySeconds, cron }: Called): boolean => everySeconds === null && cron === null;

const dataOf = (
  { id, label }: Called,
  { dueAt, missed, number, payload, now }: { dueAt: Date; missed: number; number: number; payload: unknown; now: Date },
) => ({
  scheduleId: id,
  fireNumber: number,
  firedAt: now.toISOString(),
  dueAt: dueAt.toISOString(),
  missed,
  label,
  payload,
});

/** Times of a schedule that was due at `nextAt`. */
interface Times {
  nextAt: Date;
  dueAt: Date;
  missed: number;
  next: Date | undefined;
}

/** Computed before the transaction, and in turns with other work, because an expression may take milliseconds. */
async function timesOfAll(all: readonly Timed[], now: Date): Promise<Map<string, Times>> {
  const pacer = createPacer(SLICE_MS, REST_TIMES);
  const times = new Map<string, Times>();
  for (const one of all) {
    times.set(one.id, await timesOf(one, now));
    if (pacer.isDue()) await pacer.rest();
  }
  return times;
}

/** Another process may have fired it since its times were computed. */
async function stillTimesOf(schedule: Timed, { times, now }: { times: Times | undefined; now: Date }): Promise<Times> {
  const isSame = times?.nextAt.getTime() === schedule.nextAt.getTime();
  // guard: wallets: times of crons are computed before their rows are locked | isSame -> !isSame | schedule
  return times && isSame ? times : timesOf(schedule, now);
}

/**
 * The last past time, the number of missed times before it, and the next time: three computations, however long ago it
 * was due.
 */
async function timesOf({ nextAt, everySeconds, cron, timeZone }: Timed, now: Date): Promise<Times> {
  if (everySeconds !== null) {
    const step = everySeconds * 1000;
    const missed = Math.floor((now.getTime() - nextAt.getTime()) / step);
    const dueAt = new Date(nextAt.getTime() + missed * step);
    return { nextAt, dueAt, missed, next: new Date(dueAt.getTime() + step) };
  }
  if (cron === null) return { nextAt, dueAt: nextAt, missed: 0, next: undefined };
  const after = await openCron(cron, timeZone);
  const second = after(nextAt);
  if (!second || second > now) return { nextAt, dueAt: nextAt, missed: 0, next: second };
  // guard: wallets: a cron is asked for the next time after now |
  //   const last -> for (let at = second; at && at <= now; at = after(at)); const last | schedule
  const last = after.before(now);
  const dueAt = last && last > second ? last : second;
  return {
    nextAt,
    dueAt,
    missed: Math.max(1, countCron(cron, await openZone(timeZone), nextAt, dueAt)),
    next: after(now),
  };
}
