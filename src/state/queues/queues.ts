/** Adds messages to queues, in approximate order, and counts them. */

import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { rowsOf } from "../database/database.js";
import { insertInto } from "../database/insert.js";
import { stateOf } from "../wallet/account.js";
import { FITS } from "../wallet/at-once.js";
import { objectSize } from "../wallet/objects.js";
import { assertFits } from "../wallet/quota.js";
import { type ChangeStatement, nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";
import { messageKey } from "./rows.js";
import { putMessages } from "./sample.js";

const { mutate, read } = stateOf(putMessages);

const MAX_MESSAGES = 1000;
const DEDUP_MS = DAY_MS;

export interface NewMessage {
  body: unknown;
  delaySeconds: number;
  dedupId?: string | undefined;
}
export interface Enqueue {
  queue: string;
  messages: NewMessage[];
  maxAttempts: number;
  ttlSeconds: number;
}

const dedupRow = z.object({ id: z.coerce.string(), lives: z.boolean() });
const depthRow = z.object({ count: z.int(), ids: z.array(z.string()), used: z.number() });

const sizeOfMessage = (queue: string, body: unknown): number => objectSize(queue, JSON.stringify(body));
const sizeOfNew = (queue: string, { body, dedupId }: NewMessage): number =>
  sizeOfMessage(queue, body) + (dedupId === undefined ? 0 : objectSize(queue, dedupId));

function assertDepth(count: number, more: number): void {
  if (count + more <= MAX_MESSAGES) return;
  throw new CapabilityError(
    "QUOTA_EXCEEDED",
    `The wallet's queues hold ${count} of ${MAX_MESSAGES} messages, dead ones included: acknowledge some first.`,
  );
}

/**
 * Number of messages, the wallet's bytes, and numbers for new messages: an encrypted message is bound to its number, which must be known first.
 */
async function depthOf(scope: ReadScope, more: number) {
  const text = `select count(*)::int as count,
      coalesce((select bytes from @wallets where wallet = $1), 0)::float8 as used,
      array(select nextval('@messages_id_seq')::text from generate_series(1, $3::int)) as ids
    from @messages where wallet = $1 and expires_at > ${nowParam(2)}`;
  const [row] = await rowsOf(scope, depthRow, text, [scope.wallet, scope.now, more]);
  return row ?? { count: 0, ids: [], used: 0 };
}

/** Refuses messages without room for them before money moves. Resolves to their numbers. */
export const prepareToEnqueue = (ctx: Context, { queue, messages }: Enqueue): Promise<string[]> =>
  read(ctx, async (scope) => {
    const { count, used, ids } = await depthOf(scope, messages.length);
    assertDepth(count, messages.length);
    await assertFits(
      scope,
      used,
      messages.reduce((sum, message) => sum + sizeOfNew(queue, message), 0),
    );
    return ids;
  });

type Enqueued = { id: string; duplicate?: true };
const addedRows = z.array(z.object({ id: z.string() }));

/** `numbers` of the messages save a round trip. */
export const enqueue = (ctx: Context, input: Enqueue, numbers: readonly string[] = []): Promise<Enqueued[]> =>
  mutate<Enqueued[]>(ctx, {
    endpoint: "queue.enqueue",
    async work(scope) {
      const { count, ids } = await depthOf(scope, input.messages.length);
      assertDepth(count, ids.length);
      const done: Enqueued[] = [];
      for (const [i, id] of ids.entries()) {
        const message = input.messages[i];
        if (message) done.push(await add(scope, input, { ...message, id }));
      }
      return done;
    },
    atOnce: { statement: (scope) => adding(scope, input, numbers), result: (_, facts) => addedRows.parse(facts) },
  });

const ADD = `planned as materialized (
      select new.*, sum(bytes) over () as grown, count(*) over () as more
      from unnest($4::bigint[], $5::text[], $6::int[], $7::int[]) with ordinality as new(id, body, bytes, delay, n)),
    added as (
      insert into @messages (wallet, queue, id, body, bytes, state, max_attempts, visible_at, created_at, expires_at)
      overriding system value
      select $1, $3, id, body, bytes, 'ready', $8::int, now + delay * interval '1 second', now, now + $9::int * interval '1 second'
        from opened, planned
        where ${FITS} and more + (select count(*) from @messages, opened where wallet = $1 and expires_at > now) <= ${MAX_MESSAGES}
      returning id),
    done as (
      select max(grown) as grown, json_agg(json_build_object('id', id::text) order by n)::text as facts, null::text as more
      from planned where exists (select from added) having count(*) > 0)`;

/** Undefined if a message may be a duplicate, or has no number. */
function adding(
  { wallet, encryption }: ReadScope,
  { queue, messages, maxAttempts, ttlSeconds }: Enqueue,
  numbers: readonly string[],
): ChangeStatement | undefined {
  if (numbers.length < messages.length || messages.some(({ dedupId }) => dedupId !== undefined)) return undefined;
  const bodies = messages.map(({ body }, i) =>
    encryption.encrypt(messageKey({ wallet, queue, id: numbers[i] ?? "" }, "body"), JSON.stringify(body)),
  );
  const sizes = messages.map(({ body }) => sizeOfMessage(queue, body));
  const delays = messages.map(({ delaySeconds }) => delaySeconds);
  return { text: ADD, values: [queue, numbers, bodies, sizes, delays, maxAttempts, ttlSeconds] };
}

/** A queue takes one message for each dedupId in 24 hours, even if it was acknowledged. */
async function add(
  scope: WriteScope,
  { queue, maxAttempts, ttlSeconds }: Enqueue,
  { id, body, delaySeconds, dedupId }: NewMessage & { id: string },
): Promise<Enqueued> {
  const { wallet, now, encryption } = scope;
  if (dedupId !== undefined) {
    const text =
      "select message as id, until > $4 as lives from @dedups where wallet = $1 and queue = $2 and dedup = $3";
    const [before] = await rowsOf(scope, dedupRow, text, [wallet, queue, dedupId, now]);
    if (before?.lives) return { id: before.id, duplicate: true as const };
    // An expired entry was already counted.
    if (!before) scope.grow(objectSize(queue, dedupId));
  }
  const bytes = sizeOfMessage(queue, body);
  await scope.query(
    ...insertInto("@messages", {
      wallet,
      queue,
      id,
      body: encryption.encrypt(messageKey({ wallet, queue, id }, "body"), JSON.stringify(body)),
      bytes,
      state: "ready",
      max_attempts: maxAttempts,
      visible_at: new Date(now.getTime() + delaySeconds * 1000),
      created_at: now,
      expires_at: new Date(now.getTime() + ttlSeconds * 1000),
    }),
  );
  scope.grow(bytes);
  if (dedupId !== undefined)
    await scope.query(
      `insert into @dedups (wallet, queue, dedup, message, until, bytes) values ($1, $2, $3, $4, $5, $6::int)
       on conflict (wallet, queue, dedup) do update set message = excluded.message, until = excluded.until`,
      [wallet, queue, dedupId, id, new Date(now.getTime() + DEDUP_MS), objectSize(queue, dedupId)],
    );
  return { id };
}

const count = z.int();
const statsRow = z.object({
  ready: count,
  delayed: count,
  leased: count,
  dlq: count,
  total: count,
  oldestSeconds: count.nullable(),
});

export const stats = (ctx: Context, { queue }: { queue: string }) =>
  read(ctx, async (scope) => {
    const text = `select
        count(*) filter (where state = 'ready' and visible_at <= ${nowParam(2)})::int as ready,
        count(*) filter (where state = 'ready' and visible_at > ${nowParam(2)} and lease is null)::int as delayed,
        count(*) filter (where state = 'ready' and visible_at > ${nowParam(2)} and lease is not null)::int as leased,
        count(*) filter (where state = 'dead')::int as dlq, count(*)::int as total,
        floor(extract(epoch from ${nowParam(2)} - min(created_at) filter (where state = 'ready')))::int as "oldestSeconds"
      from @messages where wallet = $1 and queue = $3 and expires_at > ${nowParam(2)}`;
    const [counted] = await rowsOf(scope, statsRow, text, [scope.wallet, scope.now, queue]);
    if (!counted) throw new Error("counting gave no row");
    return counted;
  });
