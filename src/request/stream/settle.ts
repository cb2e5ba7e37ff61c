/** The charge of a stream: what was sent of it, or what any call costs if it came to its end. */
import type { CapabilityError } from "../../errors.js";
import { least, type Micros } from "../../lib/money.js";
import { type Grant, isCharged, type Order } from "../../payment/order/order.js";
import { type Bill, billFor } from "../../payment/pricing/usage.js";
import type { Call } from "../call.js";
import { noteFailure } from "../problem.js";
import { EVENTS_TYPE, type LastEvent, lastEvent, type Outcome, writeOutcome } from "../respond.js";
import { metaOf } from "../run.js";
import { deliveryOf, withSignedReceipt } from "../statements.js";
import { CEILING, LEFT } from "./endings.js";
import type { Outlet } from "./outlet.js";
import type { Work } from "./work.js";

/** How far a stream came. */
export interface Sent {
  /** The events that left, and their size. */
  events: string;
  bytes: number;
  /** Cost of these events by the meter; undefined if nothing was reported. */
  cost: Micros | undefined;
  /** Cost by the meter with a chunk that was made, and for which no voucher came. */
  made?: Micros;
  /** The last chunk, which waits for the facts of the call. */
  last?: object;
  /** The result of a stream that came to its end. */
  end?: { result: unknown };
  /** Why it broke off. */
  broken?: CapabilityError;
}

export interface Sending {
  order: Order;
  grant: Grant;
  work: Work;
  outlet: Outlet;
}

/** The stored answer of a stream. */
export const outcomeOf = (
  call: Call,
  { order, grant, work: { ctx } }: Sending,
  { bill, events, last }: Ending,
): Outcome => {
  const meta = metaOf(call, { order, grant, bill, ctx });
  return { kind: "legacy", contentType: EVENTS_TYPE, headers: {}, body: events, meta, ...(last ? { last } : {}) };
};

/** How a stream ends: its price, its events, and where its facts are told. */
export interface Ending {
  bill: Bill;
  events: string;
  last?: LastEvent | undefined;
}

/** Charges what was sent, or gives everything back if that is nothing. Resolves to the last event. */
export async function settle(
  call: Call,
  sending: Sending,
  { sent: { broken }, ...ending }: Ending & { sent: Sent },
): Promise<string> {
  const { grant } = sending;
  const { bill } = ending;
  const outcome = outcomeOf(call, sending, ending);
  const charge = () => grant.settle(() => writeOutcome(outcome), bill);
  if (!broken) {
    const paid = await call.step("settle", charge);
    const sent = { status: 200, body: ending.events };
    const [receipted, statement] = await Promise.all([
      withSignedReceipt(call, outcome, paid),
      deliveryOf(call, sent, outcome, paid),
    ]);
    return lastEvent(call, outcome, receipted, statement);
  }

  // A trial whose reader left, or had all that its sum buys, is used up; what broke without a charge is given back.
  // guard: a trial that ends at its sum is used up | - || broken === CEILING | handler/stream
  const isUsed = isCharged(grant) ? bill.charge > 0n : broken === LEFT || broken === CEILING;
  const paid = await call.step("settle", isUsed ? charge : () => grant.release(broken));
  if (broken !== LEFT) noteFailure(call, broken);
  const last = lastEvent(call, outcome, paid);
  if (!isUsed) call.event.outcome = "failed";
  return last;
}

/**
 * A whole stream costs what any call does, and a broken one what its chunks cost that were sent; one whose reader left costs
 * what is owed for it, if the work tells that.
 */
export function billOf({ order, grant, work }: Sending, sent: Sent): Bill {
  const { capability, input, byUsage, prices } = order;
  const { parts } = grant;
  const amount = parts?.covered ?? order.amount;
  const { end, broken, cost = 0n, made = 0n } = sent;
  if (end) return billFor({ capability, input, result: end.result, meter: work.ctx.meter, byUsage }, amount, prices);
  // guard: who leaves a stream of words pays what is owed for it |
  //   { owed = 0n } = work -> owed = cost | ai-stream-leavers
  const { owed = 0n } = work;
  const used = broken === LEFT && work.owed !== undefined ? owed : cost;
  // guard: a broken stream costs what was sent | , amount -> , 0n | handler/stream
  const charge = grant.indivisible ? amount : least(used, amount);
  const isFailure = broken !== LEFT && !broken?.excused;
  // guard: a chunk that was made for nothing counts against its buyer |
  //   greater(made, owed) - charge -> 0n | stream-parts
  const lost = parts ? greater(made, owed) - charge : isFailure ? amount - charge : 0n;
  return { authorized: amount, charge, estimated: false, excess: 0n, ...(lost > 0n ? { lost } : {}) };
}

const greater = (a: Micros, b: Micros): Micros => (a > b ? a : b);
