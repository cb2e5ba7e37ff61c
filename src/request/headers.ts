import { linkHeader } from "../discovery/well-known.js";
import type { Host } from "../host/host.js";
import type { Call } from "./call.js";
import { type CommonHeaders, commonHeaders, type PlainResponse } from "./http/exchange.js";

/** Headers that browsers may read, in addition to `X-<SLUG>-*`. */
const EXPOSED = [
  "PAYMENT-REQUIRED",
  "PAYMENT-RESPONSE",
  "X-PAYMENT-RESPONSE",
  "WWW-Authenticate",
  "Payment-Receipt",
  "Payment-Stream",
  "Delivery-Statement",
  "X-Request-Id",
  "Retry-After",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Server-Timing",
  "Content-Digest",
  "Signature",
  "Signature-Input",
  "Content-Type",
  "Link",
  "Deprecation",
  "Sunset",
];
const SERVICE_HEADERS = [
  "Endpoint",
  "Caller",
  "Account",
  "Cost-Usd",
  "Quoted-Usd",
  "Duration-Ms",
  "Cached",
  "Replay",
  "Payer",
  "Transaction",
  "Trial-Remaining",
  "Trial-Reset-At",
  "Credit",
  "Authorized-Usd",
  "Used-Usd",
  "Settled-Usd",
  "Returned-Usd",
  "Credited-Usd",
  "Owed-Usd",
  "Credit-Used-Usd",
  "Credit-Left-Usd",
  "Usage-Method",
  "Render-Ms",
  "Image-Bytes",
];

/** The highest price in US dollars that a caller accepts; a higher one gives an error instead of a quote. */
export const LIMIT_HEADER = "X-402-Max-Usd";

export const serviceHeader = (slug: string, name: string) => `X-${slug.toUpperCase()}-${name}`;

/** The CORS list of a host, made once. */
export function exposedHeaders(slug: string): string {
  return [...EXPOSED, ...SERVICE_HEADERS.map((name) => serviceHeader(slug, name))].join(", ");
}

/**
 * Headers of every answer. Paid, trial and 402 answers belong to one caller, so no cache may keep them; documents that
 * may be cached override this.
 */
export const baseHeaders = (call: Call): Record<string, string> => ({
  ...sharedHeaders(call).record,
  "x-request-id": call.requestId,
});

const ofHost = new WeakMap<Host, CommonHeaders>();

/** The same headers without those that belong to one request. */
export function sharedHeaders({ host, info }: Call): CommonHeaders {
  const prefix = host.brand.baseUrl ? "" : (info.prefix ?? "");
  if (prefix !== "") return makeShared(host, prefix);
  const made = ofHost.get(host) ?? makeShared(host, prefix);
  ofHost.set(host, made);
  return made;
}

const makeShared = (host: Host, prefix: string): CommonHeaders =>
  commonHeaders({
    ...(host.options.cors === false ? {} : openToBrowsers(host)),
    // guard: no cache keeps what belongs to one caller | = "public" | PAYMENT
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    link: linkHeader(host, prefix),
  });

const openToBrowsers = ({ exposedHeaders }: Host) => ({
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders,
});

/** Duration of the steps in milliseconds, for the caller's tools. */
export const serverTiming = (call: Call): string =>
  [...call.steps, ["total", call.durationMs()] as const].map(([name, ms]) => `${name};dur=${ms}`).join(", ");

interface Ending {
  deprecation?: string | undefined;
  sunset?: string | undefined;
}

/** Headers of an endpoint that ends: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
export function endingHeaders({ deprecation, sunset }: Ending): [name: string, value: string][] {
  return [
    ...(deprecation ? [["deprecation", `@${Math.floor(Date.parse(deprecation) / 1000)}`] as [string, string]] : []),
    ...(sunset ? [["sunset", new Date(sunset).toUTCString()] as [string, string]] : []),
  ];
}

/** The answer to HEAD at a free endpoint, which only confirms that it exists. */
export const headOnly = (call: Call): PlainResponse => ({ status: 200, headers: baseHeaders(call), body: null });

/** The answer to OPTIONS: free, and allowing the headers of paying browsers. */
export function preflight(call: Call): PlainResponse {
  const { host } = call;
  const allow = host.routes.allowedAt(call.url.pathname);
  const forBrowsers = host.options.cors === false ? {} : allowPaying(host, allow);
  return { status: 204, headers: { ...baseHeaders(call), allow, ...forBrowsers }, body: null };
}

const allowPaying = ({ brand }: Host, methods: string) => ({
  "access-control-allow-methods": methods,
  // The official clients send Access-Control-Expose-Headers with the paid request.
  "access-control-allow-headers": [
    "Content-Type",
    "PAYMENT-SIGNATURE",
    "Payment-Stream",
    "X-PAYMENT",
    "Authorization",
    "SIGN-IN-WITH-X",
    "Idempotency-Key",
    "Prefer",
    "X-402-Version",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    LIMIT_HEADER,
    "Access-Control-Expose-Headers",
    serviceHeader(brand.slug, "Trial"),
    serviceHeader(brand.slug, "Credit"),
    serviceHeader(brand.slug, "Accept-Scheme"),
    serviceHeader(brand.slug, "Callback"),
  ].join(", "),
  "access-control-max-age": "86400",
});
