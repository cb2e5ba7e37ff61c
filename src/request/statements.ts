/** Signed offers in the 402 and a signed receipt with the result, if the host has a key. */

import type { AnyCapability } from "../capability/types.js";
import { decodeHeader, encodeHeader } from "../payment/x402/wire.js";
import { OFFER_RECEIPT, type Received, signOffers, signReceipt } from "../signing/offers.js";
import type { Signer } from "../signing/signer.js";
import type { Call } from "./call.js";
import { type AnyResponse, toResponse } from "./exchange.js";
import { encodeRequired, type PaymentRequired } from "./payment-required.js";
import { resourceUrl } from "./quote.js";

const statement = (name: "offers" | "receipt", value: unknown) => ({
  [OFFER_RECEIPT]: { info: { [name]: value }, schema: { type: "object", required: [name] } },
});

/** Signs the offers or the receipt of an answer. Other answers are unchanged. */
export async function withStatements(call: Call, answer: AnyResponse): Promise<AnyResponse> {
  const { signer, byId } = call.host;
  const capability = byId.get(call.event.id ?? "");
  if (!signer || !capability) return answer;
  const response = toResponse(answer);
  const now = Math.floor(call.host.now() / 1000);
  if (response.status === 402) return offering(call, { capability, signer, now }, response);
  const receipt = response.headers.get("payment-response");
  if (response.ok && receipt !== null)
    response.headers.set("payment-response", await confirming(call, signer, receipt, now));
  return response;
}

interface Offering {
  capability: AnyCapability;
  signer: Signer;
  now: number;
}

async function offering(call: Call, { capability, signer, now }: Offering, response: Response): Promise<Response> {
  const header = response.headers.get("payment-required");
  if (header === null) return response;
  const required = decodeHeader<PaymentRequired>(header);
  const offers = statement("offers", await signOffers(signer, resourceUrl(call), required.accepts, now));
  const extensions = { ...required.extensions, ...offers };
  const headers = new Headers(response.headers);
  headers.set("payment-required", encodeRequired(capability, { ...required, extensions }));
  const text = call.request.method === "HEAD" ? null : withOffers(await response.text(), offers);
  return new Response(text, { status: 402, headers });
}

/** Bodies of version 1 have no extensions. */
function withOffers(body: string, offers: Record<string, unknown>): string {
  const envelope = JSON.parse(body) as { x402Version: number; extensions?: object };
  if (envelope.x402Version !== 2) return body;
  return JSON.stringify({ ...envelope, extensions: { ...envelope.extensions, ...offers } });
}

async function confirming(call: Call, signer: Signer, header: string, now: number): Promise<string> {
  const receipt = decodeHeader<Received & { success: boolean; extensions?: object }>(header);
  if (!receipt.success || !receipt.payer) return header;
  const signed = await signReceipt(signer, resourceUrl(call), receipt, now);
  return encodeHeader({ ...receipt, extensions: { ...receipt.extensions, ...statement("receipt", signed) } });
}
