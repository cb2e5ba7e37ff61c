/** Runs the capability, and checks before money moves whether the result can be delivered. */
import { type CallContext, untilEnd } from "../capability/context.js";
import type { Sold } from "../capability/usage.js";
import { CapabilityError, toCapabilityError } from "../errors.js";
import { hopsOf } from "../gate/hops.js";
import { fromMicros, least, type Micros } from "../lib/money.js";
import { networkOf } from "../lib/network.js";
import type { Payer } from "../lib/threads/payer.js";
import { costOf, type Grant, isCharged, type Order } from "../payment/order/order.js";
import { type Bill, billFor } from "../payment/pricing/usage.js";
import { type Call, contextFor } from "./call.js";
import { PROBLEM_TYPE } from "./http/problem-document.js";
import { problemOf } from "./problem.js";
import { bodyBytes, type CallMeta, type Outcome, toOutcome, type Usage } from "./respond.js";

/** With less time left no settlement begins: the platform could end the call and leave a charge without an answer. */
const MIN_SETTLE_MS = 10_000;

export interface Done {
  outcome: Outcome;
  bill: Bill;
}

const settleMsOf = (grant: Grant): number => (isCharged(grant) ? MIN_SETTLE_MS : 0);

export const maxResponseBytesOf = ({ host, info }: Call): number =>
  Math.min(host.maxResponseBytes, info.maxResponseBytes ?? Number.POSITIVE_INFINITY);

/** The result of preparing before money moved. */
export interface Preparation {
  result: unknown;
  /** Preparing and running share the capability's time limit. */
  tookMs: number;
}

/** Work that is finished whoever leaves: it changes a wallet's state that is paid for, or buys from another origin. */
// guard: resale: a buyer that leaves pays for what was bought for it | - || isResold(order) | resell
export const mustFinish = (order: Order): boolean =>
  order.capability.walletUse(order)?.effects === true || isResold(order);

const isResold = (order: Order): boolean =>
  [order.capability, ...(order.capability.parts?.(order) ?? [])].some(({ resold }) => resold);

/** The context of a run; a stream has a signal of its own. */
export function contextOf(
  call: Call,
  {
    order,
    grant,
    spentMs = 0,
    own,
    readerMs = 0,
  }: { order: Order; grant: Grant; spentMs?: number | undefined; own?: AbortSignal; readerMs?: number },
): CallContext {
  const { capability, prices } = order;
  // Usage costs us money, too, and its result is kept for the retry; a job is ended by nobody but who cancels it.
  const finishes = mustFinish(order) || (capability.billing === "upto" && !call.job);
  const signal = own ?? (finishes ? undefined : call.request.signal);
  // guard: what is prepared and done have one deadline together | - - spentMs | deadlines
  const leftMs = capability.timeoutMs - spentMs + readerMs;
  const timeoutMs = Math.max(1, Math.floor(Math.min(leftMs, call.remainingMs() - settleMsOf(grant))));
  const maxResponseBytes = maxResponseBytesOf(call);
  const { requestId } = call;
  const { wallet } = grant;
  const hops = hopsOf(call.request);
  const payer = grant.payer ?? payerOfFree(call, wallet?.id);
  const { job } = call;
  const progress = job && ((done: number, steps: number) => job.progress(done, steps));
  const facts = { timeoutMs, signal, maxResponseBytes, wallet, payer, requestId, hops, prices, progress };
  return contextFor(call.host, capability, facts);
}

/** Calls that are given away take turns by their wallet, or by the network that they come from. */
function payerOfFree({ host, info }: Call, wallet: string | undefined): Payer | undefined {
  const { clientAddress } = info;
  if (wallet === undefined && clientAddress === undefined) return undefined;
  const name = wallet ?? `network:${networkOf(clientAddress ?? "")}`;
  // Where every call is free, nobody can be told from a stranger.
  return { name, isKnown: !host.paid, isUndecided: false, assertLeft() {}, spend() {}, lost() {}, gaveUp() {} };
}

/** Prepares the work before any money moves. */
export async function prepare(call: Call, order: Order, grant: Grant): Promise<Preparation | undefined> {
  // guard: wallets: what was left unjudged is judged before money moves | gone | heavy-values
  order.judgeRest?.();
  if (!order.capability.prepare) return undefined;
  const ctx = contextOf(call, { order, grant });
  const startedMs = call.durationMs();
  const parts = order.capability.parts?.(order) ?? [];
  // A batch runs most of its calls before money moves, and a watcher its first poll; the rest is counted by the run.
  const result = await untilEnd(ctx, order.capability.prepare(order, ctx)).finally(() => {
    if (parts.length > 0) call.host.budgets?.spend(order.capability, parts, ctx);
  });
  return { result, tookMs: call.durationMs() - startedMs };
}

