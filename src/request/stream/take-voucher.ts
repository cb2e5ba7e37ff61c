/** The next voucher of a stream under way, sent beside it to the same endpoint. Nothing runs, and no input is read. */
import type { AnyCapability } from "../../capability/types.js";
import { fromMicros } from "../../lib/money.js";
import { PaymentRefused } from "../../payment/x402/refusal.js";
import type { PaymentPayload } from "../../payment/x402/wire.js";
import type { Call } from "../call.js";
import { challenge } from "../challenge.js";
import { baseHeaders } from "../headers.js";
import type { PlainResponse } from "../http/exchange.js";

/** Names a stream that is paid in parts: in its answer, and in the requests with its further vouchers. */
export const STREAM_HEADER = "Payment-Stream";

/** The answer to a request with a voucher for a stream. A refused voucher changes nothing. */
export async function takeVoucher(
  call: Call,
  capability: AnyCapability,
  { payment, stream }: { payment: PaymentPayload; stream: string },
): Promise<PlainResponse> {
  const { payments, pricing } = call.host;
  try {
    const paid = await payments.takeVoucher(payment, stream);
    call.event.outcome = "free";
    const body = JSON.stringify({ message: "Voucher taken", stream, paidUsd: fromMicros(paid) });
    return { status: 200, headers: { ...baseHeaders(call), "content-type": "application/json" }, body };
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    return challenge(call, { capability, amount: pricing.atLeast(capability), refused: error });
  }
}
