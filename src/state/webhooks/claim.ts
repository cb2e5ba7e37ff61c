/** Selects due deliveries and leases them, at a cost independent of the number of pending ones. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Database, rowsOf } from "../database/database.js";
import { ifReadable } from "../database/encryption.js";
import { epoch } from "../wallet/objects.js";
import type { Room, Share } from "./places.js";

/** Longer than an attempt takes: what a process that died had taken is due again after it. */
const LEASE_MS = 45_000;
const PER_ORIGIN = 4;
const PER_WALLET = 8;
/** Failures in a row after which only the oldest delivery of a receiver is tried. */
export const CIRCUIT = 3;
/** Up to this many due rows are read together; with more, this many receivers: a statement that delays nobody. */
const MAX_DUE = 64;
// guard: wallets: few receivers are claimed for in one statement | = 128 | claim
const MAX_RECEIVERS = 48;
/** When what could not be opened is looked at again: by then a key may be listed that was forgotten. */
const ASIDE_MS = 3_600_000;
const ASIDE = "unreadable";

const claimedRow = z.object({
  event: z.string(),
  callback: z.string(),
  wallet: z.string(),
  attempts: z.int(),
  lease: z.string(),
  body: z.string(),
  url: z.string(),
  origin: z.string(),
  successes: z.int(),
  isWell: z.boolean(),
  confirmed: z.boolean(),
  secretVersion: z.int(),
  rotatedAt: z
    .number()
    .nullable()
    .transform((ms) => (ms === null ? null : new Date(ms))),
});
export type Claimed = z.infer<typeof claimedRow>;

/** Receivers that may have due deliveries. */
export interface Receivers {
  ids: string[];
  /** Start of the next look; empty after the last receiver. */
  next: string;
}

/** Room for deliveries; without shares, receivers of both kinds may have all of it. */
export interface Free extends Pick<Room, "limit" | "busyOrigins" | "busyWallets"> {
  receivers: readonly string[];
  well?: Share;
  doubtful?: Share;
  /** Told of what does not open; that is set aside, and no attempt counts. */
  onUnreadable(table: string, error: Error): void;
}

const due = (d: string) =>
  `${d}.state = 'pending' and ${d}.due_at <= $1 and (${d}.lease_until is null or ${d}.lease_until <= $1)`;

/**
 * All receivers with due deliveries. If there are too many, the next ones after `after` with pending deliveries, so
 * that a receiver with many pending ones hides no other. Steps through the index.
 */
export async function receiversDue(database: Database, now: Date, after: string): Promise<Receivers> {
  const firstRows = `select count(*)::int as due, coalesce(array_agg(distinct callback), '{}') as ids
    from (select callback from @deliveries d where ${due("d")} order by due_at limit ${MAX_DUE}) as first`;
  const [first] = await rowsOf(database, z.object({ due: z.int(), ids: z.array(z.string()) }), firstRows, [now]);
  if (!first || first.due < MAX_DUE) return { ids: first?.ids ?? [], next: "" };
  const step = (from: string) =>
    `select callback from @deliveries where state = 'pending' and callback > ${from} order by callback limit 1`;
  const walk = `with recursive waiting(callback) as (
      (${step("$1::text")}) union all select (${step("w.callback")}) from waiting w where w.callback is not null)
    select callback as id from waiting where callback is not null limit ${MAX_RECEIVERS}`;
  const ids = (await rowsOf(database, z.object({ id: z.string() }), walk, [after])).map(({ id }) => id);
  return { ids, next: ids.length < MAX_RECEIVERS ? "" : (ids.at(-1) ?? "") };
}

// guard: wallets: behind a receiver that fails only the oldest is tried | and c.successes > 0 -> or true | callbacks
const HEALTHY = `c.failures < ${CIRCUIT} and c.successes > 0`;
/** Answered its last message. Others share places of their own, which are taken longer. */
const WELL = "c.failures = 0 and c.successes > 0";

/**
 * The conditions are repeated, because a row that another process just took is checked again only by the query that
 * locks it.
 */
