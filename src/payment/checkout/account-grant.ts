/** Orders that an account pays for: the price is held before the work and charged after it. */
import { randomUUID } from "node:crypto";
import type { Micros } from "../../lib/money.js";
import { retry } from "../../lib/retry.js";
import { MINUTE_MS } from "../../lib/time.js";
import { WHILE_SILENT } from "../../stores/fail-closed.js";
import type { Taken } from "../../stores/owner.js";
import type { AccountBook, AccountHold, AccountSale } from "../accounts/book.js";
import { enterPurchase, type KeptAnswer, type PurchaseLease } from "../accounts/purchases.js";
import type { Attempt } from "../failures/failures.js";
import { type AccountCaller, walletOfAccount } from "../options/accounts.js";
import { type Grant, type Order, type Replay, workMsOf } from "../order/order.js";
import { hashOf } from "../record/input-digest.js";
import { attempted, attemptOfAccount } from "./attempt.js";
import { idempotencyKeyHashOf } from "./buyers-key.js";
import type { CheckoutDeps } from "./deps.js";

/** The hold outlasts the longest work. */
const CHARGE_MS = MINUTE_MS;

type Accounts = NonNullable<CheckoutDeps["accounts"]>;

/** The grant for an order, or the answer that the same Idempotency-Key bought before. */
export async function accountGrant(
  deps: CheckoutDeps,
  accounts: Accounts,
  { order, caller }: { order: Order; caller: AccountCaller },
): Promise<Grant | Replay> {
  order.assertWithinLimit();
  const book = await accounts.book();
  const wallet = walletOfAccount(caller.id);
  order.onPayer({ payer: wallet, account: caller.id });
  const attempt = attemptOfAccount(deps, caller, order);
  const selling = { deps, order, caller, book, attempt, accounts };
  return attempted(attempt, () => enter(selling));
}

interface Selling {
  deps: CheckoutDeps;
  order: Order;
  caller: AccountCaller;
  book: AccountBook;
  attempt: Attempt;
  accounts: Accounts;
}

async function enter(selling: Selling): Promise<Grant | Replay> {
  const { deps, order, caller, book, accounts } = selling;
  const { capability, requestId } = order;
  const key = idempotencyKeyHashOf(order, {}, walletOfAccount(caller.id));
  const name = randomUUID();
  const leaseMs = workMsOf(order) + CHARGE_MS;
  if (key === undefined) {
    const lease = await deps.owner.take(deps.now() + leaseMs);
    const held = await hold(selling, name, { amount: order.amount, lease }).catch(ending(deps, lease));
    return grantOf(selling, { name, held: held as AccountHold, lease });
  }

  let held: AccountHold | undefined;
  const entry = await enterPurchase(deps, {
    key: `account-${key}`,
    account: caller.id,
    answers: await accounts.answers(),
    fingerprint: `${capability.id} ${hashOf(order.input)}`,
    requestId,
    name,
    terms: { amount: order.amount, byUsage: order.byUsage },
    leaseMs,
    signal: order.signal,
    async hold(amount, lease) {
      held = await hold(selling, name, { amount, key, lease });
      return held && (() => book.release(caller, name));
    },
  });
  if ("failure" in entry) return { delivery: { outcome: "", ...entry } };
  if (!("outcome" in entry))
    return grantOf(selling, { name, held: held as AccountHold, lease: entry.lease, purchase: entry, key });
  await book.assertKey(caller, { endpoint: capability.id, parts: partsOf(order) });
  // guard: accounts: an answer that is kept is charged from what its call held | - entry.hold ?? | accounts/faults
  await chargeKept(selling, entry.hold ?? name, saleOf(order, entry));
  return { delivery: { outcome: entry.outcome } };
}

/** Charges an answer that was kept; only the first time that is an event. */
async function chargeKept({ deps, caller, book }: Selling, name: string, sale: AccountSale): Promise<void> {
  const { endpoint, requestId } = sale;
  const isCharged = deps.durable && typeof (await book.findSale(caller.id, requestId, name)) === "object";
  const facts = { account: caller.id, hold: name, endpoint, requestId };
  const eventPlan = isCharged ? undefined : deps.durable?.planEvent({ kind: "account-sale", ...facts });
  await eventPlan?.stored;
  await book.charge(caller, name, sale);
  eventPlan?.confirm();
}

/** An answer that was kept is charged under the request that made it, unless it is charged already. */
const saleOf = (order: Order, { purchase, used, requestId }: KeptAnswer) => ({
  endpoint: order.capability.id,
  parts: partsOf(order),
  requestId,
  used,
  reference: `call:${purchase}`,
});

const partsOf = (order: Order): string[] => (order.capability.parts?.(order) ?? []).map(({ id }) => id);

