/** Quotes, rendered once and kept: the 402 is the most frequent answer of all. */
import { LRUCache } from "lru-cache";
import type { AnyCapability } from "../capability/types.js";
import { bazaar } from "../discovery/bazaar.js";
import type { Host } from "../host/host.js";
import type { Micros } from "../lib/money.js";
import { gasSponsoring, SPONSORING } from "../payment/x402/gas-sponsoring.js";
import { encodeHeader, type PaymentRequirements } from "../payment/x402/wire.js";
import type { Call } from "./call.js";
import { baseHeaders, serviceHeader } from "./headers.js";

export const PAYMENT_REQUIRED = "Payment required";

/** What a call costs and how to pay, rendered for the usual case: no payment came, none was refused. */
export interface Quote {
  resource: { url: string; description: string; mimeType: string };
  /** The body's; the header may hold more. */
  accepts: PaymentRequirements[];
  /** All but the request's own id. As Headers, so that they are checked once and not in every answer. */
  headers: Headers;
  body: string;
}

const quotes = new WeakMap<Host, LRUCache<string, Quote>>();

/** Quotes of the same endpoint and amount are alike, and most requests ask for nothing else. */
export function quoteFor(call: Call, capability: AnyCapability, amount: Micros): Quote {
  const { host, url } = call;
  let known = quotes.get(host);
  if (!known) {
    known = new LRUCache({ max: 1000 });
    quotes.set(host, known);
  }
  const address = (host.brand.baseUrl ?? url.origin) + url.pathname;
  // What is accepted may change with what the facilitator supports.
  const key = `${amount} ${address} ${host.till.revision} ${asksForUpto(call)}`;
  let quote = known.get(key);
  if (!quote) {
    quote = renderQuote(call, { capability, amount, address });
    known.set(key, quote);
  }
  return quote;
}

/** Most buyers take the first offer that they can pay; one that would rather pay by use asks for it. */
function asksForUpto({ host, request }: Call): boolean {
  return request.headers.get(serviceHeader(host.brand.slug, "Accept-Scheme")) === "upto";
}

function renderQuote(
  call: Call,
  { capability, amount, address }: { capability: AnyCapability; amount: Micros; address: string },
): Quote {
  const { till } = call.host;
  const { exact: accepts, upto } = till.requirementsFor({ capability, amount });
  const sponsored = upto.length > 0 && till.extendsBy(SPONSORING);
  const mimeType = capability.contentTypes[0] ?? "application/json";
  const resource = { url: address, description: capability.summary, mimeType };
  const header = {
    x402Version: 2,
    error: PAYMENT_REQUIRED,
    resource,
    accepts: asksForUpto(call) ? [...upto, ...accepts] : [...accepts, ...upto],
    extensions: { ...bazaar(capability, "compact"), ...(sponsored ? gasSponsoring : {}) },
  };
  const { "x-request-id": _, ...shared } = baseHeaders(call);
  const headers = { ...shared, "content-type": "application/json", "payment-required": encodeHeader(header) };
  const body = envelope(PAYMENT_REQUIRED, capability, { resource, accepts });
  return { resource, accepts, headers: new Headers(headers), body };
}

/** The specification's body: `resource` is a string here and an object in the header. */
export function envelope(
  error: string,
  capability: AnyCapability,
  { resource, accepts, code }: Pick<Quote, "resource" | "accepts"> & { code?: string },
): string {
  const extensions = { ...bazaar(capability, "full"), ...(code ? { code } : {}) };
  return JSON.stringify({ x402Version: 2, error, resource: resource.url, accepts, extensions });
}
