/** Deliveries: records outcomes of attempts, and lists them for their owner. */
import { z } from "zod";
import { BACK_OFF, isDelivered, waitSeconds } from "../../lib/http/webhook-delivery.js";
import { type Database, type Queryable, rowsOf } from "../database/database.js";
import { ifReadable } from "../database/encryption.js";
import { epoch } from "../wallet/objects.js";
import type { ReadScope } from "../wallet/scope.js";
import { CIRCUIT, type Claimed } from "./claim.js";
import { disableCallback, keptUntil, lockCallback, type ReceiverRow, reopenCallback } from "./rows.js";

/** For a receiver that never accepted a message, since it may belong to somebody else. */
const STRANGER_ATTEMPTS = 3;
const STRANGER_DEAD = 3;
/** Outcome of an attempt, in words that reveal nothing about the network. */
export interface DeliveryOutcome {
  outcome: "answered" | "unreachable" | "not allowed";
  status?: number;
  /** Pause that the receiver asked for. */
  retryAfterSeconds?: number;
}

type Holder = Pick<Claimed, "event" | "callback" | "wallet" | "attempts" | "lease">;

export interface Attempt {
  holder: Holder;
  outcome: DeliveryOutcome;
}

/** Records the outcomes of attempts: successes at healthy receivers in one statement, all others one by one. */
export async function finishAll(
  database: Database,
  attempts: readonly Attempt[],
  { now, random }: { now: Date; random(): number },
): Promise<void> {
  const delivered = attempts.filter(({ outcome }) => isDelivered(outcome));
  const done = delivered.length > 0 ? await deliverAll(database, delivered, now) : new Set<string>();
  for (const { holder, outcome } of attempts)
    if (!done.has(nameOf(holder))) await finish(database, holder, outcome, { now, random: random() });
}

const nameOf = ({ event, callback }: Pick<Holder, "event" | "callback">): string => `${event} ${callback}`;
const doneRow = z.object({ event: z.string(), callback: z.string() });

/**
 * Locks receivers first, in the same order as their deletion. Returns the deliveries it recorded, those whose lease
 * still holds.
 */
async function deliverAll(database: Database, attempts: readonly Attempt[], now: Date): Promise<Set<string>> {
  // guard: wallets: callbacks that arrived count under their lease | - lease = a.lease and d. | finish
  const text = `with held as materialized (
      select id from @callbacks where id = any($2::text[]) and state = 'active' and failures < ${CIRCUIT}
      order by id for no key update
    ), done as (
      update @deliveries d set state = 'delivered', due_at = $6, done_at = $6, lease = null, lease_until = null,
          last_status = a.status, last_outcome = 'answered', log = d.log || a.entry::jsonb
        from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::text[]) as a(event, callback, lease, status, entry)
          join held on held.id = a.callback
        where d.event = a.event and d.callback = a.callback and d.lease = a.lease and d.state = 'pending'
      returning d.event, d.callback
    ), kept as (
      update @events e set expires_at = $7 from (select distinct event from done) as sent where e.id = sent.event
    ), healthy as (
      update @callbacks c set failures = 0, failing_since = null, successes = c.successes + sent.count
        from (select callback, count(*)::int as count from done group by callback) as sent where c.id = sent.callback
    ) select event, callback from done`;
  const rows = await rowsOf(database, doneRow, text, [
    attempts.map(({ holder }) => holder.event),
    attempts.map(({ holder }) => holder.callback),
    attempts.map(({ holder }) => holder.lease),
    attempts.map(({ outcome }) => outcome.status),
    attempts.map(({ holder, outcome }) => JSON.stringify([entryOf(holder, outcome, now)])),
    now,
    keptUntil(now),
  ]);
  return new Set(rows.map(nameOf));
}

const entryOf = ({ attempts }: Holder, { outcome, status }: DeliveryOutcome, now: Date) => ({
  at: seconds(now),
  attempt: attempts,
  outcome,
  status,
});

/** Records the outcome of an attempt, which counts only under its own lease. `random` is from 0 to 1. */
const finish = (
  database: Database,
  holder: Holder,
  outcome: DeliveryOutcome,
  { now, random }: { now: Date; random: number },
) =>
  database.transaction(async (tx) => {
    const receiver = await lockCallback(tx, holder.wallet, holder.callback);
    if (!receiver) return;
    const state = stateAfter(holder, outcome, receiver);
    const dueAt = new Date(now.getTime() + waitSeconds(holder.attempts, outcome, random) * 1000);
    const [row] = await rowsOf(tx, attemptedRow, RECORD_ATTEMPT, [
      holder.event,
      holder.callback,
      holder.lease,
      state,
      dueAt,
      outcome.status ?? null,
      outcome.outcome,
      JSON.stringify([entryOf(holder, outcome, now)]),
      now,
    ]);
    if (!row) return;
    if (state !== "pending")
      await tx.query("update @events set expires_at = $2 where id = $1", [holder.event, keptUntil(now)]);
    if (state === "delivered") return succeed(tx, holder.callback, { now, wasFailing: receiver.failures >= CIRCUIT });
    await tx.query(
      "update @callbacks set failures = failures + 1, failing_since = coalesce(failing_since, $2) where id = $1",
      [holder.callback, now],
    );
    if (state === "pending") return;
    const reason = await reasonToDisable(tx, receiver, { ...holder, ...outcome, createdAt: row.createdAt });
    if (reason) await disableCallback(tx, { id: holder.callback, reason, now });
  });

