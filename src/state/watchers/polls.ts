/** Due watchers: one question for all watchers that share it, and a verdict for each. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { CapabilityError, toCapabilityError } from "../../errors.js";
import { type Database, type Queryable, rowsOf } from "../database/database.js";
import { ifReadable } from "../database/encryption.js";
import { epoch } from "../wallet/objects.js";
import {
  deliverEvent,
  disableCallback,
  fullOnes,
  lockRooms,
  type Rooms,
  sizeOfEvent,
  TOO_MANY_PENDING,
} from "../webhooks/rows.js";
import { type Condition, type ConditionVerdict, judge, type Seen, Unusable } from "./conditions.js";
import { LIVES, watcherKey } from "./rows.js";
import { assertFresh } from "./watchable.js";

/** Longer than a poll takes: watchers leased by a dead process are due again after it. */
const LEASE_MS = 90_000;
/** Watchers of one round, and of one transaction. */
const BATCH = 100;
const VERDICTS = 25;
/** Failures in a row after which the owner is told. */
const FAILING = 10;
const FIRED = "watcher.fired";
const FAILED = "watcher.failing";
const MAX_WAIT_MS = 86_400_000;
/** Pause before an undecryptable watcher is read again. */
const ASIDE_MS = 3_600_000;

const instant = () => z.number().transform((ms) => new Date(Math.round(ms)));
const dueRow = z.object({
  id: z.string(),
  wallet: z.string(),
  endpoint: z.string(),
  params: z.string(),
  everySeconds: z.int(),
  condition: z.custom<Condition>((value) => typeof value === "object" && value !== null),
  state: z.string(),
  question: z.string(),
  payload: z.string().nullable(),
  label: z.string().nullable(),
  maxFires: z.int(),
  fires: z.int(),
  polls: z.int(),
  maxPolls: z.int(),
  failures: z.int(),
  nextAt: instant(),
  expiresAt: instant(),
  lease: z.string(),
});
type Due = Omit<z.infer<typeof dueRow>, "state"> & { seen: Seen };

/** Watchers with the same question. */
export interface PollGroup {
  /** Digest of the question. */
  question: string;
  endpoint: string;
  params: string;
  /** The shortest interval among them. */
  everySeconds: number;
  watchers: Due[];
}

/** Ends expired watchers; resolves to their number. */
export async function expireWatchers(database: Database, now: Date): Promise<number> {
  const { rows } = await database.query(
    `update @watchers set status = 'expired', next_at = null, lease = null, ended_at = $1
      where ${LIVES} and next_at <= $1 and expires_at <= $1 returning id`,
    [now],
  );
  return rows.length;
}

/**
 * Takes up to `limit` due questions with their watchers. A poll counts when it is taken, so that a crash causes no poll
 * beyond those paid for.
 */
export async function claimPolls(
  database: Database,
  now: Date,
  {
    limit,
    exhausted,
    onUnreadable,
  }: { limit: number; exhausted: string[]; onUnreadable(table: string, error: Error): void },
): Promise<PollGroup[]> {
  const due = (w: string) =>
    `${w}.status in ('armed', 'failing') and ${w}.next_at <= $1 and ${w}.expires_at > $1 and ${w}.polls < ${w}.max_polls
      and (${w}.lease_until is null or ${w}.lease_until <= $1)`;
  const text = `with asked as (
      select w.question from @watchers w where ${due("w")} and w.endpoint <> all ($2::text[])
      group by w.question order by min(w.next_at) limit $3::int
    ), picked as (
      select w.id from @watchers w join asked a on a.question = w.question
      where ${due("w")} order by w.next_at, w.id limit ${BATCH} for update of w skip locked)
    update @watchers w set lease = $4, lease_until = $5, polls = w.polls + 1 from picked p where w.id = p.id
    returning w.id, w.wallet, w.question, w.endpoint, w.params, w.every_seconds as "everySeconds", w.condition, w.state, w.payload, w.label,
      w.max_fires as "maxFires", w.fires, w.polls, w.max_polls as "maxPolls", w.failures, ${epoch("w.next_at")} as "nextAt",
      ${epoch("w.expires_at")} as "expiresAt", w.lease`;
  const until = new Date(now.getTime() + LEASE_MS);
  const rows = await rowsOf(database, dueRow, text, [now, exhausted, limit, randomUUID(), until]);
  const questions = new Map<string, PollGroup>();
  const closed: (typeof rows)[number][] = [];
  for (const { state, ...row } of rows) {
    const open = (column: "params" | "payload" | "state", text: string) =>
      database.encryption.decrypt(watcherKey(row.id, column), text);
    const read = () => ({
      params: open("params", row.params),
      payload: row.payload === null ? null : open("payload", row.payload),
      seen: JSON.parse(open("state", state)) as Seen,
    });
    const texts = ifReadable(read, (error) => onUnreadable("watchers", error));
    if (!texts) {
      closed.push({ state, ...row });
      continue;
    }
    const known = questions.get(row.question) ?? { ...row, params: texts.params, watchers: [] };
    known.watchers.push({ ...row, ...texts });
    known.everySeconds = Math.min(known.everySeconds, row.everySeconds);
    questions.set(row.question, known);
  }
  if (closed.length > 0) await setAside(database, closed, now);
  return [...questions.values()];
}