const CLAIM = `with candidates as (
    select d.event, d.callback, d.wallet, d.due_at, d.created_at, c.origin, ${WELL} as well,
      row_number() over (partition by c.origin, d.wallet order by d.due_at, d.created_at, d.event) as own
    from @callbacks c cross join lateral (
      (select h.* from @deliveries h where ${HEALTHY} and h.callback = c.id and ${due("h")}
        order by h.created_at, h.event limit ${PER_ORIGIN})
      union all
      (select * from (select * from @deliveries u where not (${HEALTHY}) and u.callback = c.id and u.state = 'pending'
          and (u.last_outcome is distinct from '${ASIDE}' or u.due_at <= $1)
        order by u.created_at, u.event limit 1) as oldest where ${due("oldest")})) d
    where c.id = any ($7::text[]) and c.origin <> all ($5::text[]) and d.wallet <> all ($6::text[])
      and d.wallet <> all (case when ${WELL} then $9::text[] else $11::text[] end)
  ), placed as (
    select *, row_number() over (partition by origin order by own, due_at, created_at, event) as place from candidates
  ), ranked as (
    select *, row_number() over (partition by wallet, well order by place, due_at, created_at, event) as turn
    from placed where place <= ${PER_ORIGIN}
  ), counted as (
    select *, row_number() over (partition by well order by turn, due_at, created_at, event) as number from ranked
    where turn <= ${PER_WALLET}
  ), picked as (
    select d.event, d.callback, r.well from @deliveries d join counted r on r.event = d.event and r.callback = d.callback
    where ${due("d")} and r.number <= case when r.well then $8::int else $10::int end
    order by r.turn, r.due_at, r.created_at limit $2::int for update of d skip locked)
  update @deliveries d set lease = $3, lease_until = $4, attempts = d.attempts + 1
    from picked p join @events e on e.id = p.event join @callbacks c on c.id = p.callback
    where d.event = p.event and d.callback = p.callback
  returning d.event, d.callback, d.wallet, d.attempts, d.lease, e.body, c.url, c.origin, c.successes,
    p.well as "isWell", exists (select from @subscriptions s where s.id = c.id and s.confirmed_at is not null) as confirmed,
    c.secret_version as "secretVersion", ${epoch("c.rotated_at")} as "rotatedAt"`;

/**
 * Leases due deliveries of these receivers, at most four of each destination, the oldest of each wallet first. The first
 * of every wallet goes before the second of any, and within a wallet the first of every destination. Only the oldest for
 * a receiver that fails or never accepted a message.
 */
export async function claim(
  database: Database,
  now: Date,
  { limit, receivers, busyOrigins, busyWallets, onUnreadable, ...shares }: Free,
): Promise<Claimed[]> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const { well = { limit, busyWallets: [] }, doubtful = { limit, busyWallets: [] } } = shares;
  const values = [
    ...[now, limit, randomUUID(), leasedUntil, busyOrigins, busyWallets, receivers],
    ...[well.limit, well.busyWallets, doubtful.limit, doubtful.busyWallets],
  ];
  const claimed = await rowsOf(database, claimedRow, CLAIM, values);
  const { decrypt: open } = database.encryption;
  const readable: Claimed[] = [];
  const closed: Claimed[] = [];
  for (const one of claimed) {
    const read = () => ({
      url: open(["callbacks", "url", one.callback], one.url),
      body: open(["events", "body", one.event], one.body),
    });
    const texts = ifReadable(read, (error) => onUnreadable("deliveries", error));
    if (texts) readable.push({ ...one, ...texts });
    else closed.push(one);
  }
  if (closed.length > 0) await setAside(database, closed, now);
  return readable;
}

/** Not tried, so no attempt counts. What is past its time is given up, for its owner to see. */
async function setAside(database: Database, closed: Claimed[], now: Date): Promise<void> {
  await database.query(
    // guard: wallets: what was set aside counts no attempt |
    //   attempts = d.attempts - 1, last_outcome -> last_outcome | set-aside
    `update @deliveries d set lease = null, lease_until = null, attempts = d.attempts - 1, last_outcome = '${ASIDE}',
        due_at = $4, state = case when e.expires_at <= $5 then 'dead' else 'pending' end,
        done_at = case when e.expires_at <= $5 then $5 end
      from unnest($1::text[], $2::text[]) as closed(event, callback) join @events e on e.id = closed.event
      where d.event = closed.event and d.callback = closed.callback and d.lease = $3`,
    [
      closed.map(({ event }) => event),
      closed.map(({ callback }) => callback),
      closed[0]?.lease,
      new Date(now.getTime() + ASIDE_MS),
      now,
    ],
  );
}
