/** Leases messages of a queue to workers, at least once each; messages that keep failing are set aside. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { mutate } from "../account.js";
import { PAGE_BYTES } from "../cursor.js";
import { rowsOf } from "../database/database.js";
import { epoch, time } from "../objects.js";
import { clockParam, type ReadScope, type WriteScope } from "../scope.js";
import { bodyOf, EXHAUSTED, messageKey, readableBody, UNREADABLE } from "./rows.js";

/** How long failed messages are kept for inspection. */
const DEAD_MS = 7 * DAY_MS;
/** However often it is extended, one lease ends after this. */
const MAX_LEASE_MS = 12 * HOUR_MS;
const ASIDE_PAGE = 100;

export interface Lease {
  queue: string;
  count: number;
  visibilitySeconds: number;
}

const leasedRow = z.object({
  id: z.string(),
  attempts: z.int(),
  leaseToken: z.string(),
  leaseExpiresAt: time(),
  enqueuedAt: time(),
});
const takenRow = leasedRow.extend({ body: z.string() });
const keptRows = z.array(leasedRow.extend({ leaseExpiresAt: z.string(), enqueuedAt: z.string() }));
const bodyRow = z.object({ id: z.string(), body: z.string() });
const stateRow = z.object({ state: z.string() });
const atRow = z.object({ at: time() });
type Leased = z.output<typeof leasedRow> & { body: unknown };

/** Messages that have been visible longest; as many as fit into an answer. */
export const lease = (ctx: Context, input: Lease): Promise<Leased[]> =>
  mutate<Leased[]>(ctx, {
    endpoint: "queue.lease",
    async eagerly(scope) {
      const { queue } = input;
      const taken = await take(scope, input);
      const leased = readable(scope, queue, taken);
      if (leased.length === taken.length) return leased;
      // An undecryptable message at the front would block the queue forever.
      const count = await setAside(await scope.full, queue);
      ctx.logger.error({ table: "messages", rows: count }, "queue.lease: set aside a message that cannot be decrypted");
      return leased.length > 0 ? leased : readable(scope, queue, await take(scope, input));
    },
    receipt: {
      keep: (leased) => leased.map(({ body: _, ...one }) => one),
      async restore(scope, kept) {
        const { queue } = input;
        const leased = keptRows.parse(kept);
        const text =
          "select id::text as id, body from @messages where wallet = $1 and queue = $2 and id = any($3::bigint[])";
        const rows = await rowsOf(scope, bodyRow, text, [scope.wallet, queue, leased.map(({ id }) => id)]);
        const bodies = new Map(rows.map(({ id, body }) => [id, body]));
        return leased.flatMap((one) => {
          const body = bodies.get(one.id);
          return body === undefined ? [] : [{ ...one, body: bodyOf(scope, queue, { ...one, body }) }];
        });
      },
    },
  });

/** The messages that have been visible longest, as many as fit; those that are out of attempts become dead letters. */
async function take(scope: ReadScope, { queue, count, visibilitySeconds }: Lease) {
  // Changes of a wallet wait for its row, so no concurrent call selects the same messages.
  const text = `with clock as materialized (select ${clockParam(3)} as now),
        buried as (
          update @messages set state = 'dead', lease = null, dead_at = (select now from clock),
              last_error = coalesce(last_error, '${EXHAUSTED}'),
              expires_at = least(expires_at, (select now from clock) + interval '${DEAD_MS} ms')
            where wallet = $1 and queue = $2 and state = 'ready' and visible_at <= (select now from clock) and attempts >= max_attempts),
        due as (
          select id, sum(octet_length(body)) over (order by visible_at, id) as running, octet_length(body) as size
          from @messages where wallet = $1 and queue = $2 and state = 'ready'
            and visible_at <= (select now from clock) and expires_at > (select now from clock) and attempts < max_attempts
          order by visible_at, id limit $4::int),
        picked as (select id from due where running <= ${PAGE_BYTES} or running = size)
        update @messages as m set attempts = attempts + 1, visible_at = now + $5::int * interval '1 second', leased_since = now,
          lease = (m.attempts + 1)::text || '.' || $6::text || '.' || m.id::text
        from picked, clock where m.wallet = $1 and m.queue = $2 and m.id = picked.id
        returning m.id::text as id, m.attempts, m.lease as "leaseToken", ${epoch("m.visible_at")} as "leaseExpiresAt",
          ${epoch("m.created_at")} as "enqueuedAt", m.body`;
  const values = [scope.wallet, queue, scope.now, count, visibilitySeconds, randomBytes(12).toString("base64url")];
  return rowsOf(scope, takenRow, text, values);
}

const readable = (scope: ReadScope, queue: string, taken: z.output<typeof takenRow>[]): Leased[] =>
  taken
    .sort((a, b) => Number(a.id) - Number(b.id))
    .flatMap((one) => {
      const opened = readableBody(scope, queue, one);
      return opened ? [{ ...one, ...opened }] : [];
    });