const attemptedRow = z.object({ createdAt: z.number() });
const RECORD_ATTEMPT = `update @deliveries set state = $4, due_at = $5, lease = null, lease_until = null, last_status = $6::int,
     last_outcome = $7, log = log || $8::jsonb, done_at = case when $4 = 'pending' then null else $9::timestamptz end
   where event = $1 and callback = $2 and lease = $3 and state = 'pending' returning ${epoch("created_at")} as "createdAt"`;

/** Receivers say with this status that they want no more messages. */
const GONE = 410;
const isStranger = ({ successes }: ReceiverRow): boolean => successes === 0;

function stateAfter(
  { attempts }: Holder,
  outcome: DeliveryOutcome,
  receiver: ReceiverRow,
): "delivered" | "dead" | "pending" {
  if (isDelivered(outcome)) return "delivered";
  const most = isStranger(receiver) ? STRANGER_ATTEMPTS : BACK_OFF.length;
  return attempts >= most || outcome.status === GONE ? "dead" : "pending";
}

/** Why a receiver gets nothing more after this dead delivery, which its `dead` does not count; undefined if it stays. */
async function reasonToDisable(
  tx: Queryable,
  receiver: ReceiverRow,
  { callback, status, createdAt }: { callback: string; status?: number; createdAt: number },
): Promise<string | undefined> {
  if (status === GONE) return "the receiver is gone";
  const givesUp = isStranger(receiver)
    ? receiver.dead + 1 >= STRANGER_DEAD
    : receiver.failingSince !== null && (await succeededNeverSince(tx, callback, createdAt));
  return givesUp ? "the receiver keeps failing" : undefined;
}

/** A receiver that answers again gets everything that waited, the oldest first. */
async function succeed(tx: Queryable, callback: string, { now, wasFailing }: { now: Date; wasFailing: boolean }) {
  const text = "update @callbacks set failures = 0, failing_since = null, successes = successes + 1 where id = $1";
  await tx.query(text, [callback]);
  if (wasFailing)
    await tx.query(
      "update @deliveries set due_at = created_at where callback = $1 and state = 'pending' and due_at > $2",
      [callback, now],
    );
  await reopenCallback(tx, callback);
}

async function succeededNeverSince(tx: Queryable, callback: string, since: number): Promise<boolean> {
  const text = "select from @deliveries where callback = $1 and state = 'delivered' and done_at >= $2 limit 1";
  return (await tx.query(text, [callback, new Date(since)])).rows.length === 0;
}

const seconds = (now: Date): string => `${now.toISOString().slice(0, 19)}Z`;

/** Returns leased deliveries that were not tried, for later. */
export async function putBack(database: Database, holders: readonly Holder[], dueAt: Date): Promise<void> {
  if (holders.length === 0) return;
  await database.query(
    `update @deliveries d set lease = null, lease_until = null, attempts = d.attempts - 1, due_at = $4
      from unnest($1::text[], $2::text[]) as back(event, callback)
      where d.event = back.event and d.callback = back.callback and d.lease = $3`,
    [holders.map(({ event }) => event), holders.map(({ callback }) => callback), holders[0]?.lease, dueAt],
  );
}

/** Successes from which on a destination may get more. */
export const KNOWN_SUCCESSES = 10;

/** Postpones all that is due to the known or unknown receivers of a destination, which gets no more in this minute. */
export async function postpone(
  database: Database,
  { origin, isKnown }: { origin: string; isKnown: boolean },
  { now, until }: { now: Date; until: Date },
): Promise<void> {
  await database.query(
    `update @deliveries d set due_at = $4 from @callbacks c
      where c.id = d.callback and c.origin = $1 and d.state = 'pending' and d.due_at <= $3
        and (d.lease_until is null or d.lease_until <= $3) and $2::boolean = (c.successes >= ${KNOWN_SUCCESSES}
          or exists (select from @subscriptions s where s.id = c.id and s.confirmed_at is not null))`,
    [origin, isKnown, now, until],
  );
}

const when = () => z.number().transform((ms) => new Date(ms).toISOString());

const historyRow = z.object({
  messageId: z.string(),
  number: z.number(),
  state: z.enum(["pending", "delivered", "dead", "dropped"]),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  lastOutcome: z.string().nullable(),
  createdAt: when(),
  doneAt: when().nullable(),
  nextAttemptAt: when().nullable(),
  body: z.string(),
});

/** The latest deliveries of a callback, and the failed ones with their bodies. */
export async function historyOf(scope: ReadScope, callback: string) {
  const select = (where: string, order: string) =>
    `select e.id as "messageId", e.number::float8 as number, d.state, d.attempts, d.last_status as "lastStatus",
       d.last_outcome as "lastOutcome", ${epoch("d.created_at")} as "createdAt", ${epoch("d.done_at")} as "doneAt",
       ${epoch("case when d.state = 'pending' then d.due_at end")} as "nextAttemptAt", e.body
     from @deliveries d join @events e on e.id = d.event
     where d.wallet = $1 and d.callback = $2 ${where} order by e.number ${order} limit 20`;
  const ask = (where: string, order: string) =>
    rowsOf(scope, historyRow, select(where, order), [scope.wallet, callback]);
  const recent = await ask("", "desc");
  const waiting = await ask("and d.state in ('pending', 'dead')", "asc");
  return {
    recentDeliveries: recent.map(({ body: _, ...row }) => row),
    undelivered: waiting.map(({ body, ...row }) => ({
      ...row,
      body:
        ifReadable(() => JSON.parse(scope.encryption.decrypt(["events", "body", row.messageId], body)) as unknown) ??
        null,
    })),
  };
}
