/**
 * Sells a stream. It waits for the first chunk, settles a payment that is settled first, and sends each chunk as its
 * reader wants it. What was sent is what is charged: of a stream that breaks off, whoever broke it off, the part that
 * left. The events are saved like any result, so that the same payment gets them again.
 */
import type { Grant, Order, Paid } from "../../payment/order/order.js";
import type { Call } from "../call.js";
import { serviceHeader, sharedHeaders } from "../headers.js";
import { toResponse } from "../http/exchange.js";
import { EVENTS_TYPE, paidHeaders } from "../respond.js";
import { openPlace } from "./bound.js";
import { createOutlet, type Outlet } from "./outlet.js";
import { send } from "./send.js";
import { STREAM_HEADER } from "./take-voucher.js";
import { openWork, type StreamOrder } from "./work.js";

export interface StreamSale extends StreamOrder {
  /** Ends a call that failed before anything was sent. */
  giveBack(error: unknown): Promise<never>;
}

/** Rejects as a call that is answered at once does, until the first chunk is there and what is settled first is settled. */
export async function sellStream(call: Call, { order, grant, prepared, giveBack }: StreamSale): Promise<Response> {
  const work = openWork(call, { order, grant, prepared });
  let paid: Paid | undefined;
  let leave = () => {};
  try {
    leave = await openPlace(call).catch(giveBack);
    await call.step("run", work.begin).catch(giveBack);
    if (grant.prepay) paid = await call.step("settle", grant.prepay);
  } catch (error) {
    work.stop();
    leave();
    throw error;
  }
  const outlet = createOutlet(call.request.signal);
  call.ending = send(call, { order, grant, work, outlet })
    .catch((error: unknown) => call.host.options.logger.error({ requestId: call.requestId, error }, "a stream failed"))
    .finally(() => {
      work.stop();
      leave();
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
    ...(grant.parts ? { [STREAM_HEADER]: grant.parts.id } : {}),
    [serviceHeader(slug, "Endpoint")]: order.capability.id,
    [serviceHeader(slug, "Caller")]: grant.caller,
    "content-type": EVENTS_TYPE,
    // Keeps nginx from collecting the events.
    "x-accel-buffering": "no",
  };
  return toResponse({ status: 200, headers, common: sharedHeaders(call), body: body as never });
}
