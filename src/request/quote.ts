/** Quotes, rendered once and cached, because the 402 is the most frequent answer. */

import type { AnyCapability } from "../capability/types.js";
import { resourceOf } from "../discovery/listing.js";
import type { Host } from "../host/host.js";
import { keepNewest } from "../lib/bounded.js";
import type { Micros } from "../lib/money.js";
import { isInstalled } from "../lib/packages/installed.js";
import { readPreference } from "../payment/mpp/accept-payment.js";
import { ownPayment } from "../payment/options/edge.js";
import { CHANNEL_SCHEME } from "../payment/rails/channel.js";
import { builderCode } from "../payment/x402/builder-code.js";
import {
  APPROVAL_SPONSORING,
  type GasSponsoring,
  gasSponsoring,
  PERMIT_SPONSORING,
} from "../payment/x402/gas-sponsoring.js";
import { paymentIdentifier } from "../payment/x402/payment-identifier.js";
import { newRetryKey, withRetryKey } from "../payment/x402/retry-key.js";
import { type PaymentRequirements, readPayment, toBase64 } from "../payment/x402/wire.js";
import { authHintsFor } from "./auth-hints.js";
import { type Call, publicOrigin } from "./call.js";
import { serviceHeader, sharedHeaders } from "./headers.js";
import { type CommonHeaders, commonHeaders } from "./http/exchange.js";
import { bodyOf, fittingExtensions, headerJson, type PaymentRequired } from "./payment-required.js";
import { signInLength } from "./sign-in.js";

export const PAYMENT_REQUIRED = "Payment required";

/** Price and ways to pay, for a call without a payment. */
export interface Quote {
  capability: AnyCapability;
  /** The address that is paid for. */
  url: string;
  /** The retry key in every offer of this quote; see retry-key.ts. */
  retryKey: string;
  template: Template;
}

/** The part that all quotes of one endpoint and amount share: everything but the address and the retry key. */
interface Template {
  /** The offers in the body, without the retry key. */
  exact: PaymentRequirements[];
  /** The offers in the header, which may be more, without the retry key. */
  accepts: PaymentRequirements[];
  /** Extensions in the header, beside `bazaar`. */
  extensions: Record<string, unknown>;
  /** All headers of the answer except those of this request. */
  common: CommonHeaders;
  /** Encoded in base64 part by part, so that a quote encodes only its gaps. */
  header: Text;
  body: Text;
  /** The parts for an address without a query. */
  usual: Addressed;
}
/** JSON with gaps: the address follows `before`, and the retry key stands between all other parts. */
interface Text {
  before: string;
  rest: string[];
}
/** Header and body for one address: the retry key stands between their parts. */
interface Addressed {
  url: string;
  header: string[];
  body: string[];
}

/** More than any host has endpoints. For prices that depend on the input, the oldest templates are dropped. */
const MAX_TEMPLATES = 1000;
const templates = new WeakMap<Host, Map<string, Template>>();

/** A longer query would leave too little room for the rest of the header. */
const MAX_QUERY_LENGTH = 256;

/** The address as the caller wrote it. */
const baseUrl = (call: Call): string => publicOrigin(call) + call.url.pathname;

/** The address that is paid for, with its query if the header has room for it. */
export const resourceUrl = (call: Call): string => withQuery(call, baseUrl(call));

function withQuery({ url: { search } }: Call, base: string): string {
  return search === "" || search.length > MAX_QUERY_LENGTH ? base : base + search;
}

/** The quote of a call, the answer to most requests. */
export function quoteFor(call: Call, capability: AnyCapability, amount: Micros): Quote {
  const { host } = call;
  let known = templates.get(host);
  if (!known) {
    known = new Map();
    templates.set(host, known);
  }
  // The accepted payments may change with a price that the host sets, and with the facilitator's supported kinds.
  const base = baseUrl(call);
  const key = `${amount} ${base} ${host.payments.revision} ${schemeAskedFor(call)} ${takesChannels(call)} ${takesEvmAlone(call)} ${host.pricing.at().byUsage(capability)}`;
  let template = known.get(key);
  if (!template) {
    template = renderTemplate(call, capability, amount);
    keepNewest(known, key, template, MAX_TEMPLATES);
  }
  return { capability, url: withQuery(call, base), retryKey: newRetryKey(), template };
}

/** Header and body of a plain quote, from the prepared template: the most frequent answer. */
export function plainly({ url, retryKey, template }: Quote): { header: string; body: string } {
  const { header, body } = url === template.usual.url ? template.usual : addressed(template, url);
  const quoted = `"${retryKey}"`;
  // `join` copies into one piece; a string that `+` puts together is slow to check character by character.
  return { header: header.join(toBase64(padded(quoted))), body: body.join(quoted) };
}

function addressed({ header, body }: Pick<Template, "header" | "body">, url: string): Addressed {
  const address = JSON.stringify(url);
  return { url, header: parts(header, toBase64(padded(address))), body: parts(body, address) };
}

/** A quote as an object, for answers with additions. */
export function requiredBy(host: Host, { capability, url, retryKey, template }: QuoteTerms): PaymentRequired {
  return {
    capability,
    url,
    resource: resourceOf(host, capability, url),
    error: PAYMENT_REQUIRED,
    accepts: keyed(template.accepts, retryKey),
    exact: withRetryKey(template.exact, retryKey),
    extensions: template.extensions,
  };
}

