/** The sample schedule of a trial, with a delivered callback. */
import type { WriteScope } from "../wallet/scope.js";
import { deliverEvent } from "../webhooks/rows.js";
import { addSchedule } from "./rows.js";

const ID = "sch_00000000000000000000000000000001";
const MESSAGE = "msg_00000000000000000000000000000001";

const SCHEDULE = {
  callbackUrl: "https://example.com/hooks/daily",
  everySeconds: 86_400,
  timeZone: "UTC",
  expiresInSeconds: 7_776_000,
  catchUp: "once" as const,
};

export async function putSchedule(scope: WriteScope): Promise<void> {
  const { wallet, now, query } = scope;
  await addSchedule(scope, ID, SCHEDULE);
  const happening = { wallet, source: ID, number: 1, type: "schedule.fired", data: { fireNumber: 1 }, now };
  scope.grow(await deliverEvent(scope, happening, MESSAGE));
  await query("update @deliveries set state = 'delivered', done_at = $2 where event = $1", [MESSAGE, now]);
}
