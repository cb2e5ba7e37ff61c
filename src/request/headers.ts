import type { Call } from "./call.js";

/** Headers that browsers may read, besides our own `X-<SLUG>-*` ones. */
const EXPOSED = [
  "PAYMENT-REQUIRED",
  "PAYMENT-RESPONSE",
  "X-PAYMENT-RESPONSE",
  "X-Request-Id",
  "Retry-After",
  "Content-Type",
];
const SERVICE_HEADERS = [
  "Endpoint",
  "Caller",
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
  "Usage-Method",
  "Render-Ms",
  "Image-Bytes",
];

export const serviceHeader = (slug: string, name: string) => `X-${slug.toUpperCase()}-${name}`;

/** The CORS list of a host, made once. */
export function exposedHeaders(slug: string): string {
  return [...EXPOSED, ...SERVICE_HEADERS.map((name) => serviceHeader(slug, name))].join(", ");
}

/**
 * Headers of every answer. Paid, trial and 402 answers belong to one caller, so no cache may keep them; where a
 * document may be kept, the caller of this function overrides that.
 */
export function baseHeaders(call: Call): Record<string, string> {
  return {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": call.host.exposedHeaders,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": call.requestId,
  };
}

/** The answer to HEAD where nothing is asked for a call: that it is there. */
export const headOnly = (call: Call): Response => new Response(null, { status: 200, headers: baseHeaders(call) });

/** The answer to OPTIONS: free, and allowing what paying browsers send. */
export function preflight(call: Call): Response {
  const allow = call.host.routes.allowedAt(call.url.pathname);
  return new Response(null, {
    status: 204,
    headers: {
      ...baseHeaders(call),
      allow,
      "access-control-allow-methods": allow,
      // The official clients put Access-Control-Expose-Headers on the paid request itself.
      "access-control-allow-headers": [
        "Content-Type",
        "PAYMENT-SIGNATURE",
        "X-PAYMENT",
        "SIGN-IN-WITH-X",
        "Idempotency-Key",
        "X-402-Version",
        "Access-Control-Expose-Headers",
        serviceHeader(call.host.brand.slug, "Trial"),
        serviceHeader(call.host.brand.slug, "Credit"),
        serviceHeader(call.host.brand.slug, "Accept-Scheme"),
      ].join(", "),
      "access-control-max-age": "86400",
    },
  });
}
