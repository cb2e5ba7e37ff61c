/**
 * Sells a stream. It waits for the first chunk, settles a payment that is settled first, and sends each chunk as its
 * reader wants it. What was sent is what is charged: of a stream that breaks off, whoever broke it off, the part that
 * left. The events are saved like any result, so that the same payment gets them again.
 */
import type { CallContext } from "../capability/context.js";
import { CapabilityError, toCapabilityError } from "../errors.js";
import { timeUp } from "../lib/abort.js";
import { least, type Micros } from "../lib/money.js";
import { type Grant, type Order, type Paid, READER_MS } from "../payment/checkout/order.js";
import { type Bill, billFor } from "../payment/pricing/usage.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import type { Call } from "./call.js";
import { toResponse } from "./exchange.js";
import { serviceHeader, sharedHeaders } from "./headers.js";
import { createOutlet, type Outlet } from "./outlet.js";
import { noteFailure, problemOf } from "./problem.js";
import { EVENTS_TYPE, lastEvent, type Outcome, paidHeaders, writeOutcome } from "./respond.js";
import { contextOf, maxResponseBytesOf, metaOf, type Preparation } from "./run.js";
import { withSignedReceipt } from "./statements.js";

export interface StreamSale {
  order: Order;
  grant: Grant;
  prepared: Preparation | undefined;
  /** Ends a call that failed before anything was sent. */
  giveBack(error: unknown): Promise<never>;
}

/** Rejects as a call that is answered at once does, until the first chunk is there and what is settled first is settled. */
export async function sellStream(call: Call, { order, grant, prepared, giveBack }: StreamSale): Promise<Response> {
  const work = openWork(call, { order, grant, prepared });
  let paid: Paid | undefined;
  try {
    await call.step("run", work.begin).catch(giveBack);
    if (grant.prepay) paid = await call.step("settle", grant.prepay);
  } catch (error) {
    work.stop();
    throw error;
  }
  const outlet = createOutlet(call.request.signal);
  call.ending = send(call, { order, grant, work, outlet })
    .catch((error: unknown) => call.host.options.logger.error({ requestId: call.requestId, error }, "a stream failed"))
    .finally(() => {
      work.stop();
      outlet.end();
    });
  call.host.underWay.add(call.ending);
  void call.ending.finally(() => call.host.underWay.delete(call.ending as Promise<void>));
  return head(call, { order, grant, paid, body: outlet.body });
}

/** The headers, which leave before the usage is known. */
function head(
  call: Call,
  { order, grant, paid, body }: { order: Order; grant: Grant; paid: Paid | undefined; body: Outlet["body"] },
): Response {
  const { slug } = call.host.brand;
  const headers = {
    "x-request-id": call.requestId,
    ...(paid && paidHeaders(call, paid)),
    [serviceHeader(slug, "Endpoint")]: order.capability.id,
    [serviceHeader(slug, "Caller")]: grant.caller,
    "content-type": EVENTS_TYPE,
    // Keeps nginx from collecting the events.
    "x-accel-buffering": "no",
  };
  return toResponse({ status: 200, headers, common: sharedHeaders(call), body: body as never });
}

type Step = IteratorResult<unknown, unknown>;

/** The work of a stream. Until it begins to leave, the caller's leaving ends it. */
interface Work {
  readonly ctx: CallContext;
  /** Runs until the first chunk. */
  begin(): Promise<void>;
  /** The first chunk, and then one after the other. */
  next(): Promise<Step>;
  stop(): void;
}

function openWork(call: Call, { order, grant, prepared }: Omit<StreamSale, "giveBack">): Work {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const spentMs = prepared?.tookMs ?? 0;
  const ctx = contextOf(call, { order, grant, spentMs, own: stopped.signal, readerMs: READER_MS });
  let leftMs = order.capability.timeoutMs - spentMs;
  const { executeStream } = order.capability;
  const chunks = (executeStream as NonNullable<typeof executeStream>)(order, ctx, prepared?.result);
  let first: Promise<Step> | undefined;
  /** The next chunk, within the time limit of the work. The reader's time is limited by itself, or a slow one would break work off. */
  async function make(): Promise<Step> {
    const since = performance.now();
    const timer = setTimeout(() => stopped.abort(timeUp()), leftMs);
    timer.unref();
    try {
      return await chunks.next();
    } finally {
      clearTimeout(timer);
      leftMs -= performance.now() - since;
    }
  }
  return {
    ctx,
    async begin() {
      const { signal } = call.request;
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      first = make();
      await first.finally(() => signal.removeEventListener("abort", stop));
    },
    next() {
      const step = first ?? make();
      first = undefined;
      return step;
    },
    stop() {
      stop();
      ctx.end();
      chunks.return(undefined).catch(() => {});
    },
  };
}

/** How far a stream came. */
interface Sent {
  /** The events that left, and their size. */
  events: string;
  bytes: number;
  /** Cost of these events by the meter; undefined if nothing was reported. */
  cost: Micros | undefined;
  /** The result of a stream that came to its end. */
  end?: { result: unknown };
  /** Why it broke off. */
  broken?: CapabilityError;
}

interface Sending {
  order: Order;
  grant: Grant;
  work: Work;
  outlet: Outlet;
}

