/** Orders that a payment pays for, alone or together with credit. */

import { least, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import { accountId } from "../networks/accounts.js";
import { type Due, type Grant, type Order, type Paid, type Replay, workMsOf } from "../order/order.js";
import type { Failure } from "../record/facts.js";
import { fingerprintOf } from "../record/input-digest.js";
import type { Delivery, Dues, PaymentLease } from "../settlement/lease.js";
import { PaymentRefused } from "../x402/refusal.js";
import { usdOf } from "../x402/usd.js";
import type { PaymentPayload } from "../x402/wire.js";
import { attempted, attemptOf } from "./attempt.js";
import { hold } from "./credit-grant.js";
import type { CheckoutDeps } from "./deps.js";
import { type Entering, endsBeforeWork, isSettledFirst, purchaseOf } from "./paid-purchase.js";
import { type Matched, matchRequirements, recordOf } from "./paid-terms.js";

/** Time for a stream's last writes after its work. */
const SAVE_MS = 5000;

/** The grant of a payment, or the answer that it bought before. */
export async function paidGrant(
  deps: CheckoutDeps,
  order: Order,
  payment: PaymentPayload,
  due: Due & { account?: string | undefined },
): Promise<Grant | Replay> {
  const before = await recordOf(deps, payment);
  const taken = await matchRequirements(deps, order, payment, { due, before });
  const named = payment.resourceUrl && order.otherEndpoint(payment.resourceUrl);
  if (named) throw new PaymentRefused("PAYMENT_MISMATCH", `The payment names another endpoint, ${named}.`);
  const { checked, requirements } = taken;
  order.onPayer({ payer: checked.payer, network: requirements.network });
  const attempt = attemptOf(deps, checked.payer, order);
  return attempted(attempt, () => enter(deps, order, payment, { due, before, taken, attempt }));
}

async function enter(
  deps: CheckoutDeps,
  order: Order,
  payment: PaymentPayload,
  { due, before, taken, attempt }: Entering,
): Promise<Grant | Replay> {
  const { requirements, checked, covered, byUsage } = taken;
  const { capability } = order;
  const wallet = accountId(requirements.network, checked.payer);
  // A change of a wallet's state is made after its payment is settled, or the buyer could get it for free.
  const effects = capability.walletUse(order)?.effects === true;
  const isSettledAhead = order.asJob && endsBeforeWork(checked.validBefore, order, deps.now());
  // guard: jobs: a payment that would expire while the job works is settled first | - || isSettledAhead | job-secrets
  const prepaid = effects || isSettledFirst(deps, order, requirements) || isSettledAhead;
  const entry = await deps.guard.enter(
    purchaseOf(deps, order, payment, { due, before, taken, attempt, effects, prepaid }),
  );
  const paid = async (delivery: Delivery): Promise<Paid> => ({
    requirements,
    delivery: await withToken(deps, delivery),
    version: payment.version,
  });
  if ("delivery" in entry) return { delivery: entry.delivery, paid: await paid(entry.delivery) };

  const { lease } = entry;
  await deps.boughtBefore?.note({ wallet, fingerprint: fingerprintOf(order) }, lease.key, checked.validBefore);
  const { part, credit, duesOf } = meansOf(lease, { covered, due });
  const givenBack = part > 0n ? await cover(deps, lease, due, part) : undefined;
  if (givenBack) return { delivery: givenBack, paid: await paid(givenBack) };
  const bought = lease.account === undefined ? undefined : purchasedBy(lease, lease.account);
  /** Unlike an answer that is withheld, the part of a stream that was made, or has left, is lost to its seller. */
  const unlessUnpaid = async (error: unknown, lost?: Micros): Promise<never> => {
    // guard: a stream that cannot be settled counts against its payer | gone | handler/stream
    if (order.streamed && error instanceof PaymentRefused) await attempt.fail(lost);
    throw error;
  };
  const prepay = async () => {
    const receipt = await lease.prepay(credit && { id: credit.id, used: part }).catch(unlessUnpaid);
    if (bought) await (await deps.accounts?.bought())?.add(bought);
    return receipt && paid({ outcome: "", receipt });
  };
  const advance = advanceOf(lease, { covered: part, duesOf, endsAt: deps.now() + workMsOf(order) + SAVE_MS });
  const call = bought ? { id: bought.account, callId: bought.payment } : { id: wallet, callId: lease.key };
  /** An unknown outcome counts as done, and is resolved later. */
  const mayBeDone = async () => effects && lease.paid && ((await deps.receipts?.(call).catch(() => true)) ?? false);
  // guard: a call that broke off is billed as it was first quoted |
  //   - terms: termsOf(lease, { covered, byUsage }), | price-under-way
  return {
    caller: "paid",
    wallet: call,
    reply: { kept: "payment", key: lease.key },
    terms: termsOf(lease, { covered, byUsage }),
    done: await mayBeDone(),
    // Credit that is held cannot be lost; a change of a wallet's state keeps it until it is known whether it was made.
    ...((lease.onCredit === undefined ? prepaid : effects) ? { prepay } : { advance }),
    async settle(outcome, { charge }) {
      const settled = lease.settle(outcome(), duesOf(charge));
      return paid(await settled.catch((error: unknown) => unlessUnpaid(error, charge)));
    },
    async release({ code, message }) {
      // guard: top-up: what is settled is booked, and not given back | - (bought && lease.paid) || |
      //   accounts/top-up --accounts
      if ((bought && lease.paid) || (await mayBeDone())) {
        await lease.leave();
        return undefined;
      }
      const [givenBack] = await Promise.all([
        letGo(deps, lease, { credit, failure: { code, message } }),
        attempt.fail(),
      ]);
      return givenBack && paid(givenBack);
    },
  };
}

/** The balance that a payment buys: all that is settled of it. */
const purchasedBy = ({ id, requirements, product }: PaymentLease, account: string) => ({
  ...{ payment: id, account, product },
  amount: usdOf(requirements),
});

/** The terms of the payment that is charged, which an earlier attempt may have signed. */
const termsOf = (
  { requirements, byUsage, onCredit }: PaymentLease,
  taken: Pick<Matched, "covered" | "byUsage">,
): NonNullable<Grant["terms"]> => ({
  amount: onCredit ?? usdOf(requirements) + taken.covered,
  byUsage: byUsage ?? taken.byUsage,
});

/** The part that credit pays beside the payment, or the wallet's own credit, which pays everything. */
function meansOf(
  { requirements, onCredit }: PaymentLease,
  { covered, due: { credit } }: { covered: Micros; due: Due },
): { part: Micros; credit: Due["credit"]; duesOf(charge: Micros): Dues } {
  if (onCredit !== undefined) return { part: 0n, credit: undefined, duesOf: duesOnCredit(onCredit) };
  return { part: covered, credit, duesOf: duesFor({ requirements, covered, credit }) };
}

/** The parts of a charge. Credit is used first, because an unsettled amount needs no refund. */
function duesFor({
  requirements,
  covered,
  credit,
}: Pick<Matched, "requirements" | "covered"> & Pick<Due, "credit">): (charge: Micros) => Dues {
  return (charge) => {
    const used = least(charge, covered);
    // Never more than the signed amount, even if the price has risen since.
    const owed = least(charge - used, usdOf(requirements));
    return { charge: owed, ...(credit ? { credit: { id: credit.id, used } } : {}) };
  };
}

/** The wallet's credit pays what is used; nothing is settled. */
const duesOnCredit =
  (held: Micros) =>
  (charge: Micros): Dues => ({ charge: 0n, credit: { id: "", used: least(charge, held) } });

/** A payment that is settled at the end would be lost with the process, and expires. */
const advanceOf =
  (
    lease: PaymentLease,
    { covered, duesOf, endsAt }: { covered: Micros; duesOf(charge: Micros): Dues; endsAt: number },
  ) =>
  async (charge: Micros, outcome: string): Promise<void> => {
    if (charge > covered) await lease.advance(outcome, duesOf(charge), endsAt);
  };

/** Adds the token of new credit, which the buyer gets only from this answer. */
export async function withToken(
  { credits }: Pick<CheckoutDeps, "credits">,
  { order, refund, ...delivery }: Delivery,
): Promise<Paid["delivery"]> {
  if (!refund) return delivery;
  const isCredit = refund.state === "credited" && refund.token === undefined && order !== undefined;
  return { ...delivery, refund: isCredit ? { ...refund, token: await credits.tokenOf(order) } : refund };
}

/**
 * Holds the credit that pays the rest, or releases the lease. If the payment is already settled, the buyer must not be
 * asked to pay again: the whole amount is returned, and the answer tells so.
 */
async function cover(
  deps: CheckoutDeps,
  lease: PaymentLease,
  { credit }: Due,
  amount: Micros,
): Promise<Delivery | undefined> {
  try {
    if (!credit) throw new PaymentRefused("CREDIT_INSUFFICIENT", "The credit was used up by another call meanwhile.");
    // The call that completes the payment ends the hold, perhaps long after this call.
    await hold(deps, credit, { order: lease.key, amount, until: deps.now() + DAY_MS });
    return undefined;
  } catch (error) {
    const gone: Failure = {
      code: "UPSTREAM_ERROR",
      message: "The credit for a part of the price was used up meanwhile.",
    };
    const givenBack = await lease.release(lease.paid ? gone : undefined);
    if (givenBack) return givenBack;
    throw error;
  }
}

/** Gives back what a failed call held: the credit beside the payment, and the payment. */
async function letGo(
  { credits }: CheckoutDeps,
  lease: PaymentLease,
  { credit, failure }: { credit: Due["credit"]; failure: Failure },
): Promise<Delivery | undefined> {
  // guard: credit beside a payment that is settled first is free when that fails | gone | USAGE
  if (credit) await credits.capture(credit.id, lease.key, 0n);
  return lease.release(failure);
}
