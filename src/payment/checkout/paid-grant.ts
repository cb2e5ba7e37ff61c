/** Orders that a payment pays for, alone or with credit beside it. */

import { createHash } from "node:crypto";
import { invalid } from "../../errors.js";
import { once } from "../../lib/lazy.js";
import { least, type Micros } from "../../lib/money.js";
import { sortedJson } from "../../lib/sorted-json.js";
import { DAY_MS } from "../../lib/time.js";
import type { Attempt } from "../failures/failures.js";
import { assertIssued } from "../mpp/challenge.js";
import { accountId } from "../rails/accounts.js";
import { railFor } from "../rails/rails.js";
import { type Accepted, accept, notReady } from "../rails/requirements.js";
import type { Failure, PaymentRecord } from "../record.js";
import type { Delivery, PaymentLease } from "../settlement/lease.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { PaymentPayload } from "../x402/wire.js";
import { attempted, attemptOf } from "./attempt.js";
import { hold } from "./credit-grant.js";
import type { CheckoutDeps } from "./deps.js";
import type { Due, Grant, Order, Paid, Replay } from "./order.js";

interface TakenUp extends Accepted {
  /** What credit pays for; the payment is for the rest. */
  covered: Micros;
}

/** The lease of a payment, or what it bought before. */
export async function paidGrant(
  deps: CheckoutDeps,
  order: Order,
  payment: PaymentPayload,
  due: Due,
): Promise<Grant | Replay> {
  const before = await recordOf(deps, payment);
  const taken = await takeUp(deps, order, payment, { due, before });
  const named = payment.resourceUrl && order.otherEndpoint(payment.resourceUrl);
  if (named) throw new PaymentRefused("PAYMENT_MISMATCH", `The payment names another endpoint, ${named}.`);
  const { checked, requirements } = taken;
  order.onPayer({ payer: checked.payer, network: requirements.network });
  const attempt = attemptOf(deps, checked.payer, order);
  return attempted(attempt, () => enter(deps, order, payment, { due, before, taken, attempt }));
}

interface Entering {
  due: Due;
  before: PaymentRecord | undefined;
  taken: TakenUp;
  attempt: Attempt;
}

async function enter(
  deps: CheckoutDeps,
  order: Order,
  payment: PaymentPayload,
  { due, before, taken: { requirements, checked, covered }, attempt }: Entering,
): Promise<Grant | Replay> {
  const { capability } = order;
  const wallet = accountId(requirements.network, checked.payer);
  const name = checked.proven ? idempotencyKeyHashOf(order, payment, wallet) : undefined;
  // Where a payment does not live as long as the work takes, it is settled first.
  const { maxWorkMs = Number.POSITIVE_INFINITY } = railFor(deps.rails, requirements) ?? {};
  // What changes a wallet's state is done once its money is there, or the buyer could have the one without the other.
  const effects = capability.walletUse(order)?.effects === true;
  // What is made of other calls keeps to the strictest rule of any of them.
  const all = [capability, ...(capability.parts?.(order) ?? [])];
  const prepaid = effects || all.some((one) => deps.settlesFirst(one) || one.timeoutMs > maxWorkMs);
  const fingerprint = once(() => `${capability.id} ${hashOf(order.input)}`);
  const entry = await deps.guard.enter({
    ...checked,
    ...(name ? { idempotencyKeyHash: name } : {}),
    requestId: order.requestId,
    // Made where it is needed: a large input is not read for a payment that nobody has verified.
    get fingerprint() {
      return fingerprint();
    },
    isNew: before === undefined,
    early: before?.state !== "settled",
    ...secretOf(order, payment),
    payment: {
      payload: checked.payload ?? payment.payload,
      requirements,
      payer: checked.payer,
      paidFor: { endpoint: capability.id, url: order.resourceUrl },
      ...(checked.extensions ? { extensions: checked.extensions } : {}),
    },
    workMs: capability.timeoutMs,
    // What is looked up for a wallet before its money moves may take as long as the work.
    prepareMs: effects ? capability.timeoutMs : 0,
    prepaid,
    ...(covered > 0n ? { covered: covered.toString() } : {}),
    signal: order.signal,
    attempt,
  });
  const paid = async (delivery: Delivery): Promise<Paid> => ({
    requirements,
    delivery: await withToken(deps, delivery),
    version: payment.version,
  });
  if ("delivery" in entry) return { delivery: entry.delivery, paid: await paid(entry.delivery) };

  const { lease } = entry;
  const givenBack = covered > 0n ? await cover(deps, lease, due, covered) : undefined;
  if (givenBack) return { delivery: givenBack, paid: await paid(givenBack) };
  const { credit } = due;
  const prepay = () => lease.prepay(credit && { id: credit.id, used: covered });
  const call = { id: wallet, callId: lease.key };
  /** What cannot be known counts as done: it is found out later. */
  const mayBeDone = async () => effects && lease.paid && ((await deps.receipts?.(call).catch(() => true)) ?? false);
  return {
    caller: "paid",
    wallet: call,
    done: await mayBeDone(),
    ...(prepaid ? { prepay } : {}),
    async settle(outcome, { charge }) {
      // Credit is used up first: what is not settled needs no refund.
      const fromCredit = least(charge, covered);
      // Never more than was signed for, also where the price has risen since.
      const owed = least(charge - fromCredit, BigInt(requirements.amount));
      const dues = { charge: owed, ...(credit ? { credit: { id: credit.id, used: fromCredit } } : {}) };
      return paid(await lease.settle(outcome(), dues));
    },
    async release({ code, message }) {
      if (await mayBeDone()) {
        await lease.leave();
        return undefined;
      }
      const letGo = async () => {
        if (credit) await deps.credits.capture(credit.id, lease.key, 0n);
        return lease.release({ code, message });
      };
      const [givenBack] = await Promise.all([letGo(), attempt.fail()]);
      return givenBack && paid(givenBack);
    },
  };
}

