/** Orders that earlier credit covers in full: nothing is signed or settled. */

import { randomUUID } from "node:crypto";
import type { Micros } from "../../lib/money.js";
import { MINUTE_MS } from "../../lib/time.js";
import { WHILE_SILENT } from "../../stores/fail-closed.js";
import type { Credit } from "../refund/credit.js";
import { usedUp } from "../refund/credit-call.js";
import { attempted, attemptOf } from "./attempt.js";
import type { CheckoutDeps } from "./deps.js";
import { type Grant, type Order, workMsOf } from "./order.js";

/** The hold outlasts the longest work. */
const CHARGE_MS = MINUTE_MS;

export async function creditGrant(deps: CheckoutDeps, order: Order, credit: Credit): Promise<Grant> {
  const { capability, amount, requestId } = order;
  const name = `call:${randomUUID()}`;
  const until = deps.now() + workMsOf(order) + CHARGE_MS;
  const attempt = attemptOf(deps, credit.payer, order);
  order.onPayer({ payer: credit.payer });
  await deps.admission?.admit(order, { via: "credit", payer: credit.payer });
  const letGo = () => deps.credits.capture(credit.id, name, 0n);
  /** For a call that gets no answer: nothing waits for it, and its hold ends by itself as well. */
  const end = () => void deps.credits.end(credit.id, name).catch(() => {});
  const enter = async (): Promise<Grant> => {
    // In parallel, so that a call waits for the store as briefly as possible.
    const [begun, held] = await Promise.allSettled([
      attempt.begin(),
      hold(deps, credit, { order: name, amount, until }),
    ]);
    // It may hold although its answer was lost.
    if (held.status === "rejected" && WHILE_SILENT.isPassing(held.reason)) end();
    if (held.status === "rejected") throw held.reason;
    if (begun.status === "fulfilled") return grant;
    await letGo();
    throw begun.reason;
  };
  const grant: Grant = {
    caller: "paid",
    async settle(_, { charge }) {
      const sold = { credit, order: name, endpoint: capability.id, requestId, used: charge };
      await deps.creditCalls.charge(sold).catch((error: unknown) => {
        end();
        throw error;
      });
      return undefined;
    },
    async release() {
      await Promise.all([letGo(), attempt.fail()]);
      return undefined;
    },
  };
  return attempted(attempt, enter);
}

/** Reserves credit for an order. Rejects with PaymentRefused if it is already spent. */
export async function hold(
  { credits }: CheckoutDeps,
  credit: Credit,
  { order, amount, until }: { order: string; amount: Micros; until: number },
): Promise<void> {
  const held = await credits.hold(credit.id, order, { amount, until });
  if (!held) throw usedUp();
}
