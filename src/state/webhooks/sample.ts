/** A sample schedule, watcher and topic of a trial, each with a callback that was delivered. */
import { addSchedule } from "../schedules/rows.js";
import type { WriteScope } from "../scope.js";
import { addSubscription, addTopic, confirm } from "../topics/rows.js";
import { addWatcher } from "../watchers/rows.js";
import { addEvent, deliverEvent } from "./rows.js";

const SCHEDULE = {
  callbackUrl: "https://example.com/hooks/daily",
  everySeconds: 86_400,
  timeZone: "UTC",
  expiresInSeconds: 7_776_000,
  catchUp: "once" as const,
};

async function addDelivered(scope: WriteScope, source: string, id: string): Promise<void> {
  const { wallet, now, query } = scope;
  const happening = { wallet, source, number: 1, type: "schedule.fired", data: { fireNumber: 1 }, now };
  scope.grow(await deliverEvent(scope, happening, id));
  await query("update @deliveries set state = 'delivered', done_at = $2 where event = $1", [id, now]);
}

const WATCHER = {
  endpoint: "crypto.fear-greed",
  params: {},
  everySeconds: 21_600,
  callbackUrl: "https://example.com/hooks/fear",
  condition: { type: "below" as const, path: "/items/0/value", threshold: 20 },
  maxFires: 1,
  expiresInSeconds: 2_592_000,
};

const TOPIC = "top_00000000000000000000000000000001";
const SUBSCRIBED = { topicId: TOPIC, url: "https://example.com/hooks/prices" };

async function addPublished(scope: WriteScope): Promise<void> {
  const { wallet, now } = scope;
  const [subscription, message] = ["sub_00000000000000000000000000000001", "msg_00000000000000000000000000000002"];
  await addTopic(scope, TOPIC, "prices");
  await addSubscription(scope, subscription, SUBSCRIBED);
  await confirm(scope, SUBSCRIBED, subscription);
  await scope.query("update @topics set numbers = 1 where wallet = $1 and id = $2", [wallet, TOPIC]);
  const data = { topicId: TOPIC, messageId: message, publishedAt: now.toISOString(), message: { tea: 4 } };
  const happening = { wallet, source: TOPIC, number: 1, type: "topic.message", data, now };
  scope.grow(await addEvent(scope, happening, message));
  await scope.query(
    `insert into @deliveries (event, callback, wallet, state, attempts, due_at, last_status, created_at, done_at)
     values ($1, $2, $3, 'delivered', 1, $4, 204, $4, $4)`,
    [message, subscription, wallet, now],
  );
}

export async function putCallbacks(scope: WriteScope): Promise<void> {
  await addSchedule(scope, "sch_00000000000000000000000000000001", SCHEDULE);
  await addWatcher(scope, "wat_00000000000000000000000000000001", WATCHER, { value: 42, holds: false });
  await addPublished(scope);
  await addDelivered(scope, "sch_00000000000000000000000000000001", "msg_00000000000000000000000000000001");
}