/** With the token of what became credit, which its buyer has from us alone. */
async function withToken(
  { credits }: CheckoutDeps,
  { order, refund, ...delivery }: Delivery,
): Promise<Paid["delivery"]> {
  if (!refund) return delivery;
  const isCredit = refund.state === "credited" && refund.token === undefined && order !== undefined;
  return { ...delivery, refund: isCredit ? { ...refund, token: await credits.tokenOf(order) } : refund };
}

/**
 * Holds the credit that pays for what the payment does not, or lets the lease go. Where the payment is settled already,
 * nobody may be told to pay: it goes back whole then, and what became of it is the answer.
 */
async function cover(
  deps: CheckoutDeps,
  lease: PaymentLease,
  { credit }: Due,
  amount: Micros,
): Promise<Delivery | undefined> {
  try {
    if (!credit) throw new PaymentRefused("CREDIT_INSUFFICIENT", "The credit was used up by another call meanwhile.");
    // Ended by whoever finishes the payment, which may be long after this call.
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

/** A payment with the requirements that it meets: those that it was taken for before, or those of this moment. */
async function takeUp(
  deps: CheckoutDeps,
  order: Order,
  payment: PaymentPayload,
  { due: { payable }, before }: { due: Due; before: PaymentRecord | undefined },
): Promise<TakenUp> {
  const taken = before && (await takenFor(deps, payment, before));
  if (taken) return taken;
  const { exact, upto } = deps.requirementsFor({ capability: order.capability, amount: payable });
  const accepted = await accept(payment, [...exact, ...upto], deps.rails);
  const { challenge } = payment;
  if (challenge) {
    const secret = await deps.secret();
    if (secret === undefined) throw notReady();
    assertIssued(challenge, { secret, realm: order.realm, now: deps.now(), terms: accepted.requirements });
  }
  return { ...accepted, covered: order.amount - payable };
}

/** What is known of a payment that came before, whoever sends it now. */
async function recordOf({ rails, guard }: CheckoutDeps, payment: PaymentPayload): Promise<PaymentRecord | undefined> {
  const id = await railFor(rails, payment)
    ?.identify(payment)
    .catch(() => undefined);
  return id === undefined ? undefined : guard.find(id);
}

/** Whether a payment was taken before. */
export async function wasTaken(deps: CheckoutDeps, payment: PaymentPayload): Promise<boolean> {
  const record = await recordOf(deps, payment);
  return record !== undefined && (await takenFor(deps, payment, record)) !== undefined;
}

/**
 * A payment that was taken before, sent again: it is good for what it bought, also where prices, the markup, the
 * treasury or the caller's credit are others by now. The caller's copy of the terms is not compared: it would tell a
 * stranger what they were.
 */
async function takenFor(
  { rails }: CheckoutDeps,
  payment: PaymentPayload,
  record: PaymentRecord,
): Promise<TakenUp | undefined> {
  const { requirements } = record.payment;
  const rail = railFor(rails, payment);
  if (!rail || requirements.network !== payment.network || requirements.scheme !== payment.scheme) return undefined;
  try {
    return { requirements, checked: await rail.check(payment, requirements), covered: BigInt(record.covered ?? 0) };
  } catch (error) {
    // Another payment of the same money, perhaps: it is judged by what is asked now.
    if (error instanceof PaymentRefused) return undefined;
    throw error;
  }
}

/** Shorter ones can be guessed. */
const MIN_SECRET_LENGTH = 16;

/** Whether the buyer's name for its purchase is one that nobody guesses. */
export const isSecret = ({ idempotencyKey = "" }: Order, { identifier = idempotencyKey }: PaymentPayload): boolean =>
  identifier.length >= MIN_SECRET_LENGTH;

/** What the caller knows of its purchase that nobody can read on the chain. Clients of version 1 have no retry key. */
function secretOf({ idempotencyKey }: Order, { retryKey, identifier }: PaymentPayload): { secretHash?: string } {
  const secret = retryKey ?? identifier ?? idempotencyKey ?? "";
  return secret.length < MIN_SECRET_LENGTH ? {} : { secretHash: createHash("sha256").update(secret).digest("hex") };
}

/**
 * A buyer that signs anew for a purchase it already paid names it by the same key, and gets what it bought. The key
 * counts only beside a signature of the payer's own, or a stranger could fetch somebody's purchase with it.
 */
export function idempotencyKeyHashOf(
  { idempotencyKey }: Order,
  { identifier }: PaymentPayload,
  wallet: string,
): string | undefined {
  const key = identifier ?? idempotencyKey;
  if (key === undefined) return undefined;
  if (key.length > 255) throw invalid("idempotency-key", "must be at most 255 characters long");
  return `order:${createHash("sha256").update(`${wallet} ${key}`).digest("hex")}`;
}

/** A fingerprint of a validated input: equal for equal inputs, whatever the order of their members. */
export const hashOf = (input: unknown): string => createHash("sha256").update(sortedJson(input)).digest("hex");
