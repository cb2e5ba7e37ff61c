/** Subscriptions to topics: by any wallet that knows a topic's id, with URLs that confirmed it. */
import { randomBytes } from "node:crypto";
import type { Context } from "../../capability/types.js";
import { CapabilityError } from "../../errors.js";
import { rowsOf } from "../database/database.js";
import { databaseOf, stateOf } from "../wallet/account.js";
import { nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";
import { assertCallbackUrl, credentials, keysFor } from "../webhooks/callbacks.js";
import { confirmReceiver, giveBack, mayAsk } from "./confirmation.js";
import { addSubscription, confirm, countRow, findSubscription, isTaken, lifeFrom, topicOf } from "./rows.js";
import { putTopic } from "./sample.js";
import { forgetCount } from "./topics.js";

const { mutate, read } = stateOf(putTopic);

const MAX_SUBSCRIBERS = 100;
const MAX_SUBSCRIPTIONS = 100;

export interface NewSubscription {
  topicId: string;
  callbackUrl: string;
  label?: string | undefined;
}

/** Outcome of a confirmation; without a reason the URL confirmed. */
export interface ConfirmationResult {
  subscriptionId: string;
  reason?: "taken" | "refused" | "unreachable" | "limited" | "trial" | undefined;
}

/** As it is stored: without a fragment, which clients never send. */
function urlOf({ callbackUrl }: NewSubscription): string {
  const url = new URL(callbackUrl);
  url.hash = "";
  return url.href;
}

/** Refuses what would fail, and then asks the URL before the transaction, because that is a network request. */
export async function prepareToSubscribe(ctx: Context, input: NewSubscription): Promise<ConfirmationResult> {
  // Checks the URL as given, because after normalization an ambiguous URL would look unambiguous.
  await assertCallbackUrl(ctx, input.callbackUrl);
  const url = urlOf(input);
  const keys = await keysFor(ctx);
  const { own, taken } = await read(ctx, (scope) => judge(scope, { ...input, url }));
  const subscriptionId = own?.subscriptionId ?? `sub_${randomBytes(16).toString("hex")}`;
  if (taken) return { subscriptionId, reason: "taken" };
  if (ctx.wallet?.trial) return { subscriptionId, reason: "trial" };
  if (!(await mayAsk(ctx, url))) return { subscriptionId, reason: "limited" };
  const receiver = {
    callback: subscriptionId,
    secretVersion: own?.secretVersion ?? 1,
    rotatedAt: own?.rotatedAt ?? null,
  };
  const reason = await confirmReceiver(ctx, { keys, receiver, topicId: input.topicId, url });
  if (!reason) await giveBack(ctx, url);
  return { subscriptionId, reason };
}

/** Rejects with NOT_FOUND, or with QUOTA_EXCEEDED for one subscription too many. */
async function judge(tx: ReadScope, subscriber: { topicId: string; url: string }) {
  const topic = await topicOf(tx, subscriber.topicId);
  const own = await findSubscription(tx, subscriber);
  if (!own) await assertFewer(tx);
  if (!own?.confirmed && topic.subscribers >= MAX_SUBSCRIBERS)
    throw new CapabilityError("QUOTA_EXCEEDED", `The topic has ${MAX_SUBSCRIBERS} subscribers, the maximum.`);
  return { own, taken: await isTaken(tx, subscriber) };
}

async function assertFewer(tx: ReadScope): Promise<void> {
  const text = `select count(*)::int as count from @subscriptions where wallet = $1 and expires_at > ${nowParam(2)}`;
  const [row] = await rowsOf(tx, countRow, text, [tx.wallet, tx.now]);
  if ((row?.count ?? 0) < MAX_SUBSCRIPTIONS) return;
  const message = `The wallet has ${MAX_SUBSCRIPTIONS} subscriptions, the maximum: unsubscribe one.`;
  throw new CapabilityError("QUOTA_EXCEEDED", message);
}

interface Written {
  subscriptionId: string;
  confirmed: boolean;
  reason?: ConfirmationResult["reason"];
  secretVersion: number;
  expiresAt: string;
}

/** The same URL again is the same subscription. It stays confirmed even if asking again fails. */
export async function subscribe(ctx: Context, input: NewSubscription, asked?: ConfirmationResult) {
  const keys = await keysFor(ctx);
  const { secretVersion, ...written } = await mutate(ctx, {
    endpoint: "pubsub.subscribe",
    work: (scope) => write(scope, { ...input, url: urlOf(input) }, asked),
  });
  forgetCount(await databaseOf(ctx), input.topicId);
  return { ...written, ...credentials(keys, written.subscriptionId, secretVersion) };
}

async function write(
  scope: WriteScope,
  subscriber: { topicId: string; url: string; label?: string | undefined },
  asked: ConfirmationResult | undefined,
): Promise<Written> {
  const { wallet, now } = scope;
  // Locks the topic, so that concurrent subscriptions cannot exceed the limit.
  await scope.query("select from @topics where id = $1 for no key update", [subscriber.topicId]);
  const { own, taken } = await judge(scope, subscriber);
  const subscriptionId = own?.subscriptionId ?? asked?.subscriptionId ?? `sub_${randomBytes(16).toString("hex")}`;
  if (!own) await addSubscription(scope, subscriptionId, subscriber);
  const reason = taken ? "taken" : asked ? asked.reason : "unreachable";
  if (!reason) await confirm(scope, subscriber, subscriptionId);
  const until = lifeFrom(now);
  await scope.query(
    `update @subscriptions set expires_at = $3, label = coalesce($4, label),
      confirmed_at = case when $5 then confirmed_at end where wallet = $1 and id = $2`,
    [wallet, subscriptionId, until, subscriber.label ?? null, !reason || own?.confirmed === true],
  );
  await scope.query("update @topics set expires_at = $2 where id = $1", [subscriber.topicId, until]);
  return {
    subscriptionId,
    confirmed: !reason || (own?.confirmed === true && own.active),
    ...(reason ? { reason } : {}),
    secretVersion: own?.secretVersion ?? 1,
    expiresAt: until.toISOString(),
  };
}

/** Pending deliveries to its URL are deleted, too. A missing subscription is not an error. */
export async function unsubscribe(ctx: Context, { subscriptionId }: { subscriptionId: string }) {
  const ended = await mutate(ctx, {
    endpoint: "pubsub.unsubscribe",
    async work({ wallet, query }) {
      const text = "delete from @callbacks where wallet = $1 and id = $2 returning id";
      const { rows } = await query(text, [wallet, subscriptionId]);
      return { subscriptionId, removed: rows.length > 0 };
    },
  });
  forgetCount(await databaseOf(ctx));
  return ended;
}
