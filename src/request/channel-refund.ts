/**
 * A buyer withdraws the rest of its deposit at any paid endpoint. Nothing runs, so the endpoint's configuration does
 * not matter.
 */
import type { AnyCapability } from "../capability/types.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { type PaymentPayload, receiptHeaders } from "../payment/x402/wire.js";
import type { Call } from "./call.js";
import { challenge } from "./challenge.js";
import { baseHeaders } from "./headers.js";
import type { PlainResponse } from "./http/exchange.js";
import { accountBeside } from "./sign-in.js";
import { signedReceipt } from "./statements.js";

export async function refundChannel(
  call: Call,
  capability: AnyCapability,
  payment: PaymentPayload,
): Promise<PlainResponse> {
  const { payments, pricing } = call.host;
  try {
    const { receipt, channelId } = await payments.refund(payment, {
      endpoint: capability.id,
      signedIn: () => accountBeside(call),
    });
    call.event.outcome = "free";
    const headers = {
      ...baseHeaders(call),
      ...receiptHeaders(await signedReceipt(call, receipt), 2),
      "content-type": "application/json",
    };
    const body = JSON.stringify({ message: "Refund acknowledged", channelId });
    return { status: 200, headers, body };
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    return challenge(call, { capability, amount: pricing.atLeast(capability), refused: error });
  }
}