/**
 * Moves undecryptable messages to the dead letters, until their key is listed again. Nobody received them, so no
 * attempt counts.
 */
async function setAside(scope: WriteScope, queue: string): Promise<number> {
  const { wallet, now } = scope;
  let [count, last] = [0, "0"];
  for (;;) {
    const text = `select id::text as id, body from @messages
      where wallet = $1 and queue = $2 and state = 'ready' and id > $3::bigint order by id limit ${ASIDE_PAGE}`;
    const rows = await rowsOf(scope, bodyRow, text, [wallet, queue, last]);
    const closed = rows.filter((row) => !readableBody(scope, queue, row)).map(({ id }) => id);
    // Counts only the messages that this call took.
    await scope.query(
      `update @messages set state = 'dead', dead_at = $4, last_error = '${UNREADABLE}', expires_at = least(expires_at, $5),
          attempts = attempts - case when leased_since >= $4 then 1 else 0 end, lease = null
        where wallet = $1 and queue = $2 and id = any($3::bigint[])`,
      [wallet, queue, closed, now, new Date(now.getTime() + DEAD_MS)],
    );
    count += closed.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < ASIDE_PAGE) return count;
  }
}

export interface MessageReceipt {
  id: string;
  leaseToken: string;
}

/** Only the newest lease counts, and only until its end. */
const MINE = "wallet = $1 and queue = $2 and id = $3::bigint and lease = $4 and state = 'ready' and visible_at > $5";

const ackedRow = z.object({ id: z.string(), lease: z.string(), bytes: z.int() });

export const ack = (ctx: Context, { queue, messages }: { queue: string; messages: MessageReceipt[] }) =>
  mutate(ctx, {
    endpoint: "queue.ack",
    async eagerly(scope) {
      const text = `delete from @messages m using unnest($4::bigint[], $5::text[]) as held(id, lease)
        where m.wallet = $1 and m.queue = $2 and m.id = held.id and m.lease = held.lease and m.state = 'ready'
          and m.visible_at > ${clockParam(3)}
        returning m.id::text as id, m.lease, m.bytes`;
      const [ids, leases] = [messages.map(({ id }) => id), messages.map(({ leaseToken }) => leaseToken)];
      const gone = await rowsOf(scope, ackedRow, text, [scope.wallet, queue, scope.now, ids, leases]);
      for (const { bytes } of gone) scope.grow(-bytes);
      const left = new Set(gone.map(({ id, lease }) => `${id} ${lease}`));
      // A message that is named twice is gone after the first.
      return messages.map(({ id, leaseToken }) => ({ id, acked: left.delete(`${BigInt(id)} ${leaseToken}`) }));
    },
  });

export interface Nack {
  queue: string;
  messages: MessageReceipt[];
  delaySeconds: number;
  error?: string | undefined;
}

export const nack = (ctx: Context, { queue, messages, delaySeconds, error }: Nack) =>
  mutate(ctx, {
    endpoint: "queue.nack",
    async work(scope) {
      const { wallet, now } = scope;
      const done: { id: string; nacked: boolean; deadLettered: boolean }[] = [];
      for (const { id, leaseToken } of messages) {
        const dead = "attempts >= max_attempts";
        const why =
          error === undefined ? null : scope.encryption.encrypt(messageKey({ wallet, queue, id }, "last_error"), error);
        const text = `update @messages set lease = null, visible_at = $6, last_error = $7,
            state = case when ${dead} then 'dead' else 'ready' end, dead_at = case when ${dead} then $5::timestamptz end,
            expires_at = case when ${dead} then least(expires_at, $8) else expires_at end
          where ${MINE} returning state`;
        const [row] = await rowsOf(scope, stateRow, text, [
          wallet,
          queue,
          id,
          leaseToken,
          now,
          new Date(now.getTime() + delaySeconds * 1000),
          why,
          new Date(now.getTime() + DEAD_MS),
        ]);
        done.push({ id, nacked: row !== undefined, deadLettered: row?.state === "dead" });
      }
      return done;
    },
  });

export interface Extend extends MessageReceipt {
  queue: string;
  visibilitySeconds: number;
}

export const extend = (ctx: Context, { queue, id, leaseToken, visibilitySeconds }: Extend) =>
  mutate(ctx, {
    endpoint: "queue.extend",
    async work(scope) {
      const { wallet, now } = scope;
      const text = `update @messages
        set visible_at = least($6::timestamptz, leased_since + interval '${MAX_LEASE_MS / 1000} seconds')
        where ${MINE} and leased_since + interval '${MAX_LEASE_MS / 1000} seconds' > $5 returning ${epoch("visible_at")} as at`;
      const [row] = await rowsOf(scope, atRow, text, [
        wallet,
        queue,
        id,
        leaseToken,
        now,
        new Date(now.getTime() + visibilitySeconds * 1000),
      ]);
      return row ? { id, extended: true, leaseExpiresAt: row.at } : { id, extended: false };
    },
  });
