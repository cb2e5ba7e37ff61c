/** Calls that are paid for: by a payment, by credit, or by both. */
import { createHash, randomUUID } from "node:crypto";
import { invalid } from "../../errors.js";
import type { Till } from "../../host/host.js";
import { least, type Micros } from "../../lib/money.js";
import type { Call } from "../../request/call.js";
import { type Paid, writeOutcome } from "../../request/respond.js";
import { type Accepted, accept } from "../rails/requirements.js";
import type { Credit } from "../refund/credit.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { PresentedPayment } from "../x402/wire.js";
import type { Grant, Purchase, Replay } from "./authorize.js";
import { requirementsFor } from "./requirements.js";

/** A hold on credit outlives the work and its settlement; a payment's hold is ended by whoever finishes the payment. */
const HOLD_MS = 24 * 3600 * 1000;

interface TakenUp extends Accepted {
  /** What the payment is for; credit pays for the rest. */
  payable: Micros;
}

/** The claim of a payment, or what it bought before. */
export async function paidGrant(
  call: Call,
  till: Till,
  purchase: Purchase,
  payment: PresentedPayment,
): Promise<Grant | Replay> {
  const { capability, amount, input, credit } = purchase;
  const { requirements, checked, payable } = await takeUp(call, till, purchase, payment);
  assertSameEndpoint(call, payment);
  call.event.payer = checked.payer;
  call.event.network = requirements.network;

  const order = checked.proven ? orderOf(call, payment, checked.payer) : undefined;
  const entry = await till.guard.enter({
    ...checked,
    ...(order ? { order } : {}),
    requestId: call.requestId,
    fingerprint: `${capability.id} ${hashOf(input)}`,
    payment: {
      payload: checked.payload ?? payment.payload,
      requirements,
      payer: checked.payer,
      ...(checked.extensions ? { extensions: checked.extensions } : {}),
    },
    workMs: capability.timeoutMs,
    prepaid: till.settleFirst.has(capability.id),
  });
  const paid = (delivery: Paid["delivery"]): Paid => ({ requirements, delivery, version: payment.version });
  if ("delivery" in entry) return { delivery: entry.delivery, paid: paid(entry.delivery) };

  const { claim } = entry;
  const covered = amount - payable;
  if (covered > 0n && !(credit && (await hold(call, till, credit, { order: claim.key, amount: covered })))) {
    await claim.release();
    throw new PaymentRefused("CREDIT_INSUFFICIENT", "The credit was used up by another call meanwhile.");
  }
  if (till.settleFirst.has(capability.id)) await claim.prepay();
  return {
    caller: "paid",
    async settle(outcome, { charge }) {
      // Credit is used up first: what is not settled needs no return.
      const fromCredit = least(charge, covered);
      const dues = { charge: charge - fromCredit, ...(credit ? { credit: { id: credit.id, used: fromCredit } } : {}) };
      return paid(await claim.settle(writeOutcome(outcome), dues));
    },
    async release() {
      if (credit) await till.credits.capture(credit.id, claim.key, 0n);
      const givenBack = await claim.release();
      return givenBack && paid(givenBack);
    },
  };
}

/** A payment with the offer that it takes up: that of this moment, or the one that it was made for. */
async function takeUp(call: Call, till: Till, purchase: Purchase, payment: PresentedPayment): Promise<TakenUp> {
  const { capability, payable } = purchase;
  const { exact, upto } = requirementsFor(call.host, till, { capability, amount: payable });
  try {
    return { ...(await accept(payment, [...exact, ...upto], till.rails)), payable };
  } catch (error) {
    const before = error instanceof PaymentRefused ? await takenBefore(call, till, purchase, payment) : undefined;
    if (before) return before;
    throw error;
  }
}

/**
 * A payment that was taken before, sent again with another amount due: credit that it used up lowers no quote any
 * more, and credit that became free since lowers one. It is good for what it bought all the same.
 */
export async function takenBefore(
  call: Call,
  till: Till,
  { capability, amount }: Purchase,
  payment: PresentedPayment,
): Promise<TakenUp | undefined> {
  const signedFor = String(payment.accepted?.amount);
  if (!/^[1-9]\d{0,15}$/.test(signedFor) || BigInt(signedFor) > amount) return undefined;
  const payable = BigInt(signedFor);
  const { exact, upto } = requirementsFor(call.host, till, { capability, amount: payable });
  const accepted = await accept(payment, [...exact, ...upto], till.rails).catch(() => undefined);
  return accepted && (await till.guard.knows(accepted.checked.id)) ? { ...accepted, payable } : undefined;
}

/** A call that earlier credit covers whole: nothing is signed or settled. */
export async function creditGrant(call: Call, till: Till, purchase: Purchase, credit: Credit): Promise<Grant> {
  const { capability, amount } = purchase;
  const order = `call:${randomUUID()}`;
  if (!(await hold(call, till, credit, { order, amount })))
    throw new PaymentRefused("CREDIT_INSUFFICIENT", "The credit was used up by another call meanwhile.");
  call.event.payer = credit.payer;
  return {
    caller: "paid",
    async settle(_, { charge }) {
      await till.creditCalls.charge({ credit, order, endpoint: capability.id, used: charge });
      return undefined;
    },
    async release() {
      await till.credits.capture(credit.id, order, 0n);
      return undefined;
    },
  };
}

function hold({ host }: Call, till: Till, credit: Credit, claim: { order: string; amount: Micros }): Promise<boolean> {
  return till.credits.hold(credit.id, claim.order, { amount: claim.amount, until: host.now() + HOLD_MS });
}

/**
 * A buyer that signs anew for a purchase it already paid names it by the same key, and gets what it bought. The key
 * counts only beside a signature of the payer's own, or a stranger could fetch somebody's purchase with it.
 */
function orderOf({ request }: Call, { identifier }: PresentedPayment, payer: string): string | undefined {
  const key = identifier ?? request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length > 255) throw invalid("idempotency-key", "must be at most 255 characters long");
  return `order:${createHash("sha256").update(`${payer.toLowerCase()} ${key}`).digest("hex")}`;
}

/** Proxies rewrite hosts and queries, so of the URL that the caller names only our own paths mean anything. */
function assertSameEndpoint({ host, url }: Call, { resourceUrl }: PresentedPayment): void {
  if (!resourceUrl || !URL.canParse(resourceUrl)) return;
  const { pathname } = new URL(resourceUrl);
  if (pathname !== url.pathname && host.routes.has(pathname))
    throw new PaymentRefused("PAYMENT_MISMATCH", `The payment names another endpoint, ${pathname}.`);
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