/** Holds the price, and asks at the same time whether too many calls of this account failed. */
async function hold(
  { deps, order, caller, book, attempt, accounts }: Selling,
  name: string,
  { amount, key, lease }: { amount: Micros; key?: string; lease: Taken },
): Promise<AccountHold | undefined> {
  await deps.admission?.admit(order, { via: "account", account: caller.id });
  order.assertWithinLimit(amount);
  const { capability } = order;
  const [begun, held] = await Promise.allSettled([
    attempt.begin(),
    book.hold(caller, name, {
      price: amount,
      endpoint: capability.id,
      parts: partsOf(order),
      lease,
      order: key,
      topUpUrl: accounts.topUpUrl,
      tellPace: (headers) => order.addHeaders(headers),
    }),
  ]);
  if (held.status === "fulfilled" && begun.status === "fulfilled") return held.value;
  // It may hold although its answer was lost.
  // guard: accounts: a hold that nobody heard of is freed | gone | accounts/faults
  if (held.status === "rejected" && WHILE_SILENT.isPassing(held.reason)) book.release(caller, name).catch(() => {});
  if (held.status === "rejected") throw held.reason;
  await book.release(caller, name);
  throw (begun as PromiseRejectedResult).reason;
}

interface Held {
  name: string;
  held: AccountHold;
  /** The lease of what is held, and of the purchase. */
  lease: Taken;
  /** Set if it may come back. */
  purchase?: PurchaseLease;
  /** Of the buyer's Idempotency-Key, which names the call also where an attempt that failed left no purchase. */
  key?: string;
}

const ending =
  ({ owner }: CheckoutDeps, lease: Taken) =>
  (error: unknown): never => {
    owner.end(lease);
    throw error;
  };

async function grantOf(selling: Selling, { name, held, lease, purchase: begun, key = name }: Held): Promise<Grant> {
  const { deps, order, caller, book, attempt } = selling;
  const { capability, requestId } = order;
  const { terms } = begun ?? {};
  const effects = capability.walletUse(order)?.effects === true;
  const purchase = begun?.purchase ?? name;
  const wallet = {
    ...{ id: walletOfAccount(caller.id), ...(caller.key === undefined ? {} : { key: caller.key }) },
    callId: `acct:${effects ? purchase : key}`,
  };
  /** An unknown outcome counts as `unknown`. */
  const isDone = async (unknown: boolean) => effects && ((await deps.receipts?.(wallet).catch(() => unknown)) ?? false);
  // While the work runs: a refund finds the call by its id from here on.
  const noted = retry(() => book.note(requestId, { account: caller.id, from: held.next }), WHILE_SILENT);
  noted.catch(() => {});
  const facts = { account: caller.id, hold: name, endpoint: capability.id, requestId };
  const eventPlan = deps.durable?.planEvent({ kind: "account-sale", ...facts });
  const sale = {
    ...{ endpoint: capability.id, parts: partsOf(order), requestId, pages: held.pages },
    ...(begun ? { reference: `call:${purchase}` } : {}),
  };
  const charge = async (used: Micros) => {
    await eventPlan?.stored;
    // guard: accounts: a charge is not given up at the first silence of the store |
    //   without retry | accounts/faults --accounts
    await retry(() => book.charge(caller, name, { ...sale, used }), WHILE_SILENT);
    eventPlan?.confirm();
  };
  /**
   * For a call that gets no answer: frees what it holds, unless it was charged, and lets the next attempt begin. What a
   * reader has of a stream is sold when its hold ends.
   */
  const letGo = (error: unknown): never => {
    // guard: accounts: a call without an answer holds nothing | gone | accounts/faults
    if (!order.streamed) book.release(caller, name).catch(() => {});
    // guard: accounts: an attempt that could not keep its answer lets the next begin | gone | accounts/faults
    begun?.leave(true).catch(() => {});
    deps.owner.end(lease);
    throw error;
  };
  const forget = async () => {
    const version = await noted;
    if (version !== undefined) await book.forget(requestId, version);
  };
  return {
    caller: "account",
    account: caller.id,
    allowance: held.free,
    paidBy: held.paidBy,
    wallet,
    ...(begun ? { reply: { kept: "account" as const, key: `account-${key}` } } : {}),
    ...(terms ? { terms } : {}),
    done: begun?.isRepeated === true && (await isDone(true)),
    ...(order.streamed ? { advance: (used: Micros) => book.advance(caller, name, { ...sale, used }) } : {}),
    async settle(outcome, { charge: used }) {
      await noted.catch(letGo);
      if (!begun) await charge(used).catch(letGo);
      else {
        const count = await begun.keep(outcome(), used).catch(letGo);
        // An answer that is kept is charged when it is asked for again: what it holds waits for that.
        await Promise.all([charge(used), count()]);
      }
      deps.owner.end(lease);
      return undefined;
    },
    async release() {
      await giveBack().finally(() => deps.owner.end(lease));
      return undefined;
    },
  };

  async function giveBack(): Promise<void> {
    // A change that was made is paid for, whatever became of its answer; the same key gets it.
    if (await isDone(false)) await Promise.all([charge((terms ?? order).amount), begun?.leave(true)]);
    else {
      // guard: accounts: a failed call leaves no row | - , forget().catch(() => {}) | accounts/faults
      await Promise.all([book.release(caller, name), begun?.leave(), attempt.fail(), forget().catch(() => {})]);
      eventPlan?.cancel();
    }
  }
}