type QuoteTerms = Omit<Quote, "template"> & { template: Pick<Template, "accepts" | "exact" | "extensions"> };

/** Channels need no retry key, because vouchers distinguish their payments. */
const keyed = (accepts: PaymentRequirements[], retryKey: string): PaymentRequirements[] =>
  accepts.flatMap((offer) => (offer.scheme === "batch-settlement" ? offer : withRetryKey([offer], retryKey)));

const parts = ({ before, rest: [first = "", ...rest] }: Text, address: string): string[] => [
  before + address + first,
  ...rest,
];

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

/** Whether the offers may include channels, because some buyers pay nothing if an offer has an unknown scheme. */
function takesChannels(call: Call): boolean {
  const { payment } = call.host.options;
  if (ownPayment(payment)?.channels?.offer !== "asked") return true;
  return schemeAskedFor(call) === CHANNEL_SCHEME || paysByChannel(call);
}

/**
 * Whether the caller is a buyer of the Machine Payments Protocol that pays on EVM networks, as it says by `Accept-Payment`. Such
 * clients (mppx 0.6 and 0.7) read the header as well, and fail on all of it where one offer is for another network or scheme.
 */
function takesEvmAlone({ request }: Call): boolean {
  const header = request.headers.get("accept-payment");
  // A wildcard says nothing about EVM networks.
  return header !== null && /evm\//i.test(header) && (readPreference(header)?.("evm", "charge") ?? 0) > 0;
}

function paysByChannel({ request }: Call): boolean {
  try {
    return readPayment(request.headers)?.scheme === CHANNEL_SCHEME;
  } catch {
    return false;
  }
}

/** Placeholders for the address and the retry key; all retry keys have the same length. */
const ADDRESS = "urn:coinslot:address";
const RETRY_KEY = "urn:coinslot:retry-key";
const GAP = "-".repeat(toBase64(padded(JSON.stringify(RETRY_KEY))).length);

function renderTemplate(call: Call, capability: AnyCapability, amount: Micros): Template {
  const { host } = call;
  const { exact, upto, channel } = host.payments.requirementsFor({ capability, amount });
  const asked = schemeAskedFor(call);
  const all = [...exact, ...upto, ...(takesChannels(call) ? channel : [])].sort(
    (a, b) => Number(b.scheme === asked) - Number(a.scheme === asked),
  );
  const plain = takesEvmAlone(call) ? exact.filter(({ network }) => network.startsWith("eip155:")) : [];
  const accepts = plain.length > 0 ? plain : all;
  const codes = ownPayment(host.options.payment)?.builderCode;
  const attributed = codes ? builderCode(codes) : {};
  const hints = authHintsFor(host, accepts);
  const refunds = refundPolicyOf(host);
  const extensions = {
    ...hints,
    ...paymentIdentifier,
    ...sponsoringOf(host.payments, accepts),
    ...attributed,
    ...refunds,
  };
  const common = commonHeaders({
    ...sharedHeaders(call).record,
    "content-type": "application/json",
    ...(host.docs ? { vary: "accept" } : {}),
  });
  const gaps = { exact, accepts, extensions, common };
  const required = requiredBy(host, { capability, url: ADDRESS, retryKey: RETRY_KEY, template: gaps });
  const withExtensions = headerJson(required);
  const encoded = (some: object) => inBase64(textOf(withExtensions(JSON.stringify(some))));
  const added = baseUrl(call).length + MAX_QUERY_LENGTH + signInLength(call, capability);
  const fitting = fittingExtensions(
    capability,
    extensions,
    (some) => parts(encoded(some), "").join(GAP).length + added * (4 / 3),
  );
  const texts = { header: encoded(fitting), body: textOf(bodyOf(required)) };
  return { ...gaps, ...texts, usual: addressed(texts, baseUrl(call)) };
}

/** The host's word on refunds, as an extension of ours. */
const refundPolicyOf = ({ refunds }: Host): Record<string, object> =>
  refunds
    ? {
        "refund-policy": {
          info: refunds,
          schema: {
            type: "object",
            properties: { withinDays: { type: "integer" }, conditions: { type: "string" } },
            required: ["withinDays", "conditions"],
          },
        },
      }
    : {};

/** The first allowance of Permit2 is sponsored where an offer needs it, and the facilitator pays for it. */
function sponsoringOf(payments: Call["host"]["payments"], accepts: PaymentRequirements[]): Record<string, object> {
  const byPermit2 = accepts.filter(({ extra }) => extra.assetTransferMethod === "permit2");
  // A token without a domain has no permit of its own.
  const hasPermit = byPermit2.some(({ extra }) => extra.name !== undefined);
  const named: GasSponsoring[] = [];
  if (hasPermit) named.push(PERMIT_SPONSORING);
  // A signed transaction is read by viem.
  if (byPermit2.length > 0 && isInstalled("viem")) named.push(APPROVAL_SPONSORING);
  const offered = named.filter((name) => payments.extendsBy(name));
  return Object.fromEntries(offered.map((name) => [name, gasSponsoring[name]]));
}

function textOf(json: string): Text {
  const [before = "", after = ""] = json.split(JSON.stringify(ADDRESS));
  return { before, rest: after.split(JSON.stringify(RETRY_KEY)) };
}
