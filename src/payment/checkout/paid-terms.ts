/** The terms of a payment: those under which it was first taken, or the current ones. */
import type { Micros } from "../../lib/money.js";
import { assertIssued } from "../mpp/challenge.js";
import { railFor } from "../networks/rails.js";
import { type Accepted, accept, notReady } from "../networks/requirements.js";
import type { Due, Order } from "../order/order.js";
import { isByUsage, type PaymentRecord } from "../record/record.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { PaymentPayload } from "../x402/wire.js";
import type { CheckoutDeps } from "./deps.js";

export interface Matched extends Accepted {
  /** The part that credit pays; the payment is for the rest. */
  covered: Micros;
  /** Whether it was signed as a maximum, of which the usage is charged. */
  byUsage: boolean;
}

/** Matches a payment with its requirements: those stored when it was first taken, or the current ones. */
export async function matchRequirements(
  deps: CheckoutDeps,
  order: Order,
  payment: PaymentPayload,
  { due: { payable }, before }: { due: Due; before: PaymentRecord | undefined },
): Promise<Matched> {
  const { capability, byUsage } = order;
  const taken = before && (await takenEarlier(deps, payment, before));
  // guard: a payment made with credit is good for what it bought | gone | USAGE
  // guard: a payment is looked up before it is judged by today's terms | gone | bought-before
  if (taken) return { ...taken, byUsage: taken.byUsage ?? byUsage };
  const { exact, upto } = deps.requirementsFor({ capability, byUsage, amount: payable });
  const accepted = await accept(payment, [...exact, ...upto], deps.rails);
  const { challenge } = payment;
  if (challenge) {
    const secret = await deps.secret();
    if (secret === undefined) throw notReady();
    assertIssued(challenge, { secret, realm: order.realm, now: deps.now(), terms: accepted.requirements });
  }
  return { ...accepted, covered: order.amount - payable, byUsage };
}

/** The record of a payment that was seen before, whoever sends it now. */
export async function recordOf(
  { rails, guard }: CheckoutDeps,
  payment: PaymentPayload,
): Promise<PaymentRecord | undefined> {
  const id = await railFor(rails, payment)
    ?.identify(payment)
    .catch(() => undefined);
  return id === undefined ? undefined : guard.find(id);
}

/** Whether a payment was taken before. */
export async function wasTaken(deps: CheckoutDeps, payment: PaymentPayload): Promise<boolean> {
  const record = await recordOf(deps, payment);
  return record !== undefined && (await takenEarlier(deps, payment, record)) !== undefined;
}

/**
 * The requirements under which a payment was first taken. They stay valid for the same purchase even if prices, markup,
 * treasury or the caller's credit changed. The caller's copy of the terms is not compared, since the result would
 * reveal the terms to a stranger.
 */
async function takenEarlier(
  { rails }: CheckoutDeps,
  payment: PaymentPayload,
  record: PaymentRecord,
): Promise<(Omit<Matched, "byUsage"> & { byUsage: boolean | undefined }) | undefined> {
  const { requirements } = record.payment;
  const rail = railFor(rails, payment);
  if (!rail || requirements.network !== payment.network || requirements.scheme !== payment.scheme) return undefined;
  try {
    return {
      requirements,
      checked: await rail.check(payment, requirements),
      covered: BigInt(record.covered ?? 0),
      byUsage: isByUsage(record),
    };
  } catch (error) {
    // Possibly another payment with the same money, so it is judged by the current terms.
    if (error instanceof PaymentRefused) return undefined;
    throw error;
  }
}
