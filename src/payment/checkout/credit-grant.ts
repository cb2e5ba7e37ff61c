/** Orders that earlier credit covers in full: nothing is signed or settled. */

import { randomUUID } from "node:crypto";
import type { Micros } from "../../lib/money.js";
import { MINUTE_MS } from "../../lib/time.js";
import { WHILE_SILENT } from "../../stores/fail-closed.js";
import { type Grant, type Order, workMsOf } from "../order/order.js";
import type { Credit } from "../refund/credit.js";
import { usedUp } from "../refund/credit-call.js";
import { attempted, attemptOf } from "./attempt.js";
import type { CheckoutDeps } from "./deps.js";

/** The hold outlasts the longest work. */
const CHARGE_MS = MINUTE_MS;

export async function creditGrant(deps: CheckoutDeps, order: Order, credit: Credit): Promise<Grant> {
  const { capability, amount, requestId } = order;
  const name = `call:${randomUUID()}`;
  const attempt = attemptOf(deps, credit.payer, order);
  order.onPayer({ payer: credit.payer });
  // guard: policy: asked before credit is held | gone | handler/policy
  await deps.admission?.admit(order, { via: "credit", payer: credit.payer });
  const letGo = () => deps.credits.capture(credit.id, name, 0n);
  /** For a call that gets no answer: nothing waits for it, and its hold ends by itself as well. */
  const end = () => void deps.credits.end(credit.id, name).catch(() => {});
  const lease = await deps.owner.take(deps.now() + workMsOf(order) + CHARGE_MS);
  const { leaseUntil: until, owner } = lease;
  const over = () => deps.owner.end(lease);
  const enter = async (): Promise<Grant> => {
    // In parallel, so that a call waits for the store as briefly as possible.
    const [begun, held] = await Promise.allSettled([
      attempt.begin(),
      hold(deps, credit, { order: name, amount, until, owner }),
    ]);
    // It may hold although its answer was lost.
    // guard: credit: a call without an answer holds nothing | gone | credit-faults
    if (held.status === "rejected" && WHILE_SILENT.isPassing(held.reason)) end();
    if (held.status === "fulfilled" && begun.status === "fulfilled") return grant;
    over();
    if (held.status === "rejected") throw held.reason;
    await letGo();
    throw (begun as PromiseRejectedResult).reason;
  };
  const grant: Grant = {
    caller: "paid",
    async settle(_, { charge }) {
      const sold = { credit, order: name, endpoint: capability.id, requestId, used: charge };
      const charged = deps.creditCalls.charge(sold).catch((error: unknown) => {
        end();
        throw error;
      });
      await charged.finally(over);
      return undefined;
    },
    async release() {
      // guard: failures: a run on credit that fails is counted | - , attempt.fail() | handler/failures
      await Promise.all([letGo(), attempt.fail()]).finally(over);
      return undefined;
    },
  };
  return attempted(attempt, enter);
}

/** Reserves credit for an order. Rejects with PaymentRefused if it is already spent. */
export async function hold(
  { credits }: CheckoutDeps,
  credit: Credit,
  { order, ...claim }: { order: string; amount: Micros; until: number; owner?: string },
): Promise<void> {
  const held = await credits.hold(credit.id, order, claim);
  if (!held) throw usedUp();
}
