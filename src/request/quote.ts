/** Quotes, rendered once and kept: the 402 is the most frequent answer of all. */
import type { AnyCapability } from "../capability/types.js";
import { extensionsOf, resourceOf } from "../discovery/listing.js";
import type { Host } from "../host/host.js";
import { keepNewest } from "../lib/bounded.js";
import type { Micros } from "../lib/money.js";
import { gasSponsoring, SPONSORING } from "../payment/x402/gas-sponsoring.js";
import { newRetryKey, withRetryKey } from "../payment/x402/retry-key.js";
import { type PaymentRequirements, toBase64 } from "../payment/x402/wire.js";
import { type Call, publicOrigin } from "./call.js";
import { type CommonHeaders, commonHeaders } from "./exchange.js";
import { serviceHeader, sharedHeaders } from "./headers.js";
import { signInLength } from "./sign-in.js";

export const PAYMENT_REQUIRED = "Payment required";

/** What a call costs and how to pay, for the usual case: no payment came, none was refused. */
export interface Quote {
  /** The address that is paid for. */
  url: string;
  /** The body's, without the key; the header may hold more. */
  accepts: PaymentRequirements[];
  /** In every offer of this one quote; see retry-key.ts. */
  retryKey: string;
  /** The PAYMENT-REQUIRED header. */
  header: string;
  body: string;
  /** All other headers but what belongs to this request. */
  common: CommonHeaders;
}

/** What the quotes of one endpoint and amount have in common: all but the address and the retry key. */
interface Template extends Pick<Quote, "common"> {
  accepts: PaymentRequirements[];
  /** In base64, part by part: a quote encodes only what goes into the gaps. */
  header: Text;
  body: Text;
}
/** JSON with gaps: one for the address, behind `before`, and one for the retry key between all other parts. */
interface Text {
  before: string;
  rest: string[];
}

/** More than any host has endpoints; of prices that depend on the input, the oldest go. */
const MAX_TEMPLATES = 1000;
const templates = new WeakMap<Host, Map<string, Template>>();

/** Longer headers are cut off or refused by what stands between us and the buyer, who sends it all back besides. */
export const MAX_HEADER_BYTES = 4096;
/** A longer query would leave too little room for everything else. */
const MAX_QUERY_LENGTH = 256;

/** The address as the caller wrote it. */
const baseUrl = (call: Call): string => publicOrigin(call) + call.url.pathname;

/** The address that is paid for: with its query, where that fits into a header. */
export function resourceUrl(call: Call): string {
  const { search } = call.url;
  return search.length <= MAX_QUERY_LENGTH ? baseUrl(call) + search : baseUrl(call);
}

/** What a call costs here; most requests ask for nothing else. */
export function quoteFor(call: Call, capability: AnyCapability, amount: Micros): Quote {
  const { host } = call;
  let known = templates.get(host);
  if (!known) {
    known = new Map();
    templates.set(host, known);
  }
  // What is accepted may change with what the facilitator supports.
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

/** With blanks after it, which mean nothing between the parts of JSON, so that its base64 needs no padding. */
const padded = (json: string): string => json + " ".repeat((3 - (Buffer.byteLength(json) % 3)) % 3);

const inBase64 = ({ before, rest }: Text): Text => ({
  before: toBase64(padded(before)),
  rest: rest.map((part) => toBase64(padded(part))),
});

/** Most buyers take the first offer that they can pay; one that would rather pay by use, or by channel, asks for it. */
function schemeAskedFor({ host, request }: Call): "exact" | "upto" | "batch-settlement" {
  const asked = request.headers.get(serviceHeader(host.brand.slug, "Accept-Scheme"));
  return asked === "upto" || asked === "batch-settlement" ? asked : "exact";
}

/** Stand for the address and the retry key until these are known; this key is as long as every other. */
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
  const header = (extensions: Record<string, unknown>) =>
    JSON.stringify({
      x402Version: 2,
      error: PAYMENT_REQUIRED,
      resource,
      accepts: offers,
      extensions: { ...extensions, ...(sponsored ? gasSponsoring : {}) },
    });
  const added = baseUrl(call).length + MAX_QUERY_LENGTH + signInLength(call, capability);
  const encoded = (some: Record<string, unknown>) => inBase64(textOf(header(some)));
  const fits = (some: Record<string, unknown>) =>
    fill(encoded(some), "", GAP).length + added * (4 / 3) <= MAX_HEADER_BYTES;
  const extensions = extensionsOf(capability, fits);
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

/** The specification's body: `resource` is a string here and an object in the header. */
export function envelope(
  error: string,
  capability: AnyCapability,
  { url, accepts, retryKey, code }: Pick<Quote, "url" | "accepts" | "retryKey"> & { code?: string },
): string {
  const extensions = { ...extensionsOf(capability, () => true), ...(code ? { code } : {}) };
  const offers = withRetryKey(accepts, retryKey);
  return JSON.stringify({ x402Version: 2, error, resource: url, accepts: offers, extensions });
}
