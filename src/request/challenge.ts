/** The 402: what a call costs and how to pay, from configuration alone, without asking anybody. */
import { LRUCache } from "lru-cache";
import type { AnyCapability } from "../capability.js";
import { bazaar } from "../documents/bazaar.js";
import { gasSponsoring, SPONSORING } from "../documents/gas-sponsoring.js";
import type { Host, Till } from "../host.js";
import type { Micros } from "../payment/money.js";
import { fromMicros } from "../payment/money.js";
import type { PaymentRefused } from "../payment/refusal.js";
import { encodeHeader, receiptHeaders, type Terms, version1Body } from "../payment/wire.js";
import type { Call } from "./call.js";
import { baseHeaders, serviceHeader } from "./headers.js";
import { type Offers, termsFor } from "./terms.js";

const PAYMENT_REQUIRED = "Payment required";

interface Quote {
  resource: { url: string; description: string; mimeType: string };
  /** The body's; the header may hold more. */
  accepts: Terms[];
  /** Rendered for the usual case: no payment came, none was refused. */
  header: string;
  body: string;
}

const quotes = new WeakMap<Host, LRUCache<string, Quote>>();

/** Quotes of the same endpoint and terms are alike, and most requests ask for nothing else. */
function quoteFor(call: Call, till: Till, capability: AnyCapability, amount: Micros): Quote {
  const { host, url } = call;
  let known = quotes.get(host);
  if (!known) {
    known = new LRUCache({ max: 1000 });
    quotes.set(host, known);
  }
  const address = (host.brand.baseUrl ?? url.origin) + url.pathname;
  const offers = termsFor(host, till, { capability, amount });
  const sponsored = till.supported?.extendsBy(SPONSORING) ?? false;
  const uptoFirst = offers.upto.length > 0 && asksForUpto(call);
  // What is accepted may change with what the facilitator offers.
  const key = `${capability.id} ${address} ${JSON.stringify([offers, sponsored, uptoFirst])}`;
  let quote = known.get(key);
  if (!quote) {
    quote = renderQuote(capability, { ...offers, sponsored, uptoFirst }, address);
    known.set(key, quote);
  }
  return quote;
}

/** Most buyers take the first offer that they can pay; one that would rather pay by use asks for it. */
function asksForUpto({ host, request }: Call): boolean {
  return request.headers.get(serviceHeader(host.brand.slug, "Accept-Scheme")) === "upto";
}

interface QuotedOffers extends Offers {
  /** Whether the facilitator pays the gas of a first allowance. */
  sponsored: boolean;
  uptoFirst: boolean;
}

function renderQuote(capability: AnyCapability, offers: QuotedOffers, address: string): Quote {
  const { exact: accepts, upto, sponsored, uptoFirst } = offers;
  const mimeType = capability.contentTypes[0] ?? "application/json";
  const resource = { url: address, description: capability.summary, mimeType };
  const header = {
    x402Version: 2,
    error: PAYMENT_REQUIRED,
    resource,
    accepts: uptoFirst ? [...upto, ...accepts] : [...accepts, ...upto],
    extensions: { ...bazaar(capability, "compact"), ...(sponsored && upto.length > 0 ? gasSponsoring : {}) },
  };
  return {
    resource,
    accepts,
    header: encodeHeader(header),
    body: envelope(PAYMENT_REQUIRED, capability, resource, accepts),
  };
}

/** The specification's body: `resource` is a string here and an object in the header. */
function envelope(
  error: string,
  capability: AnyCapability,
  resource: Quote["resource"],
  accepts: Terms[],
  code?: string,
): string {
  const extensions = { ...bazaar(capability, "full"), ...(code ? { code } : {}) };
  return JSON.stringify({ x402Version: 2, error, resource: resource.url, accepts, extensions });
}

/** The 402 answer to a call that brought nothing valid to pay with; `refused` says what was wrong with it. */
export function challenge(
  call: Call,
  till: Till,
  { capability, amount, refused }: { capability: AnyCapability; amount: Micros; refused?: PaymentRefused | undefined },
): Response {
  const { resource, accepts, header, body } = quoteFor(call, till, capability, amount);
  call.event.quotedUsd = fromMicros(amount);
  call.event.outcome = refused ? "refused" : "challenged";
  if (refused) call.event.code = refused.code;

  const headers: Record<string, string> = {
    ...baseHeaders(call),
    "content-type": "application/json",
    "payment-required": header,
  };
  const error = refused?.message ?? PAYMENT_REQUIRED;
  const { retryAfter, receipt } = refused?.options ?? {};
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  if (receipt) Object.assign(headers, receiptHeaders(receipt, 2));
  const text = wantsVersion1(call, till)
    ? JSON.stringify(version1Body(error, resource, accepts))
    : refused
      ? envelope(error, capability, resource, accepts, refused.code)
      : body;
  return new Response(call.request.method === "HEAD" ? null : text, { status: 402, headers });
}

/** Version-1 clients read only the body, in their own shape; they ask for it, or the host makes it the default. */
function wantsVersion1({ request, url }: Call, till: Till): boolean {
  const asked =
    request.headers.get("x-402-version") ?? (url.search === "" ? null : url.searchParams.get("x402Version"));
  return asked === null ? till.v1Body : asked === "1";
}