/** Nothing was requested, so no poll counts; a watcher that expires earlier still does. */
async function setAside(database: Database, closed: { id: string; lease: string }[], now: Date): Promise<void> {
  await database.query(
    `update @watchers set lease = null, lease_until = null, polls = polls - 1, next_at = least($3::timestamptz, expires_at)
      where id = any($1::text[]) and lease = $2`,
    [closed.map(({ id }) => id), closed[0]?.lease, new Date(now.getTime() + ASIDE_MS)],
  );
}

/** Nothing was requested, so they stay due. */
export async function putPollsBack(database: Database, { watchers }: PollGroup): Promise<void> {
  await database.query(
    `update @watchers set lease = null, lease_until = null, polls = polls - 1 where id = any($1::text[]) and lease = $2`,
    [watchers.map(({ id }) => id), watchers[0]?.lease],
  );
}

/** Not asked, so no poll counts, and none failed; the reason is shown until the next one. */
export async function postponePolls(
  { encryption, query }: Pick<Database, "encryption" | "query">,
  watchers: readonly Due[],
  { error, now }: { error: unknown; now: Date },
): Promise<void> {
  const lastError = sayingWhy(error);
  await query(
    `update @watchers w set lease = null, lease_until = null, polls = w.polls - 1, next_at = later.next_at,
        last_error = later.last_error
      from unnest($1::text[], $2::timestamptz[], $3::text[]) as later(id, next_at, last_error)
      where w.id = later.id and w.lease = $4`,
    [
      watchers.map(({ id }) => id),
      watchers.map((watcher) => nextAfter({ ...watcher, polls: watcher.polls - 1 }, now)),
      watchers.map(({ id }) => encryption.encrypt(watcherKey(id, "last_error"), lastError)),
      watchers[0]?.lease,
    ],
  );
}

/** Judges an answer for every watcher of its question. A failed or outdated answer changes nothing. */
export async function recordPollResult(
  { database, maxBytes, now }: { database: Database; maxBytes: number; now(): Promise<Date> },
  { watchers }: PollGroup,
  answer: Promise<unknown>,
): Promise<void> {
  const outcome = await answer
    .then((data) => {
      assertFresh(data);
      return (watcher: Due): ConditionVerdict =>
        judge({ ...watcher.condition, value: watcher.seen.wanted }, data, watcher.seen);
    })
    .catch((error: unknown) => (): never => {
      throw error;
    });
  for (let from = 0; from < watchers.length; from += VERDICTS) {
    const at = await now();
    const part = watchers.slice(from, from + VERDICTS).map((watcher) => ({ watcher, ...verdictOf(watcher, outcome) }));
    const telling = part.filter(({ verdict, watcher }) => verdict?.fires ?? watcher.failures + 1 === FAILING);
    await database.transaction(async (tx) => {
      const wallets = [...new Set(telling.map(({ watcher }) => watcher.wallet))];
      const rooms = await lockRooms(tx, wallets, { maxBytes, busy: "wait" });
      for (const { watcher, verdict, error } of part)
        if (verdict) await see(tx, watcher, { verdict, now: at, rooms });
        else await fail(tx, watcher, { error, now: at, rooms });
      await rooms.settle();
    });
  }
}

function verdictOf(
  watcher: Due,
  outcome: (watcher: Due) => ConditionVerdict,
): { verdict?: ConditionVerdict; error?: unknown } {
  try {
    return { verdict: outcome(watcher) };
  } catch (error) {
    return { error };
  }
}

interface At {
  now: Date;
  rooms: Rooms;
}

