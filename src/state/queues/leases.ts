/** Leases messages of a queue to workers, at least once each; messages that keep failing are set aside. */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { DAY_MS, HOUR_MS } from "../../lib/time.js";
import { rowsOf } from "../database/database.js";
import { EXHAUSTED, UNREADABLE } from "../database/own-texts.js";
import { stateOf } from "../wallet/account.js";
import { runLocked } from "../wallet/at-once.js";
import { PAGE_BYTES } from "../wallet/cursor.js";
import { epoch, timeText } from "../wallet/objects.js";
import type { ChangeStatement, ReadScope, WriteScope } from "../wallet/scope.js";
import { messageKey, readableBody } from "./rows.js";
import { putMessages } from "./sample.js";

const { mutate } = stateOf(putMessages);

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
  leaseExpiresAt: timeText(),
  enqueuedAt: timeText(),
});
const leasedRows = z.array(leasedRow);
const keptRows = z.array(leasedRow.extend({ leaseExpiresAt: z.string(), enqueuedAt: z.string() }));
const bodyRow = z.object({ id: z.string(), body: z.string() });
const bodyRows = z.array(bodyRow);
const stateRow = z.object({ state: z.string() });
const atRow = z.object({ at: timeText() });
type Leased = z.output<typeof leasedRow> & { body: unknown };
type Taken = z.output<typeof leasedRow> & { body: string };

/** Messages that have been visible longest; as many as fit into an answer. */
export const lease = (ctx: Context, input: Lease): Promise<Leased[]> =>
  mutate<Leased[]>(ctx, {
    endpoint: "queue.lease",
    async work(scope) {
      const { queue } = input;
      const taken = await take(scope, input);
      const leased = readable(scope, queue, taken);
      if (leased.length === taken.length) return leased;
      // An undecryptable message at the front would block the queue forever.
      const count = await setAside(scope, queue);
      ctx.logger.error({ table: "messages", rows: count }, "queue.lease: set aside a message that cannot be decrypted");
      return leased.length > 0 ? leased : readable(scope, queue, await take(scope, input));
    },
    atOnce: {
      statement: () => taking(input),
      async result(scope, facts, more) {
        const taken = leasedRows.parse(facts);
        const bodies = more === undefined ? await bodiesOf(scope, input.queue, taken) : bodyRows.parse(more);
        const leased = readable(scope, input.queue, withBodies(taken, bodies));
        return more === undefined || leased.length === taken.length ? leased : undefined;
      },
      undo: (scope, facts) => giveBack(scope, input.queue, leasedRows.parse(facts)),
    },
    receipt: {
      keep: (leased) => leased.map(({ body: _, ...one }) => one),
      async restore(scope, kept) {
        const leased = keptRows.parse(kept);
        return readable(scope, input.queue, withBodies(leased, await bodiesOf(scope, input.queue, leased)));
      },
    },
  });

type Head = z.output<typeof leasedRow>;

const bodiesOf = (scope: ReadScope, queue: string, leased: readonly Head[]): Promise<z.output<typeof bodyRows>> =>
  rowsOf(
    scope,
    bodyRow,
    "select id::text as id, body from @messages where wallet = $1 and queue = $2 and id = any($3::bigint[])",
    [scope.wallet, queue, leased.map(({ id }) => id)],
  );

/** Messages that are gone since are left out. */
function withBodies(leased: readonly Head[], rows: z.output<typeof bodyRows>): Taken[] {
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  return leased.flatMap((one) => {
    const body = bodies.get(one.id);
    return body === undefined ? [] : [{ ...one, body }];
  });
}

/** Takes leases back that nobody received. */
async function giveBack(scope: WriteScope, queue: string, leased: readonly Head[]): Promise<void> {
  await scope.query(
    // guard: wallets: a lease that nobody received counts no attempt | - , attempts = m.attempts - 1 | set-aside
    `update @messages m set lease = null, visible_at = $3, attempts = m.attempts - 1
      from unnest($4::bigint[], $5::text[]) as given(id, lease)
      where m.wallet = $1 and m.queue = $2 and m.id = given.id and m.lease = given.lease and m.state = 'ready'`,
    [scope.wallet, queue, scope.now, leased.map(({ id }) => id), leased.map(({ leaseToken }) => leaseToken)],
  );
}