async function send(call: Call, sending: Sending): Promise<void> {
  const { order, grant, work, outlet } = sending;
  const sent = await sendChunks(call, sending);
  const bill = billOf(call, order, work.ctx, sent);
  const isReturned = grant.prepay !== undefined && sent.broken !== undefined && bill.charge === 0n;
  const closing = sent.broken ? errorEvent(call, sent.broken, isReturned) : END;
  const end = { bill, sent, events: sent.events + closing };
  // The settlement does not wait for the reader, who could let the payment expire meanwhile.
  const closed = outlet.send(closing);
  try {
    const last = await settle(call, sending, end);
    await closed;
    await outlet.send(last);
  } catch (thrown) {
    const isRefused = thrown instanceof PaymentRefused;
    const error = isRefused ? new CapabilityError("PAYMENT_REQUIRED", thrown.message) : toCapabilityError(thrown);
    noteFailure(call, error);
    await closed;
    await outlet.send(errorEvent(call, error));
  }
}

/** Ends the chunks, for readers of OpenAI's API too. */
const END = "data: [DONE]\n\n";

/** The reader left before the end: it pays for what it got, and did not fail. */
const LEFT = new CapabilityError("UPSTREAM_ERROR", "The reader of the stream left before its end.");

async function sendChunks(call: Call, { order, grant, work, outlet }: Sending): Promise<Sent> {
  const sent: Sent = { events: "", bytes: 0, cost: undefined };
  const byUsage = isByUsage(call, order);
  /** For a reader that has left, work goes on only where its price is due anyhow: the same payment fetches the answer. */
  const mayStop = () => outlet.gone.aborted && (grant.caller !== "paid" || (byUsage && sent.cost !== undefined));
  const stopIfLeft = () => {
    if (mayStop()) work.stop();
  };
  outlet.gone.addEventListener("abort", stopIfLeft);
  try {
    for (let step = await work.next(); ; step = await work.next()) {
      if (step.done) return { ...sent, end: { result: step.value } };
      const next = withEvent(call, order, { sent, chunk: step.value, used: work.ctx.meter.used });
      if (!(await outlet.send(next.event)) && mayStop()) throw LEFT;
      Object.assign(sent, next.sent);
    }
  } catch (error) {
    return { ...sent, broken: mayStop() ? LEFT : toCapabilityError(error) };
  } finally {
    outlet.gone.removeEventListener("abort", stopIfLeft);
  }
}

const isByUsage = ({ host }: Call, { capability }: Order): boolean =>
  host.payments.charges && capability.billing === "upto" && !host.pricing.isFixed(capability);

/** The event of a chunk, and how far the stream came with it. Throws if it is beyond what was paid for, or too long. */
function withEvent(
  call: Call,
  order: Order,
  { sent, chunk, used }: { sent: Sent; chunk: unknown; used: Micros | undefined },
): { event: string; sent: Sent } {
  const cost = used === undefined ? undefined : call.host.pricing.withMarkup(used, order.capability);
  if (cost !== undefined && cost > order.amount && isByUsage(call, order)) throw CEILING;
  const data: string | undefined = JSON.stringify(chunk);
  if (data === undefined) throw new TypeError(`${order.capability.id} yields a chunk that is not JSON.`);
  const event = `data: ${data}\n\n`;
  const bytes = sent.bytes + Buffer.byteLength(event);
  const most = maxResponseBytesOf(call);
  if (bytes > most) throw tooLong(most);
  return { event, sent: { events: sent.events + event, bytes, cost } };
}

/** Charges what was sent, or gives everything back if that is nothing. Resolves to the last event. */
async function settle(
  call: Call,
  { order, grant, work: { ctx } }: Sending,
  { bill, sent: { broken }, events }: { bill: Bill; sent: Sent; events: string },
): Promise<string> {
  const meta = metaOf(call, { order, grant, bill, ctx });
  const outcome: Outcome = { kind: "legacy", contentType: EVENTS_TYPE, headers: {}, body: events, meta };
  const charge = () => grant.settle(() => writeOutcome(outcome), bill);
  if (!broken) return lastEvent(call, meta, await withSignedReceipt(call, outcome, await call.step("settle", charge)));

  // A trial whose reader left, or had all that its sum buys, is used up; what broke without a charge is given back.
  const isUsed = grant.caller === "paid" ? bill.charge > 0n : broken === LEFT || broken === CEILING;
  const paid = await call.step("settle", isUsed ? charge : () => grant.release(broken));
  if (broken !== LEFT) noteFailure(call, broken);
  const last = lastEvent(call, meta, paid);
  if (!isUsed) call.event.outcome = "failed";
  return last;
}

/** A whole stream costs what any call does, and a broken one what its chunks cost that were sent. */
function billOf(call: Call, { capability, input, amount }: Order, { meter }: CallContext, sent: Sent): Bill {
  const { end, broken, cost = 0n } = sent;
  if (end) return billFor({ capability, input, result: end.result, meter }, amount, call.host.pricing);
  const charge = least(cost, amount);
  const isFailure = broken !== LEFT && !broken?.excused;
  return {
    ...{ authorized: amount, charge, estimated: false, excess: 0n },
    ...(isFailure ? { lost: amount - charge } : {}),
  };
}

/** A problem document, with the member by which clients of OpenAI's API know an error. */
function errorEvent(call: Call, error: CapabilityError, isReturned = false): string {
  const problem = problemOf(call, error);
  if (isReturned) problem.detail += " Your payment for this call is being refunded.";
  const { detail: message, code } = problem;
  return `event: error\ndata: ${JSON.stringify({ ...problem, error: { message, code, type: code } })}\n\n`;
}

const CEILING = new CapabilityError(
  "SPENDING_LIMIT",
  "The stream reached the sum that was paid for, and ends here. What follows is sold by another call.",
  { excused: true },
);

const tooLong = (bytes: number) =>
  new CapabilityError(
    "OVERLOADED",
    `The stream is longer than the ${bytes} bytes that this service keeps of an answer.`,
  );