/** Follows the planned times, however late the poll is. */
function nextAfter({ nextAt, everySeconds, polls, maxPolls, expiresAt }: Due, now: Date): Date {
  const step = everySeconds * 1000;
  const missed = Math.max(0, Math.floor((now.getTime() - nextAt.getTime()) / step));
  const next = new Date(nextAt.getTime() + (missed + 1) * step);
  return polls >= maxPolls || next > expiresAt ? expiresAt : next;
}

async function see(
  tx: Queryable,
  watcher: Due,
  { verdict, now, rooms }: At & { verdict: ConditionVerdict },
): Promise<void> {
  const data = verdict.fires ? firedData(watcher, verdict, now) : undefined;
  // It fires when there is room.
  // guard: wallets: without room a watcher fires later | gone | outgoing-room
  if (data && !rooms.fits(watcher.wallet, sizeOfEvent({ type: FIRED, data })))
    return fail(tx, watcher, { error: noRoom(), now, rooms });
  const fires = watcher.fires + (verdict.fires ? 1 : 0);
  const isOver = fires >= watcher.maxFires;
  const { wanted, by } = watcher.seen;
  const seen = { ...verdict.seen, wanted, by };
  const state = tx.encryption.encrypt(watcherKey(watcher.id, "state"), JSON.stringify(seen));
  const { rows } = await tx.query(
    `update @watchers set state = $3, fires = $4::int, failures = 0, last_error = null, last_polled_at = $5, next_at = $6,
       status = $7, ended_at = $8, lease = null, lease_until = null
     where id = $1 and lease = $2 and ${LIVES} returning id`,
    [
      watcher.id,
      watcher.lease,
      state,
      fires,
      now,
      ...(isOver ? [null, "completed", now] : [nextAfter(watcher, now), "armed", null]),
    ],
  );
  if (rows.length > 0 && data) await tell(tx, watcher, { type: FIRED, data, now, rooms });
}

const firedData = (watcher: Due, { previous, current, truncated, items }: ConditionVerdict, now: Date) => ({
  watcherId: watcher.id,
  fireNumber: watcher.fires + 1,
  firedAt: now.toISOString(),
  endpoint: watcher.endpoint,
  conditionType: watcher.condition.type,
  previous,
  current,
  ...(truncated ? { truncated } : {}),
  ...(items ? { items } : {}),
  ...own(watcher),
});

const noRoom = () => new CapabilityError("QUOTA_EXCEEDED", "The wallet has no room for the message.");

async function fail(tx: Queryable, watcher: Due, { error, now, rooms }: At & { error: unknown }): Promise<void> {
  const failures = watcher.failures + 1;
  const lastError = sayingWhy(error);
  const waitMs = Math.min(MAX_WAIT_MS, watcher.everySeconds * 1000 * 2 ** Math.min(failures, 30));
  const next = new Date(Math.min(now.getTime() + waitMs, watcher.expiresAt.getTime()));
  const { rows } = await tx.query(
    `update @watchers set failures = $3::int, last_error = $4, last_polled_at = $5, next_at = $6, lease = null,
       lease_until = null, status = case when $3::int >= ${FAILING} then 'failing' else status end
     where id = $1 and lease = $2 and ${LIVES} returning id`,
    [
      watcher.id,
      watcher.lease,
      failures,
      tx.encryption.encrypt(watcherKey(watcher.id, "last_error"), lastError),
      now,
      next,
    ],
  );
  if (rows.length === 0 || failures !== FAILING) return;
  const data = { watcherId: watcher.id, failures, lastError, nextPoll: next.toISOString(), ...own(watcher) };
  if (rooms.fits(watcher.wallet, sizeOfEvent({ type: FAILED, data })))
    await tell(tx, watcher, { type: FAILED, data, now, rooms });
}

const own = ({ label, payload }: Due) => ({
  label,
  payload: payload === null ? null : (JSON.parse(payload) as unknown),
});

/** The error as a caller of the endpoint would get it. */
function sayingWhy(error: unknown): string {
  if (error instanceof Unusable) return error.message;
  const { code, message } = toCapabilityError(error);
  return `${code}: ${message}`.slice(0, 500);
}

/** Once a poll: its number is the event's. */
async function tell(
  tx: Queryable,
  { id, wallet, polls }: Due,
  { type, data, now, rooms }: At & { type: string; data: object },
): Promise<void> {
  if ((await fullOnes(tx, [id])).has(id)) return disableCallback(tx, { id, reason: TOO_MANY_PENDING, now });
  rooms.take(wallet, await deliverEvent(tx, { wallet, source: id, number: polls, type, data, now }));
}
