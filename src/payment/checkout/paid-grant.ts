/** Orders that a payment pays for, alone or with credit beside it. */
import { createHash } from "node:crypto";
import { invalid } from "../../errors.js";
import { least, type Micros } from "../../lib/money.js";
import { accountId } from "../rails/accounts.js";
import { type Accepted, accept } from "../rails/requirements.js";
import type { Claim } from "../settlement/claim.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { PresentedPayment } from "../x402/wire.js";
import type { Counter } from "./authorize.js";
import { hold } from "./credit-grant.js";
import type { Due, Grant, Order, Paid, Replay } from "./order.js";

interface TakenUp extends Accepted {
  /** What the payment is for; credit pays for the rest. */
  payable: Micros;
}

/** The claim of a payment, or what it bought before. */
export async function paidGrant(
  counter: Counter,
  order: Order,
  payment: PresentedPayment,
  due: Due,
): Promise<Grant | Replay> {
  const { capability } = order;
  const takenUp = await takeUp(counter, order, payment, due);
  const { requirements, checked } = takenUp;
  const named = payment.resourceUrl && order.otherEndpoint(payment.resourceUrl);
  if (named) throw new PaymentRefused("PAYMENT_MISMATCH", `The payment names another endpoint, ${named}.`);
  order.onPayer({ payer: checked.payer, network: requirements.network });

  const wallet = accountId(requirements.network, checked.payer);
  const name = checked.proven ? nameOf(order, payment, wallet) : undefined;
  const prepaid = counter.settleFirst.has(capability.id);
  const entry = await counter.guard.enter({
    ...checked,
    ...(name ? { order: name } : {}),
    requestId: order.requestId,
    fingerprint: `${capability.id} ${hashOf(order.input)}`,
    payment: {
      payload: checked.payload ?? payment.payload,
      requirements,
      payer: checked.payer,
      paidFor: { endpoint: capability.id, url: order.resourceUrl },
      ...(checked.extensions ? { extensions: checked.extensions } : {}),
    },
    workMs: capability.timeoutMs,
    prepaid,
  });
  const paid = (delivery: Paid["delivery"]): Paid => ({ requirements, delivery, version: payment.version });
  if ("delivery" in entry) return { delivery: entry.delivery, paid: paid(entry.delivery) };

  const { claim } = entry;
  const covered = order.amount - takenUp.payable;
  if (covered > 0n) await cover(counter, claim, due, covered);
  if (prepaid) await claim.prepay();
  const { credit } = due;
  return {
    caller: "paid",
    wallet,
    async settle(outcome, { charge }) {
      // Credit is used up first: what is not settled needs no refund.
      const fromCredit = least(charge, covered);
      const dues = { charge: charge - fromCredit, ...(credit ? { credit: { id: credit.id, used: fromCredit } } : {}) };
      return paid(await claim.settle(outcome(), dues));
    },
    async release() {
      if (credit) await counter.credits.capture(credit.id, claim.key, 0n);
      const givenBack = await claim.release();
      return givenBack && paid(givenBack);
    },
  };
}

/** Holds the credit that pays for what the payment does not, or lets the claim go. */
async function cover(counter: Counter, claim: Claim, { credit }: Due, amount: Micros): Promise<void> {
  try {
    if (!credit) throw new PaymentRefused("CREDIT_INSUFFICIENT", "The credit was used up by another call meanwhile.");
    await hold(counter, credit, { order: claim.key, amount });
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** A payment with the requirements that it meets: those of this moment, or those that it was made for. */
async function takeUp(counter: Counter, order: Order, payment: PresentedPayment, { payable }: Due): Promise<TakenUp> {
  const { exact, upto } = counter.requirementsFor({ capability: order.capability, amount: payable });
  try {
    return { ...(await accept(payment, [...exact, ...upto], counter.rails)), payable };
  } catch (error) {
    const before = error instanceof PaymentRefused ? await takenBefore(counter, order, payment) : undefined;
    if (before) return before;
    throw error;
  }
}

/**
 * A payment that was taken before, sent again with another amount due: credit that it used up lowers no quote any
 * more, and credit that became free since lowers one. It is good for what it bought all the same.
 */
export async function takenBefore(
  { requirementsFor, rails, guard }: Counter,
  { capability, amount }: Order,
  payment: PresentedPayment,
): Promise<TakenUp | undefined> {
  const signedFor = String(payment.accepted?.amount);
  if (!/^[1-9]\d{0,15}$/.test(signedFor) || BigInt(signedFor) > amount) return undefined;
  const payable = BigInt(signedFor);
  const { exact, upto } = requirementsFor({ capability, amount: payable });
  const accepted = await accept(payment, [...exact, ...upto], rails).catch(() => undefined);
  return accepted && (await guard.knows(accepted.checked.id)) ? { ...accepted, payable } : undefined;
}

/**
 * A buyer that signs anew for a purchase it already paid names it by the same key, and gets what it bought. The key
 * counts only beside a signature of the payer's own, or a stranger could fetch somebody's purchase with it.
 */
function nameOf({ idempotencyKey }: Order, { identifier }: PresentedPayment, wallet: string): string | undefined {
  const key = identifier ?? idempotencyKey;
  if (key === undefined) return undefined;
  if (key.length > 255) throw invalid("idempotency-key", "must be at most 255 characters long");
  return `order:${createHash("sha256").update(`${wallet} ${key}`).digest("hex")}`;
}

/** A fingerprint of a validated input: equal for equal inputs, whatever the order of their members. */
function hashOf(input: unknown): string {
  const sorted = JSON.stringify(input, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash("sha256").update(sorted).digest("hex");
}
