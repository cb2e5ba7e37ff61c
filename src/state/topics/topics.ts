/** Operations of topic owners. `subscriptions.ts` has those of subscribers. */
import { randomBytes } from "node:crypto";
import PQueue from "p-queue";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { keepNewest } from "../../lib/bounded.js";
import { DAY_MS } from "../../lib/time.js";
import { type Database, type Queryable, rowsOf } from "../database/database.js";
import { databaseOf, stateOf } from "../wallet/account.js";
import { assertQuota } from "../wallet/quota.js";
import type { ReadScope, WriteScope } from "../wallet/scope.js";
import { nowParam } from "../wallet/scope.js";
import { notifyDue } from "../webhooks/notify-due.js";
import { addEvent, disableCallback, MAX_PENDING, newMessageId, sizeOfEvent } from "../webhooks/rows.js";
import { addTopic, countReceivers, countRow, endTopics, lifeFrom, ownTopic, RECEIVERS, topicNamed } from "./rows.js";
import { putTopic } from "./sample.js";

const { mutate, read } = stateOf(putTopic);

const MAX_TOPICS = 100;
const TYPE = "topic.message";
/** How long a dedupId is remembered. */
const DEDUP_MS = DAY_MS;

async function assertFewer(tx: ReadScope): Promise<void> {
  const text = `select count(*)::int as count from @topics where wallet = $1 and expires_at > ${nowParam(2)}`;
  const [row] = await rowsOf(tx, countRow, text, [tx.wallet, tx.now]);
  if ((row?.count ?? 0) < MAX_TOPICS) return;
  const message = `The wallet has ${MAX_TOPICS} topics, the maximum: delete one.`;
  throw new CapabilityError("QUOTA_EXCEEDED", message);
}

/** Refuses one topic too many before money moves. */
export const prepareToCreateTopic = (ctx: Context, { name }: { name: string }): Promise<void> =>
  read(ctx, async (scope) => {
    if (!(await topicNamed(scope, name))) await assertFewer(scope);
  });

/** A topic of the same name is the same topic, and its life is extended. */
export const createTopic = (ctx: Context, { name }: { name: string }) =>
  mutate(ctx, {
    endpoint: "pubsub.create-topic",
    async work(scope) {
      const known = await topicNamed(scope, name);
      if (known) await renew(scope, known.topicId);
      else {
        await assertFewer(scope);
        await endTopics(scope, "t.name = $2", [name]);
        await addTopic(scope, `top_${randomBytes(16).toString("hex")}`, name);
      }
      const topic = await topicNamed(scope, name);
      if (!topic) throw new Error("the topic was written, and is not there");
      const { topicId, subscribers, expiresAt } = topic;
      return { topicId, name, subscribers, expiresAt };
    },
  });

/** Extends the life of a topic and its confirmed receivers, if that gains a day. */
async function renew({ now, query }: WriteScope, topicId: string): Promise<void> {
  const [until, tooShort] = [lifeFrom(now), new Date(lifeFrom(now).getTime() - DAY_MS)];
  await query("update @topics set expires_at = $2 where id = $1", [topicId, until]);
  await query(
    `update @subscriptions set expires_at = $2
      where topic = $1 and confirmed_at is not null and expires_at > $3 and expires_at < $4`,
    [topicId, until, now, tooShort],
  );
}

/**
 * A price distinguishes subscribers in steps, so that someone who knows a topic's id learns only an approximate number.
 */
const STEP = 5;
/** Unpaid price requests share the queue of paid calls, so only this many run, and as many wait. */
// guard: wallets: few ask at once what a topic costs | = 2000 | state/hostile
const MAX_COUNTS = 2;
const MAX_WAITING = 50;
const KNOWN_MS = 10_000;
const MAX_KNOWN = 1000;

interface Counts {
  queue: PQueue;
  /** By topic; a subscription added or ended here removes its topic. */
  known: Map<string, { count: number; countedAt: number }>;
}
const counts = /* @__PURE__ */ new WeakMap<Database, Counts>();

function countsOf(database: Database): Counts {
  const made = counts.get(database) ?? { queue: new PQueue({ concurrency: MAX_COUNTS }), known: new Map() };
  counts.set(database, made);
  return made;
}

export const forgetCount = (database: Database, topicId?: string): void => {
  const { known } = countsOf(database);
  if (topicId === undefined) known.clear();
  else known.delete(topicId);
};

/**
 * Number of subscribers for a price, in steps of five; 0 for a missing topic. Rejects with OVERLOADED if too many
 * callers ask.
 */
