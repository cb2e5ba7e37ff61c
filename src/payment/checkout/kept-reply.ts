/** The answer that an order bought, found by the place where it is kept. */
import { keptAnswer } from "../accounts/purchases.js";
import type { Replay, ReplyPlace } from "../order/order.js";
import { isEnded } from "../record/record.js";
import type { Records } from "../record/records.js";
import { deliveryOf } from "../settlement/lease.js";
import type { CheckoutDeps } from "./deps.js";
import { withToken } from "./paid-grant.js";

export type KeptSources = Pick<CheckoutDeps, "credits" | "store"> & { records: Records };

export async function keptReply(
  { store, records, credits }: KeptSources,
  { kept, key }: ReplyPlace,
): Promise<Replay | undefined> {
  if (kept === "account") {
    const found = await keptAnswer(store, key);
    if (!found) return undefined;
    return { delivery: "failure" in found ? { outcome: "", ...found } : { outcome: found.outcome } };
  }
  const found = await records.read(key);
  if (!found || !isEnded(found.record)) return undefined;
  const delivery = deliveryOf(found.record);
  const { requirements } = found.record.payment;
  return { delivery, paid: { requirements, delivery: await withToken({ credits }, delivery), version: 2 } };
}