/** Runs the work and turns its result into an outcome; rejects before money moves if the result cannot be delivered. */
export async function run(call: Call, order: Order, grant: Grant, prepared?: Preparation): Promise<Done> {
  const { host } = call;
  const { capability, input, amount, byUsage } = order;
  const settleMs = settleMsOf(grant);
  const maxResponseBytes = maxResponseBytesOf(call);
  const ctx = contextOf(call, { order, grant, spentMs: prepared?.tookMs });
  let result: unknown;
  try {
    result = await untilEnd(ctx, capability.execute(order, ctx, prepared?.result)).finally(() =>
      host.budgets?.spend(capability, capability.parts?.(order) ?? [], ctx),
    );
  } catch (error) {
    const used = call.job?.isCancelled ? usedOf(order, ctx) : 0n;
    if (used > 0n && isCharged(grant)) {
      const cost = order.prices.withMarkup(used, capability);
      return soldInPart(call, order, { sold: { cost, items: [] }, grant }, wasCancelled());
    }
    // guard: resale: what was bought elsewhere for a batch that fails is charged | always | resell
    if (ctx.sold.cost === 0n || !isCharged(grant) || grant.unpaidIfFailed) throw error;
    return soldInPart(call, order, { sold: ctx.sold, grant }, error);
  }
  // guard: rules: a call is billed at the prices of its order | order.prices -> host.pricing.at() | handler/rules
  const bill = billFor({ capability, input, result, meter: ctx.meter, byUsage }, amount, order.prices);
  const meta = metaOf(call, { order, grant, bill, ctx });
  const outcome = toOutcome(capability, result, meta);
  if (bodyBytes(outcome) > maxResponseBytes)
    throw new CapabilityError(
      "OVERLOADED",
      `The result is larger than the ${maxResponseBytes} bytes that this service can send; ask for less.`,
    );
  if (call.remainingMs() < settleMs)
    throw new CapabilityError(
      "UPSTREAM_TIMEOUT",
      "Too little time is left to settle the payment; nothing was charged.",
    );
  return { outcome, bill };
}

/** The facts of a finished call. Usage beyond the quote is told to the host, which loses it where it sells. */
export function metaOf(
  { host, requestId, durationMs }: Call,
  { order: { capability, amount }, grant, bill, ctx }: { order: Order; grant: Grant; bill: Bill; ctx: CallContext },
): CallMeta {
  if (bill.excess > 0n && amount > 0n)
    host.options.logger.warn({ endpoint: capability.id, excess: fromMicros(bill.excess) }, "usage exceeded the quote");
  return {
    endpoint: capability.id,
    version: null,
    requestId,
    caller: grant.caller,
    costUsd: fromMicros(costOf(grant, bill.charge)),
    quotedUsd: fromMicros(amount),
    durationMs: durationMs(),
    cached: ctx.reads.cached > 0 && ctx.reads.fresh === 0,
    ...(grant.trial ? { trial: grant.trial } : {}),
    ...accountFacts(grant, bill.charge),
    ...(isCharged(grant) && capability.billing === "upto" ? { usage: usageOf(bill, grant) } : {}),
  };
}

/** The account that is charged, and its grants that pay. */
function accountFacts({ account, paidBy }: Grant, charge: Micros): Pick<CallMeta, "account" | "grants"> {
  const grants = paidBy?.(charge) ?? [];
  return { ...(account === undefined ? {} : { account }), ...(grants.length > 0 ? { grants } : {}) };
}

/** The part of a call by usage that is charged if its caller cancels it. */
const usedOf = ({ byUsage }: Order, { meter: { owed, used = 0n } }: CallContext): Micros =>
  byUsage ? (owed ?? used) : 0n;

const wasCancelled = () =>
  new CapabilityError("ANSWER_NOT_KEPT", "The job was cancelled; what it had used by then was charged.", {
    excused: true,
  });

/** A failure that is charged in part: saved, settled and delivered like a result. */
function soldInPart(
  call: Call,
  { capability, amount }: Order,
  { sold: { cost, items }, grant }: { sold: Sold; grant: Grant },
  thrown: unknown,
): Done {
  const error = toCapabilityError(thrown);
  const charge = least(cost, amount);
  const meta: CallMeta = {
    endpoint: capability.id,
    version: null,
    requestId: call.requestId,
    caller: grant.caller,
    ...accountFacts(grant, charge),
    costUsd: fromMicros(costOf(grant, charge)),
    quotedUsd: fromMicros(amount),
    durationMs: call.durationMs(),
    cached: false,
  };
  const outcome: Outcome = {
    kind: "legacy",
    contentType: PROBLEM_TYPE,
    headers: {},
    body: JSON.stringify({ ...problemOf(call, error), items }),
    meta,
    status: error.status,
  };
  call.event.code = error.code;
  call.event.error = error;
  // guard: resale: nor do the parts that such a batch sold | never | resell
  const lost = error.excused ? {} : { lost: amount - charge };
  return { outcome, bill: { authorized: amount, charge, estimated: false, excess: 0n, ...lost } };
}

/** Usage before the settlement; settled and returned amounts are added later. */
function usageOf({ authorized, charge, estimated }: Bill, grant: Grant): Usage {
  // An account is charged what was used; nothing is settled beforehand or returned.
  const ofAccount = grant.caller === "account";
  return {
    authorizedUsd: fromMicros(authorized),
    usedUsd: fromMicros(charge),
    settledUsd: ofAccount ? fromMicros(costOf(grant, charge)) : "0",
    method: charge > 0n ? (ofAccount ? "account" : "exact") : "none",
    ...(estimated ? { estimated } : {}),
  };
}