export async function countSubscribers(ctx: Context, topicId: string): Promise<number> {
  const database = await databaseOf(ctx);
  const { queue, known } = countsOf(database);
  const now = ctx.clock().getTime();
  const found = known.get(topicId);
  if (found && Math.abs(now - found.countedAt) < KNOWN_MS) return found.count;
  if (queue.size >= MAX_WAITING)
    throw new CapabilityError("OVERLOADED", "Too many callers ask for this price; try again shortly.", {
      retryAfter: 1,
    });
  const exact = await queue.add(() => countReceivers(database, topicId, ctx.injectedClock ? ctx.clock() : null));
  // guard: wallets: a price tells subscribers apart by fives | = exact | topics
  const count = Math.ceil(exact / STEP) * STEP;
  keepNewest(known, topicId, { count, countedAt: now }, MAX_KNOWN);
  return count;
}

export interface Publication {
  topicId: string;
  message: unknown;
  dedupId?: string | undefined;
}

export const prepareToPublish = (ctx: Context, { topicId, message, dedupId }: Publication): Promise<void> =>
  read(ctx, async (scope) => {
    const { subscribers } = await ownTopic(scope, topicId);
    await assertQuota(scope, sizeOfEvent({ type: TYPE, data: { message }, dedup: dedupId }, subscribers));
  });

/** Writes one delivery for each subscriber; a slow receiver delays no other. */
export async function publish(ctx: Context, { topicId, message, dedupId }: Publication) {
  const published = await mutate(ctx, {
    endpoint: "pubsub.publish",
    async work(scope) {
      const { wallet, now } = scope;
      await ownTopic(scope, topicId);
      const before = dedupId === undefined ? undefined : await publishedUnder(scope, topicId, dedupId);
      if (before) return { topicId, messageId: before, queued: 0, duplicate: true as const };
      const [counted] = await rowsOf(
        scope,
        numberRow,
        "update @topics set numbers = numbers + 1 where wallet = $1 and id = $2 returning numbers::float8 as number",
        [wallet, topicId],
      );
      await renew(scope, topicId);
      const messageId = newMessageId();
      const data = { topicId, messageId, publishedAt: now.toISOString(), message };
      const number = counted?.number ?? 0;
      const happening = { wallet, source: topicId, number, type: TYPE, data, now, dedup: dedupId };
      const open = await openReceivers(scope, topicId);
      // guard: wallets: what is published takes room | without scope.grow | outgoing-room
      scope.grow(await addEvent(scope, happening, messageId, open.length));
      await insertDeliveries(scope, { messageId, open, now });
      return { topicId, messageId, queued: open.length };
    },
  });
  if (!ctx.wallet?.trial) notifyDue(await databaseOf(ctx));
  return published;
}

async function publishedUnder({ wallet, now, query }: WriteScope, topicId: string, dedupId: string) {
  await query("update @events set dedup = null where wallet = $1 and source = $2 and dedup = $3 and created_at <= $4", [
    wallet,
    topicId,
    dedupId,
    new Date(now.getTime() - DEDUP_MS),
  ]);
  const text = "select id from @events where wallet = $1 and source = $2 and dedup = $3";
  const [event] = await rowsOf({ query }, idRow, text, [wallet, topicId, dedupId]);
  return event?.id;
}

const numberRow = z.object({ number: z.number() });
const idRow = z.object({ id: z.string() });
const receiverRow = z.object({ callback: z.string(), wallet: z.string(), waiting: z.int() });

/** A receiver that ends at this moment is either included or not; one with a full queue is ended. */
async function openReceivers(scope: WriteScope, topicId: string) {
  const { now } = scope;
  const text = `select s.callback, s.wallet,
      (select count(*) from @deliveries d where d.callback = s.callback and d.state = 'pending')::int as waiting
    from ${RECEIVERS("$1", 2)} order by s.callback for key share of c`;
  const receivers = await rowsOf(scope, receiverRow, text, [topicId, now]);
  const reason = "too many messages wait for the receiver";
  for (const { callback, waiting } of receivers)
    if (waiting >= MAX_PENDING) await disableCallback(scope, { id: callback, reason, now });
  return receivers.filter(({ waiting }) => waiting < MAX_PENDING);
}

const insertDeliveries = (
  tx: Queryable,
  { messageId, open, now }: { messageId: string; open: { callback: string; wallet: string }[]; now: Date },
) =>
  tx.query(
    `insert into @deliveries (event, callback, wallet, state, due_at, created_at)
      select $1, callback, wallet, 'pending', $4, $4 from unnest($2::text[], $3::text[]) as receivers(callback, wallet)`,
    [messageId, open.map(({ callback }) => callback), open.map(({ wallet }) => wallet), now],
  );

/** A missing topic is not an error. */
export const removeTopic = (ctx: Context, { topicId }: { topicId: string }) =>
  mutate(ctx, {
    endpoint: "pubsub.delete-topic",
    work: async (scope) => ({ topicId, deleted: (await endTopics(scope, "t.id = $2", [topicId])) > 0 }),
  });
