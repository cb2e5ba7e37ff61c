/** Rows of topics and subscriptions. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { type Queryable, rowsOf } from "../database/database.js";
import { epoch, timeText } from "../wallet/objects.js";
import { nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";
import { addCallback } from "../webhooks/rows.js";

/** Counted from the last creation, subscription or message. */
const LIFE_MS = 90 * DAY_MS;

export const lifeFrom = (now: Date): Date => new Date(now.getTime() + LIFE_MS);

/** Receivers that get a topic's messages and are charged for: confirmed, unexpired, and active. `$n` is the time. */
const RECEIVES = (n: number) => `s.confirmed_at is not null and s.expires_at > ${nowParam(n)} and c.state = 'active'`;
export const RECEIVERS = (topic: string, n: number) =>
  `@subscriptions s join @callbacks c on c.id = s.callback where s.topic = ${topic} and ${RECEIVES(n)}`;

export const countRow = z.object({ count: z.int() });
const topicRow = z.object({
  topicId: z.string(),
  name: z.string(),
  subscribers: z.int(),
  expiresAt: timeText(),
  own: z.boolean(),
});
export type Topic = z.infer<typeof topicRow>;

/** Undefined if it does not exist or has expired. */
async function findTopic(tx: ReadScope, where: string, value: string): Promise<Topic | undefined> {
  const text = `select t.id as "topicId", t.name, t.wallet = $1 as own, ${epoch("t.expires_at")} as "expiresAt",
      (select count(*) from ${RECEIVERS("t.id", 2)})::int as subscribers
    from @topics t where ${where} and t.expires_at > ${nowParam(2)}`;
  return (await rowsOf(tx, topicRow, text, [tx.wallet, tx.now, value]))[0];
}

export const topicNamed = (tx: ReadScope, name: string) => findTopic(tx, "t.wallet = $1 and t.name = $3", name);

/** A topic of any wallet: everybody who knows its id may subscribe. Rejects with NOT_FOUND. */
export async function topicOf(tx: ReadScope, topicId: string): Promise<Topic> {
  const topic = await findTopic(tx, "t.id = $3", topicId);
  if (!topic) throw new CapabilityError("NOT_FOUND", "No topic has this id.");
  return topic;
}

/** Rejects with NOT_FOUND, also if it belongs to another wallet. */
export async function ownTopic(tx: ReadScope, topicId: string): Promise<Topic> {
  const topic = await findTopic(tx, "t.wallet = $1 and t.id = $3", topicId);
  if (!topic) throw new CapabilityError("NOT_FOUND", "The wallet has no topic with this id.");
  return topic;
}

/** Number of receivers of a message, for any caller. */
export async function countReceivers(tx: Queryable, topicId: string, now: Date | null): Promise<number> {
  const text = `select count(*)::int as count from ${RECEIVERS("$1", 2)}`;
  const [row] = await rowsOf(tx, countRow, text, [topicId, now]);
  return row?.count ?? 0;
}

export async function addTopic({ wallet, now, query }: WriteScope, id: string, name: string): Promise<void> {
  await query("insert into @topics (id, wallet, name, expires_at, created_at) values ($1, $2, $3, $4, $5)", [
    id,
    wallet,
    name,
    lifeFrom(now),
    now,
  ]);
}

/** Deletes topics of the wallet by a condition on `t`, which may use `$2`, and all subscriptions to them. */
export async function endTopics(scope: WriteScope, where = "true", values: unknown[] = []): Promise<number> {
  const { wallet, query } = scope;
  const topics = `select t.id from @topics t where t.wallet = $1 and ${where}`;
  const all = [wallet, ...values];
  await query(
    `delete from @callbacks where id in (select callback from @subscriptions where topic in (${topics}))`,
    all,
  );
  const gone = `delete from @events where wallet = $1 and source in (${topics}) returning bytes`;
  for (const { bytes } of await rowsOf(scope, z.object({ bytes: z.int() }), gone, all)) scope.grow(-bytes);
  return (await query(`delete from @topics where id in (${topics}) returning id`, all)).rows.length;
}

/** Ends other wallets' subscriptions to the wallet's topics. */
export async function endOthers({ wallet, query }: WriteScope): Promise<void> {
  await query(
    `delete from @callbacks where wallet <> $1 and id in
       (select s.callback from @subscriptions s join @topics t on t.id = s.topic where t.wallet = $1)`,
    [wallet],
  );
}

const subscriptionRow = z.object({
  subscriptionId: z.string(),
  confirmed: z.boolean(),
  /** Whether its receiver is active. */
  active: z.boolean(),
  expiresAt: timeText(),
  secretVersion: z.int(),
  rotatedAt: z
    .number()
    .nullable()
    .transform((ms) => (ms === null ? null : new Date(ms))),
});
export type Subscription = z.infer<typeof subscriptionRow>;

export interface Subscriber {
  topicId: string;
  url: string;
}

/** A subscription stores its URL as a digest; the receiver stores the URL itself. */
const digestOf = (url: string): string => createHash("sha256").update(url).digest("hex");

/** The wallet's subscription of a URL; an expired one counts as unconfirmed. */
export async function findSubscription(tx: ReadScope, { topicId, url }: Subscriber): Promise<Subscription | undefined> {
  const text = `select s.id as "subscriptionId", s.confirmed_at is not null and s.expires_at > ${nowParam(2)} as confirmed,
      c.state = 'active' as active, ${epoch("s.expires_at")} as "expiresAt", c.secret_version as "secretVersion",
      ${epoch("c.rotated_at")} as "rotatedAt"
    from @subscriptions s join @callbacks c on c.id = s.callback where s.wallet = $1 and s.topic = $3 and s.url = $4`;
  return (await rowsOf(tx, subscriptionRow, text, [tx.wallet, tx.now, topicId, digestOf(url)]))[0];
}

/** Whether another wallet has confirmed this URL for this topic. */
export async function isTaken(tx: ReadScope, { topicId, url }: Subscriber): Promise<boolean> {
  const text = `select from @subscriptions where wallet <> $1 and topic = $3 and url = $4
    and confirmed_at is not null and expires_at > ${nowParam(2)}`;
  return (await tx.query(text, [tx.wallet, tx.now, topicId, digestOf(url)])).rows.length > 0;
}

export async function addSubscription(
  scope: WriteScope,
  id: string,
  { topicId, url, label }: Subscriber & { label?: string | undefined },
): Promise<void> {
  const { wallet, now } = scope;
  await addCallback(scope, { id, url });
  await scope.query(
    `insert into @subscriptions (id, topic, wallet, callback, url, label, expires_at, created_at)
     values ($1, $2, $3, $1, $4, $5, $6, $7)`,
    [id, topicId, wallet, digestOf(url), label ?? null, lifeFrom(now), now],
  );
}

/** The receiver confirmed, so earlier failures no longer count. */
export async function confirm({ wallet, now, query }: WriteScope, { topicId, url }: Subscriber, id: string) {
  await query(
    `delete from @callbacks where id in (select id from @subscriptions
      where wallet <> $1 and topic = $2 and url = $3 and expires_at <= $4)`,
    [wallet, topicId, digestOf(url), now],
  );
  await query("update @subscriptions set confirmed_at = $3 where wallet = $1 and id = $2", [wallet, id, now]);
  await query(
    `update @callbacks set state = 'active', reason = null, failures = 0, failing_since = null,
      successes = greatest(successes, 1) where wallet = $1 and id = $2`,
    [wallet, id],
  );
}
