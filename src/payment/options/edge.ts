/** The option of a host whose payments an edge network takes: it has answered the 402 before a request arrives. */

import { isUrl } from "../../lib/http/url.js";
import { type Check, type ChecksOf, isPlainObject, needed, shape, wrong } from "../../lib/options/check.js";
import type { PaymentOptions } from "./options.js";

/** A public key set, RFC 7517. */
export interface JsonWebKeySet {
  keys: readonly Record<string, unknown>[];
}

export interface CloudflareEdge {
  /** The public address that buyers pay for, such as `"https://api.example.com"`: a token for any other is refused. */
  origin: string;
  /** The gateway's public keys, or another address of them. Default: `https://payments.cloudflare.com/certs`. */
  jwks?: string | JsonWebKeySet;
}

/**
 * Payments are taken by Cloudflare's Monetization Gateway, which tells of each by a signed token (`PAYMENT-CONTEXT`). Nothing
 * else pays here, and a request without such a token is answered with a 402 that offers nothing.
 */
export interface EdgePaymentOptions {
  edge: { cloudflare: CloudflareEdge };
}

export const isEdge = (payment: unknown): payment is EdgePaymentOptions => isPlainObject(payment) && "edge" in payment;

/** The options of a host that takes payments itself; undefined for others. */
export const ownPayment = (payment: PaymentOptions | EdgePaymentOptions | false): PaymentOptions | undefined =>
  payment && !isEdge(payment) ? payment : undefined;

const anOrigin: Check = (name, value) => {
  if (typeof value === "string" && isUrl(value) && /^https?:\/\/[^/?#@]+\/?$/.test(value)) return;
  throw wrong(name, 'the public address without a path, such as "https://api.example.com"', value);
};

const keySet: Check = (name, value) => {
  if (typeof value === "string" && isUrl(value) && /^https?:/.test(value)) return;
  const keys: unknown = isPlainObject(value) && (value as { keys?: unknown }).keys;
  if (!Array.isArray(keys) || !keys.every(isPlainObject))
    throw wrong(name, "an address, or a key set such as { keys: [{ kty, crv, x, kid }] }", value);
  const all = keys as Record<string, unknown>[];
  // Not shown, since it is a secret.
  if (all.some((key) => "d" in key || "k" in key)) throw new TypeError(`${name} must have public keys only.`);
  if (!all.some(isEd25519))
    throw new TypeError(`${name} must have a public Ed25519 key, such as { kty: "OKP", crv: "Ed25519", x: "…" }.`);
};

/** The gateway signs with such a key alone: without one every payment would be refused. */
const isEd25519 = ({ kty, crv, x }: Record<string, unknown>): boolean =>
  kty === "OKP" && crv === "Ed25519" && typeof x === "string" && /^[\w-]{43}$/.test(x);

const CLOUDFLARE: ChecksOf<CloudflareEdge> = {
  origin: needed(anOrigin, "the public address that buyers pay for."),
  jwks: keySet,
};

export const edgeOptions = shape<EdgePaymentOptions["edge"]>({
  cloudflare: needed(shape<CloudflareEdge>(CLOUDFLARE), "the gateway that takes the payments."),
});
