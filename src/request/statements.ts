/** Signed offers in the 402 and a signed receipt with the result, if the host has a key. */

import { decodeHeader, encodeHeader } from "../payment/x402/wire.js";
import { OFFER_RECEIPT, type Offered, type Received, signOffers, signReceipt } from "../signing/offers.js";
import type { Signer } from "../signing/signer.js";
import type { Call } from "./call.js";
import { type AnyResponse, toResponse } from "./exchange.js";
import { MAX_HEADER_BYTES, resourceUrl } from "./quote.js";

interface Required402 {
  x402Version: number;
  resource: { url: string } | string;
  accepts: Offered[];
  extensions?: Record<string, unknown>;
}

const statement = (name: "offers" | "receipt", value: unknown) => ({
  [OFFER_RECEIPT]: { info: { [name]: value }, schema: { type: "object", required: [name] } },
});

/** Signs the offers or the receipt of an answer. Other answers are unchanged. */
export async function withStatements(call: Call, answer: AnyResponse): Promise<AnyResponse> {
  const { signer } = call.host;
  if (!signer || call.event.id === undefined) return answer;
  const response = toResponse(answer);
  const now = Math.floor(call.host.now() / 1000);
  if (response.status === 402) return offering(call, signer, response, now);
  const receipt = response.headers.get("payment-response");
  if (response.ok && receipt !== null)
    response.headers.set("payment-response", await confirming(call, signer, receipt, now));
  return response;
}

async function offering(call: Call, signer: Signer, response: Response, now: number): Promise<Response> {
  const header = response.headers.get("payment-required");
  if (header === null) return response;
  const required = decodeHeader<Required402>(header);
  const offers = statement("offers", await signOffers(signer, resourceUrl(call), required.accepts, now));
  const headers = new Headers(response.headers);
  headers.set("payment-required", fitting(required, offers));
  const text = call.request.method === "HEAD" ? null : withOffers(await response.text(), offers);
  return new Response(text, { status: 402, headers });
}

/** Drops the description of the call if the header has no room for it beside the offers. OpenAPI contains it, too. */
function fitting(required: Required402, offers: Record<string, unknown>): string {
  const { bazaar: _, ...others } = required.extensions ?? {};
  const whole = encodeHeader({ ...required, extensions: { ...required.extensions, ...offers } });
  if (whole.length < MAX_HEADER_BYTES) return whole;
  const lean = encodeHeader({ ...required, extensions: { ...others, ...offers } });
  return lean.length < MAX_HEADER_BYTES ? lean : encodeHeader(required);
}

/** Bodies of version 1 have no extensions. */
function withOffers(body: string, offers: Record<string, unknown>): string {
  const envelope = JSON.parse(body) as Required402;
  if (envelope.x402Version !== 2) return body;
  return JSON.stringify({ ...envelope, extensions: { ...envelope.extensions, ...offers } });
}

async function confirming(call: Call, signer: Signer, header: string, now: number): Promise<string> {
  const receipt = decodeHeader<Received & { success: boolean; extensions?: object }>(header);
  if (!receipt.success || !receipt.payer) return header;
  const signed = await signReceipt(signer, resourceUrl(call), receipt, now);
  return encodeHeader({ ...receipt, extensions: { ...receipt.extensions, ...statement("receipt", signed) } });
}