/** The messages that have been visible longest, as many as fit; those that are out of attempts become dead letters. */
const TAKE = `buried as (
      update @messages set state = 'dead', lease = null, dead_at = now, last_error = coalesce(last_error, '${EXHAUSTED}'),
          expires_at = least(expires_at, now + interval '${DEAD_MS} ms')
        from opened
        where wallet = $1 and queue = $3 and state = 'ready' and visible_at <= now and attempts >= max_attempts),
    due as (
      select id, sum(octet_length(body)) over (order by visible_at, id) as running, octet_length(body) as size
      from @messages where wallet = $1 and queue = $3 and state = 'ready'
        and visible_at <= (select now from opened) and expires_at > (select now from opened) and attempts < max_attempts
      order by visible_at, id limit $4::int),
    picked as (select id from due where running <= ${PAGE_BYTES} or running = size),
    taken as (
      update @messages as m set attempts = attempts + 1, visible_at = now + $5::int * interval '1 second', leased_since = now,
        lease = (m.attempts + 1)::text || '.' || $6::text || '.' || m.id::text
      from picked, opened where m.wallet = $1 and m.queue = $3 and m.id = picked.id
      returning m.id, m.attempts, m.lease, m.visible_at, m.created_at, m.body),
    done as (
      select 0 as grown, facts::text as facts, more::text as more from opened, (
        select coalesce(json_agg(json_build_object('id', id::text, 'attempts', attempts, 'leaseToken', lease,
            'leaseExpiresAt', ${epoch("visible_at")}, 'enqueuedAt', ${epoch("created_at")})), '[]') as facts,
          coalesce(json_agg(json_build_object('id', id::text, 'body', body)), '[]') as more
        from taken) as found)`;

// Changes of a wallet wait for its row, so no concurrent call selects the same messages.
const taking = ({ queue, count, visibilitySeconds }: Lease): ChangeStatement => ({
  text: TAKE,
  values: [queue, count, visibilitySeconds, randomBytes(12).toString("base64url")],
});

async function take(scope: WriteScope, input: Lease): Promise<Taken[]> {
  const taken = leasedRows.parse(await runLocked(scope, taking(input)));
  return withBodies(taken, await bodiesOf(scope, input.queue, taken));
}

const readable = (scope: ReadScope, queue: string, taken: Taken[]): Leased[] =>
  taken
    .sort((a, b) => Number(a.id) - Number(b.id))
    .flatMap((one) => {
      const opened = readableBody(scope, queue, one);
      const { body: _, ...head } = one;
      return opened ? [{ ...head, ...opened }] : [];
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
// guard: wallets: only the newest lease counts | lease = $4 -> $4::text is not null | queue
const MINE = "wallet = $1 and queue = $2 and id = $3::bigint and lease = $4 and state = 'ready' and visible_at > $5";

/** A message that is named twice is gone after the first. */
// guard: wallets: only the newest lease is acknowledged | m.lease = given.lease and nth -> nth | queue
const ACK = `given as materialized (
      select text as id, text::bigint as number, lease, n, row_number() over (partition by text::bigint, lease order by n) as nth
      from unnest($4::text[], $5::text[]) with ordinality as given(text, lease, n)),
    gone as (
      delete from @messages m using opened, given
        where m.wallet = $1 and m.queue = $3 and m.id = number and m.lease = given.lease and nth = 1 and m.state = 'ready'
          and m.visible_at > now
        returning m.id, m.lease, m.bytes),
    done as (
      select -(select coalesce(sum(bytes), 0) from gone) as grown, null::text as more, (
          select json_agg(json_build_object('id', given.id, 'acked', gone.id is not null and nth = 1) order by n)::text
          from given left join gone on gone.id = number and gone.lease = given.lease) as facts
      from opened)`;

const ackedRows = z.array(z.object({ id: z.string(), acked: z.boolean() }));

export function ack(ctx: Context, { queue, messages }: { queue: string; messages: MessageReceipt[] }) {
  const [ids, leases] = [messages.map(({ id }) => id), messages.map(({ leaseToken }) => leaseToken)];
  const statement: ChangeStatement = { text: ACK, values: [queue, ids, leases] };
  return mutate(ctx, {
    endpoint: "queue.ack",
    work: async (scope) => ackedRows.parse(await runLocked(scope, statement)),
    atOnce: { statement: () => statement, result: (_, facts) => ackedRows.parse(facts) },
  });
}

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
