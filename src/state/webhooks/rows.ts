/** Rows of callbacks: the receivers of deliveries, and their health. */

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { DAY_MS } from "../../lib/time.js";
import { type Queryable, rowsOf } from "../database/database.js";
import { insertInto } from "../database/insert.js";
import { epoch, objectSize } from "../wallet/objects.js";
import type { WriteScope } from "../wallet/scope.js";

/** How long a message and its deliveries are kept. */
const KEPT_MS = 7 * DAY_MS;
/** A receiver with more pending deliveries is ended. */
export const MAX_PENDING = 1000;
/** Reason shown for such a receiver. */
export const TOO_MANY_PENDING = "too many calls wait for the receiver";

/** Its id is that of its schedule, watcher or subscription. */
export async function addCallback(scope: WriteScope, { id, url }: { id: string; url: string }): Promise<void> {
  const { wallet, now, encryption } = scope;
  await scope.query(
    "insert into @callbacks (id, wallet, url, origin, state, created_at) values ($1, $2, $3, $4, 'active', $5)",
    // guard: wallets: origins stand as digests | without encryption.digest | encryption
    [id, wallet, encryption.encrypt(["callbacks", "url", id], url), encryption.digest(new URL(url).origin), now],
  );
}

/** Ends a receiver and drops its pending deliveries. */
export async function endCallback(scope: WriteScope, id: string): Promise<void> {
  const { wallet, now } = scope;
  await scope.query("update @callbacks set state = 'ended' where wallet = $1 and id = $2", [wallet, id]);
  await scope.query(
    `update @deliveries set state = 'dropped', lease = null, done_at = $3
      where wallet = $1 and callback = $2 and state = 'pending'`,
    [wallet, id, now],
  );
}

export const newMessageId = (): string => `msg_${randomBytes(16).toString("hex")}`;

export interface Happening {
  wallet: string;
  /** Source of the event; together with `number` it is unique. */
  source: string;
  number: number;
  type: string;
  data: object;
  now: Date;
  /** The caller's own id, which is unique, too. */
  dedup?: string | undefined;
}

/** Size of an event with this number of receivers. */
export const sizeOfEvent = ({ type, data, dedup = "" }: Pick<Happening, "type" | "data" | "dedup">, receivers = 1) =>
  objectSize(type, JSON.stringify(data), dedup) + receivers * objectSize();

/**
 * Writes an event in the transaction that made it due; resolves to its size. The bytes written are the bytes that are
 * signed and sent.
 */
export async function addEvent(tx: Queryable, happening: Happening, id: string, receivers?: number): Promise<number> {
  const { wallet, source, number, type, now, dedup } = happening;
  const bytes = sizeOfEvent(happening, receivers);
  const body = bodyOf(tx, happening, id);
  await tx.query(
    ...insertInto("@events", {
      id,
      wallet,
      source,
      number,
      dedup: dedup ?? null,
      type,
      body,
      created_at: now,
      expires_at: keptUntil(now),
      bytes,
    }),
  );
  return bytes;
}

/** Writes an event and its delivery for the single receiver with the id of its source; resolves to their size. */
export const deliverEvent = (tx: Queryable, happening: Happening, id?: string): Promise<number> =>
  deliverEvents(tx, [{ ...happening, id }]);

