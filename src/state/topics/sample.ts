/** The sample topic of a trial, with a subscription and a delivered message. */
import type { WriteScope } from "../wallet/scope.js";
import { addEvent } from "../webhooks/rows.js";
import { addSubscription, addTopic, confirm } from "./rows.js";

const TOPIC = "top_00000000000000000000000000000001";
const SUBSCRIBED = { topicId: TOPIC, url: "https://example.com/hooks/prices" };

export async function putTopic(scope: WriteScope): Promise<void> {
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
