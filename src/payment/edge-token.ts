/** The token by which Cloudflare's Monetization Gateway tells its origin of a payment: a JWT, signed with Ed25519 alone. */
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from "jose";
import { CapabilityError, without } from "../errors.js";
import { lazy } from "../lib/lazy.js";
import { createFetchKeys } from "./edge-keys.js";
import type { CloudflareEdge } from "./options/edge.js";
import { PaymentRefused, type RefusalCode } from "./x402/refusal.js";

/** Pinned: an address that a token names is never asked. */
const KEYS_URL = "https://payments.cloudflare.com/certs";
/** A token has the whole address that was asked for; Node reads no more than this of all headers. */
const MOST_CHARACTERS = 16_384;
/** The gateway's clock may be ahead of ours by so much. */
const AHEAD_SECONDS = 30;
/** Tokens live for two minutes; a row of the store is kept for each until it ends. */
const MOST_SECONDS = 3600;

const library = /* @__PURE__ */ lazy(() => import("jose").catch(without("jose")));

/** A payment that the gateway promises: `amount` is in atomic units of USDC, all of it by `exact`, up to it by `upto`. */
export interface EdgePayment {
  scheme: "exact" | "upto";
  amount: bigint;
  /** Epoch seconds. */
  expiresAt: number;
}

export type ReadToken = (token: string, url: string, now: number) => Promise<EdgePayment>;

/** `fetch` reads the keys, where they are not given. Rejects with PaymentRefused, or if the keys cannot be read. */
export function createReadToken({ jwks = KEYS_URL }: CloudflareEdge, fetch: typeof globalThis.fetch): ReadToken {
  const open = lazy(async () => {
    const jose = await library();
    const keys: JWTVerifyGetKey =
      typeof jwks === "string"
        ? jose.createRemoteJWKSet(new URL(jwks), { [jose.customFetch]: createFetchKeys(fetch) })
        : jose.createLocalJWKSet(jwks as unknown as JSONWebKeySet);
    return { jose, keys };
  });

  async function verified(token: string, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
    const { jose, keys } = await open();
    try {
      return await jose.jwtVerify(token, keys, options);
    } catch (error) {
      if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
      // While keys are replaced, a token that names none may be signed by any.
      let last: unknown = error;
      for await (const key of error) {
        try {
          return await jose.jwtVerify(token, key, options);
        } catch (failure) {
          last = failure;
        }
      }
      throw last;
    }
  }

  return async (token, url, now) => {
    if (token.length > MOST_CHARACTERS) throw malformed(`is longer than ${MOST_CHARACTERS} characters`);
    const { payload } = await verified(token, {
      algorithms: ["EdDSA", "Ed25519"],
      requiredClaims: ["exp", "aud", "scheme", "amount"],
      currentDate: new Date(now),
      // Of the end none is tolerated, see below.
      clockTolerance: AHEAD_SECONDS,
    }).catch((error: unknown) => {
      throw refusalOf(error);
    });
    return judged(payload, url, now);
  };
}

/** Throws PaymentRefused unless the claims are those of a payment for this address, now. */
function judged({ aud, exp = 0, scheme, amount }: JWTPayload, url: string, now: number): EdgePayment {
  const seconds = now / 1000;
  if (exp <= seconds) throw new PaymentRefused("PAYMENT_EXPIRED", "The gateway's token has expired.");
  if (exp > seconds + MOST_SECONDS) throw malformed(`is valid for more than ${MOST_SECONDS} seconds`);
  if (typeof aud !== "string" || plain(aud) !== plain(url))
    throw new PaymentRefused("PAYMENT_MISMATCH", `The gateway's token is for another address than ${url}.`);
  if (scheme !== "exact" && scheme !== "upto") throw malformed('names no scheme of "exact" and "upto"');
  if (typeof amount !== "string" || !/^\d{1,30}$/.test(amount)) throw malformed("has no amount in whole units");
  return { scheme, amount: BigInt(amount), expiresAt: exp };
}

/** An address as URLs are compared: its host in lower case, its characters encoded alike. */
const plain = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).href : undefined);

const malformed = (flaw: string) => new PaymentRefused("PAYMENT_MALFORMED", `The gateway's token ${flaw}.`);

/** By the codes of jose: the token's faults. Anything else is a fault in reading the keys. */
const REFUSALS: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  ERR_JWT_EXPIRED: ["PAYMENT_EXPIRED", "has expired"],
  ERR_JWT_CLAIM_VALIDATION_FAILED: ["PAYMENT_MALFORMED", "lacks a claim, or has one of the wrong kind"],
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: ["PAYMENT_SIGNATURE_INVALID", "is not signed by the gateway"],
  ERR_JWKS_NO_MATCHING_KEY: ["PAYMENT_SIGNATURE_INVALID", "is signed with a key that the gateway does not list"],
  ERR_JOSE_ALG_NOT_ALLOWED: ["PAYMENT_SIGNATURE_INVALID", "is not signed with Ed25519"],
  ERR_JOSE_NOT_SUPPORTED: ["PAYMENT_MALFORMED", "has a header that is not supported"],
  ERR_JWS_INVALID: ["PAYMENT_MALFORMED", "is not a signed JWT"],
  ERR_JWT_INVALID: ["PAYMENT_MALFORMED", "is not a signed JWT"],
};

function refusalOf(error: unknown): Error {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_JWT_CLAIM_VALIDATION_FAILED" && (error as { claim?: unknown }).claim === "nbf")
    return new PaymentRefused("PAYMENT_NOT_YET_VALID", "The gateway's token is not valid yet.");
  const known = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  if (known) return new PaymentRefused(known[0], `The gateway's token ${known[1]}.`);
  return new CapabilityError("FACILITATOR_UNAVAILABLE", "The gateway's keys cannot be read now; nothing is charged.", {
    cause: error,
    retryAfter: 5,
  });
}
