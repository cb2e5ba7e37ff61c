/** Sends the chunks of a stream, charges what was sent, and ends with an event that tells what it cost. */
import { NamedEvent } from "../../capability/named-event.js";
import { CapabilityError, toCapabilityError } from "../../errors.js";
import { least, type Micros } from "../../lib/money.js";
import { isCharged, type Order } from "../../payment/order/order.js";
import { billFor } from "../../payment/pricing/usage.js";
import { PaymentRefused } from "../../payment/x402/refusal.js";
import type { Call } from "../call.js";
import { noteFailure } from "../problem.js";
import { DONE } from "../respond.js";
import { maxResponseBytesOf } from "../run.js";
import { CEILING, errorData, errorEvent, LEFT, tooLong } from "./endings.js";
import { createMoney, type StreamMoney } from "./money.js";
import { billOf, type Sending, type Sent, settle } from "./settle.js";

export async function send(call: Call, sending: Sending): Promise<void> {
  const { grant, outlet } = sending;
  const money = createMoney(call, sending);
  const sent = await sendChunks(call, sending, money);
  await money.saved();
  const bill = billOf(sending, sent);
  const isReturned = grant.prepay !== undefined && sent.broken !== undefined && bill.charge === 0n;
  const { closing, last: lastOfAll } = endOf(call, sending, sent, isReturned);
  // The settlement does not wait for the reader, who could let the payment expire meanwhile.
  // guard: the settlement of a stream waits for no reader | outlet -> await outlet | handler/stream
  const closed = closing === "" ? Promise.resolve(true) : outlet.send(closing);
  try {
    const last = await settle(call, sending, { bill, sent, events: sent.events + closing, last: lastOfAll });
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

/** The text that is sent before the money is settled, and the last event, where it tells the facts. */
function endOf(call: Call, { order }: Sending, { broken, last }: Sent, isReturned: boolean) {
  if (!order.capability.factsIn) return { closing: broken ? errorEvent(call, broken, isReturned) : DONE };
  if (broken) return { closing: "", last: { event: "error" as const, data: errorData(call, broken, isReturned) } };
  return { closing: "", last: { data: JSON.stringify(last ?? {}) } };
}

/** Whether a chunk is the last, which gets the facts of the call in its member `usage`. */
const takesFacts = ({ capability }: Order, chunk: unknown): chunk is { usage: object } =>
  capability.factsIn === "usage" &&
  typeof (chunk as { usage?: unknown } | null)?.usage === "object" &&
  (chunk as { usage?: unknown }).usage !== null;

async function sendChunks(call: Call, sending: Sending, money: StreamMoney): Promise<Sent> {
  const { order, grant, work, outlet } = sending;
  const sent: Sent = { events: "", bytes: 0, cost: undefined };
  const byUsage = isByUsage(call, order);
  /** For a reader that has left, work goes on only where its price is due anyhow: the same payment fetches the answer. */
  const mayStop = () =>
    outlet.gone.aborted && (!isCharged(grant) || grant.parts !== undefined || (byUsage && sent.cost !== undefined));
  const stopIfLeft = () => {
    if (mayStop()) work.stop();
  };
  outlet.gone.addEventListener("abort", stopIfLeft);
  try {
    for (let step = await work.next(); ; step = await work.next()) {
      if (step.done) return await whole(sending, { money, sent, result: step.value });
      if (takesFacts(order, step.value)) {
        sent.last = step.value;
        continue;
      }
      const next = withEvent(call, order, { sent, chunk: step.value, used: work.ctx.meter.used });
      await money.cover(sent, next.sent.cost);
      if (!(await outlet.send(next.event)) && mayStop()) throw LEFT;
      Object.assign(sent, next.sent);
      money.sent(sent.cost);
    }
  } catch (error) {
    // Before it is billed, so that nothing is made for nobody.
    work.stop();
    return { ...sent, broken: mayStop() ? LEFT : toCapabilityError(error) };
  } finally {
    outlet.gone.removeEventListener("abort", stopIfLeft);
  }
}

/** A stream that came to its end, where the usage may be more than was reported on the way. */
async function whole(
  { order: { capability, input, amount, byUsage, prices }, grant, work }: Sending,
  { money, sent, result }: { money: StreamMoney; sent: Sent; result: unknown },
): Promise<Sent> {
  if (grant.parts) {
    const { charge } = billFor({ capability, input, result, meter: work.ctx.meter, byUsage }, amount, prices);
    sent.cost = least(charge, grant.parts.covered);
    await money.cover(sent, charge);
  }
  return { ...sent, end: { result } };
}

const isByUsage = ({ host }: Call, { byUsage }: Order): boolean => host.payments.charges && byUsage;

function dataEvent({ capability }: Order, chunk: unknown): string {
  const data: string | undefined = JSON.stringify(chunk);
  if (data === undefined) throw new TypeError(`${capability.id} yields a chunk that is not JSON.`);
  return `data: ${data}\n\n`;
}

/** The event of a chunk, and how far the stream came with it. Throws if it is beyond what was paid for, or too long. */
function withEvent(
  call: Call,
  order: Order,
  { sent, chunk, used }: { sent: Sent; chunk: unknown; used: Micros | undefined },
): { event: string; sent: Sent } {
  const cost = used === undefined ? undefined : order.prices.withMarkup(used, order.capability);
  // guard: a stream ends at the sum that was paid for | cost > -> cost > 2n * | handler/stream
  if (cost !== undefined && cost > order.amount && isByUsage(call, order)) throw CEILING;
  const event = chunk instanceof NamedEvent ? NamedEvent.textOf(chunk) : dataEvent(order, chunk);
  const bytes = sent.bytes + Buffer.byteLength(event);
  const most = maxResponseBytesOf(call);
  if (bytes > most) throw tooLong(most);
  return { event, sent: { events: sent.events + event, bytes, cost } };
}
