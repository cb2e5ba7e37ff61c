/** Quotes, rendered once and cached, because the 402 is the most frequent answer. */
import type { AnyCapability } from "../capability/types.js";
import { resourceOf, wholeExtensions } from "../discovery/listing.js";
import type { Host } from "../host/host.js";
import { keepNewest } from "../lib/bounded.js";
import type { Micros } from "../lib/money.js";
import { gasSponsoring, SPONSORING } from "../payment/x402/gas-sponsoring.js";
import { paymentIdentifier } from "../payment/x402/payment-identifier.js";
import { newRetryKey, withRetryKey } from "../payment/x402/retry-key.js";
import { type PaymentRequirements, toBase64 } from "../payment/x402/wire.js";
import { type Call, publicOrigin } from "./call.js";
import { type CommonHeaders, commonHeaders } from "./exchange.js";
import { serviceHeader, sharedHeaders } from "./headers.js";
import { fittingExtensions, type PaymentRequired } from "./payment-required.js";
import { signInLength } from "./sign-in.js";

export const PAYMENT_REQUIRED = "Payment required";

/** Price and ways to pay, for a call without a payment. */
export interface Quote {
  /** The address that is paid for. */
  url: string;
  /** The offers in the body, without the retry key; the header may contain more. */
  accepts: PaymentRequirements[];
  /** The retry key in every offer of this quote; see retry-key.ts. */
  retryKey: string;
  /** The PAYMENT-REQUIRED header. */
  header: string;
  body: string;
  /** All other headers except those of this request. */
  common: CommonHeaders;
}

/** The part that all quotes of one endpoint and amount share: everything but the address and the retry key. */
interface Template extends Pick<Quote, "common"> {
  accepts: PaymentRequirements[];
  /** Encoded in base64 part by part, so that a quote encodes only its gaps. */
  header: Text;
  body: Text;
}
/** JSON with gaps: the address follows `before`, and the retry key stands between all other parts. */
interface Text {
  before: string;
  rest: string[];
}

/** More than any host has endpoints. For prices that depend on the input, the oldest templates are dropped. */
const MAX_TEMPLATES = 1000;
const templates = new WeakMap<Host, Map<string, Template>>();

/** A longer query would leave too little room for the rest of the header. */
const MAX_QUERY_LENGTH = 256;

/** The address as the caller wrote it. */
const baseUrl = (call: Call): string => publicOrigin(call) + call.url.pathname;

/** The address that is paid for, with its query if the header has room for it. */
export function resourceUrl(call: Call): string {
  const { search } = call.url;
  return search.length <= MAX_QUERY_LENGTH ? baseUrl(call) + search : baseUrl(call);
}

/** The quote of a call, the answer to most requests. */
export function quoteFor(call: Call, capability: AnyCapability, amount: Micros): Quote {
  const { host } = call;
  let known = templates.get(host);
  if (!known) {
    known = new Map();
    templates.set(host, known);
  }
  // The accepted payments may change with the facilitator's supported kinds.
  const key = `${amount} ${baseUrl(call)} ${host.payments.revision} ${schemeAskedFor(call)}`;
  let template = known.get(key);
  if (!template) {
    template = renderTemplate(call, capability, amount);
    keepNewest(known, key, template, MAX_TEMPLATES);
  }
  const { accepts, common, header, body } = template;
  const url = resourceUrl(call);
  const address = JSON.stringify(url);
  const retryKey = newRetryKey();
  const quoted = `"${retryKey}"`;
  return {
    url,
    accepts,
    retryKey,
    common,
    header: fill(header, toBase64(padded(address)), toBase64(padded(quoted))),
    body: fill(body, address, quoted),
  };
}

const fill = ({ before, rest }: Text, address: string, key: string) => before + address + rest.join(key);

/** Adds blanks, which have no meaning between parts of JSON, so that the base64 of a part needs no padding. */
const padded = (json: string): string => json + " ".repeat((3 - (Buffer.byteLength(json) % 3)) % 3);

const inBase64 = ({ before, rest }: Text): Text => ({
  before: toBase64(padded(before)),
  rest: rest.map((part) => toBase64(padded(part))),
});

/** Most buyers take the first offer that they can pay; a buyer who prefers usage billing or a channel asks for it. */
function schemeAskedFor({ host, request }: Call): "exact" | "upto" | "batch-settlement" {
  const asked = request.headers.get(serviceHeader(host.brand.slug, "Accept-Scheme"));
  return asked === "upto" || asked === "batch-settlement" ? asked : "exact";
}

/** Placeholders for the address and the retry key; all retry keys have the same length. */
const ADDRESS = "urn:coinslot:address";
const RETRY_KEY = "urn:coinslot:retry-key";
const GAP = "-".repeat(toBase64(padded(JSON.stringify(RETRY_KEY))).length);

function renderTemplate(call: Call, capability: AnyCapability, amount: Micros): Template {
  const { host } = call;
  const { exact: accepts, upto, channel } = host.payments.requirementsFor({ capability, amount });
  const sponsored = upto.length > 0 && host.payments.extendsBy(SPONSORING);
  const resource = resourceOf(host, capability, ADDRESS);
  const asked = schemeAskedFor(call);
  const offers = [...withRetryKey([...accepts, ...upto], RETRY_KEY), ...channel].sort(
    (a, b) => Number(b.scheme === asked) - Number(a.scheme === asked),
  );
  const required = { x402Version: 2, error: PAYMENT_REQUIRED, resource, accepts: offers } as const;
  const encoded = (extensions: Record<string, unknown>) =>
    inBase64(textOf(JSON.stringify({ ...required, extensions } satisfies PaymentRequired)));
  const added = baseUrl(call).length + MAX_QUERY_LENGTH + signInLength(call, capability);
  const others = { ...paymentIdentifier, ...(sponsored ? gasSponsoring : {}) };
  const extensions = fittingExtensions(
    capability,
    others,
    (some) => fill(encoded(some), "", GAP).length + added * (4 / 3),
  );
  return {
    accepts,
    common: commonHeaders({ ...sharedHeaders(call).record, "content-type": "application/json" }),
    header: encoded(extensions),
    body: textOf(envelope(PAYMENT_REQUIRED, capability, { url: ADDRESS, accepts, retryKey: RETRY_KEY })),
  };
}

function textOf(json: string): Text {
  const [before = "", after = ""] = json.split(JSON.stringify(ADDRESS));
  return { before, rest: after.split(JSON.stringify(RETRY_KEY)) };
}

/** The body as the specification has it: `resource` is a string here and an object in the header. */
export function envelope(
  error: string,
  capability: AnyCapability,
  { url, accepts, retryKey, code }: Pick<Quote, "url" | "accepts" | "retryKey"> & { code?: string },
): string {
  const extensions = { ...wholeExtensions(capability), ...(code ? { code } : {}) };
  const offers = withRetryKey(accepts, retryKey);
  return JSON.stringify({ x402Version: 2, error, resource: url, accepts: offers, extensions });
}