/** The same for events of one moment, in one statement; resolves to their total size. */
export async function deliverEvents(
  tx: Queryable,
  happenings: readonly (Happening & { id?: string | undefined })[],
): Promise<number> {
  const [first] = happenings;
  if (!first) return 0;
  const sizes = happenings.map((one) => sizeOfEvent(one));
  const rows = happenings.map(({ id = newMessageId(), ...one }) => ({ ...one, id, body: bodyOf(tx, one, id) }));
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name]);
  await tx.query(
    `with happened as (select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::int[])
        as happened(id, wallet, source, number, type, body, bytes)),
      written as (insert into @events (id, wallet, source, number, type, body, bytes, created_at, expires_at)
        select *, $8::timestamptz, $9::timestamptz from happened)
    insert into @deliveries (event, callback, wallet, state, due_at, created_at)
      select id, source, wallet, 'pending', $8::timestamptz, $8::timestamptz from happened`,
    [
      column("id"),
      column("wallet"),
      column("source"),
      column("number"),
      column("type"),
      column("body"),
      sizes,
      first.now,
      keptUntil(first.now),
    ],
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Room of the wallets whose rows a transaction has locked. */
export interface Rooms {
  /** Whether a wallet has room for these bytes. */
  fits(wallet: string, bytes: number): boolean;
  take(wallet: string, bytes: number): void;
  /** Stores the new sizes. To be called at the end of the transaction. */
  settle(): Promise<void>;
}

const roomRow = z.object({ wallet: z.string(), bytes: z.number() });

/** Locks wallets before any of their data, always in one order; busy ones are awaited, or left out. */
export async function lockRooms(
  tx: Queryable,
  wallets: string[],
  { maxBytes, busy }: { maxBytes: number; busy: "wait" | "skip" },
): Promise<Rooms & { wallets: string[] }> {
  const text = `select wallet, bytes::float8 as bytes from @wallets where wallet = any($1::text[]) order by wallet
    for update ${busy === "skip" ? "skip locked" : ""}`;
  const rows = wallets.length > 0 ? await rowsOf(tx, roomRow, text, [wallets]) : [];
  const used = new Map(rows.map(({ wallet, bytes }) => [wallet, bytes]));
  const taken = new Map<string, number>();
  return {
    wallets: [...used.keys()],
    fits: (wallet, bytes) => (used.get(wallet) ?? 0) + (taken.get(wallet) ?? 0) + bytes <= maxBytes,
    take: (wallet, bytes) => void taken.set(wallet, (taken.get(wallet) ?? 0) + bytes),
    async settle() {
      if (taken.size === 0) return;
      await tx.query(
        `update @wallets w set bytes = w.bytes + taken.bytes
          from unnest($1::text[], $2::bigint[]) as taken(wallet, bytes) where w.wallet = taken.wallet`,
        [[...taken.keys()], [...taken.values()]],
      );
    },
  };
}

const bodyOf = ({ encryption }: Queryable, { type, now, data }: Happening, id: string): string =>
  encryption.encrypt(["events", "body", id], JSON.stringify({ type, timestamp: now.toISOString(), data }));

export const keptUntil = (now: Date): Date => new Date(now.getTime() + KEPT_MS);

const receiverRow = z.object({
  state: z.string(),
  failures: z.int(),
  successes: z.int(),
  failingSince: z.number().nullable(),
  dead: z.number(),
});
export type ReceiverRow = z.infer<typeof receiverRow>;

/** A receiver, locked until the transaction ends. Writers of deliveries need not wait. */
export async function lockCallback(tx: Queryable, wallet: string, id: string): Promise<ReceiverRow | undefined> {
  const text = `with held as materialized (
      select * from @callbacks where wallet = $1 and id = $2 for no key update)
    select state, failures, successes, ${epoch("failing_since")} as "failingSince",
      (select count(*) from @deliveries where callback = $2 and state = 'dead'
        and last_outcome is distinct from 'unreadable')::float8 as dead from held`;
  return (await rowsOf(tx, receiverRow, text, [wallet, id]))[0];
}

/**
 * Ends a receiver that keeps failing, and its schedule or watcher; its pending deliveries stay visible and can be sent
 * again.
 */
export async function disableCallback(tx: Queryable, { id, reason, now }: { id: string; reason: string; now: Date }) {
  await tx.query("update @callbacks set state = 'disabled', reason = $2 where id = $1", [id, reason]);
  await tx.query(
    "update @schedules set status = 'disabled', reason = $2, ended_at = $3 where id = $1 and status = 'active'",
    [id, reason, now],
  );
  await tx.query(
    `update @watchers set status = 'disabled', reason = $2, ended_at = $3, lease = null, lease_until = null
      where id = $1 and status in ('armed', 'failing')`,
    [id, reason, now],
  );
  await tx.query(
    "update @deliveries set state = 'dead', lease = null, done_at = $2 where callback = $1 and state = 'pending'",
    [id, now],
  );
}

/** The receiver answers again: its schedule or watcher continues. */
export async function reopenCallback(tx: Queryable, id: string): Promise<void> {
  await tx.query("update @callbacks set state = 'active', reason = null where id = $1 and state = 'disabled'", [id]);
  await tx.query(
    `update @schedules set status = 'active', reason = null, ended_at = null
      where id = $1 and status = 'disabled' and next_at is not null`,
    [id],
  );
  await tx.query(
    `update @watchers set status = 'armed', reason = null, ended_at = null
      where id = $1 and status = 'disabled' and next_at is not null`,
    [id],
  );
}

/** The receivers among these whose queue is full. */
export async function fullOnes(tx: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const text = `select callback as id from @deliveries where callback = any($1::text[]) and state = 'pending'
    group by callback having count(*) >= ${MAX_PENDING}`;
  return new Set((await rowsOf(tx, z.object({ id: z.string() }), text, [ids])).map(({ id }) => id));
}
