/** Calls over a fetch that may pay by itself: the service is told the limit, and the purchase's name in case of a second try. */
import { CapabilityError } from "../errors.js";
import { fromMicros } from "../lib/money.js";
import { isRefusal, isUndecided } from "./repeat.js";
import { codeOf, errorOf, type Reply } from "./reply.js";
import { receiptOf } from "./result.js";
import { creditHeader, creditRefusal, newName, type Order, type Shop, unreachable } from "./shop.js";
import { unitsOf } from "./signed.js";
import type { Answer } from "./types.js";

export async function buyOver(shop: Shop, order: Order): Promise<Answer<unknown>> {
  const { budget } = shop;
  const credit = shop.creditFor(order);
  const before = shop.takeUp(order);
  // Under one name a wallet buys a request once, however often it signs for it.
  const name = typeof before === "string" ? before : (order.name ?? newName());
  const hold = budget.limited || order.most !== undefined ? await budget.reserveMost(order) : undefined;
  const limit: Record<string, string> = hold ? { "x-402-max-usd": fromMicros(hold.amount) } : {};

  let reply: Reply;
  try {
    const headers = { ...creditHeader(credit), ...limit, "idempotency-key": name };
    reply = await shop.send(shop.onTrial(order), headers);
  } catch (cause) {
    if (isRefusal(cause)) {
      hold?.settle(0n);
      throw new CapabilityError("PAYMENT_REQUIRED", cause.message, { cause });
    }
    hold?.keep();
    shop.leaveOpen(order, name);
    if (hold) shop.unanswered.add(name, hold.amount);
    throw unreachable(order, cause);
  }
  shop.noteTrial(order, reply);
  if (!isUndecided(reply) && codeOf(reply) !== "ANSWER_NOT_KEPT") shop.unanswered.remove(name);
  else if (hold) shop.unanswered.add(name, hold.amount);
  if (reply.status < 400) {
    const paid = unitsOf(receiptOf(reply.headers)?.amount) ?? 0n;
    // Without the payment in our hands there is only the receipt to go by; what is said to come back is not.
    hold?.settle(paid);
    return shop.deliver(order, reply, credit);
  }
  if (credit && reply.status === 402 && creditRefusal(reply)) shop.credits.drop(credit);
  if (isUndecided(reply)) shop.leaveOpen(order, name);
  if (codeOf(reply) === "SETTLEMENT_PENDING") hold?.keep();
  else hold?.settle(unitsOf(receiptOf(reply.headers)?.amount) ?? 0n);
  throw errorOf(reply, order.outgoing.url);
}
