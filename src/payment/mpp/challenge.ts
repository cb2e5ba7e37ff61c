/**
 * The Machine Payments Protocol beside x402: a 402 also contains an `evm/charge` challenge in
 * `WWW-Authenticate: Payment`. Its buyers sign the same EIP-3009 authorization, with the hash of the challenge as
 * nonce, and it is settled like any other.
 */
import { type Cipher, createCipheriv, createHmac, timingSafeEqual } from "node:crypto";
import { PaymentRefused } from "../x402/refusal.js";
import type { PaymentRequirements, PresentedChallenge } from "../x402/wire.js";

export interface ChallengeOptions {
  /** The quote's own secret, which makes each challenge and its nonce unique. */
  retryKey: string;
  /** The store's secret: every instance on the store accepts exactly the challenges made with it. */
  secret: string;
  /** The host's name and port. */
  realm: string;
  /** Epoch milliseconds. */
  now: number;
}

/** The header's value; undefined if no offer can be paid this way. */
export function paymentChallenge(
  accepts: readonly PaymentRequirements[],
  options: ChallengeOptions,
): string | undefined {
  const challenges = accepts.filter(isCharge).map((terms) => challengeOf(terms, options));
  return challenges.length > 0 ? challenges.join(", ") : undefined;
}

/** Whether an offer can also be paid as `evm/charge`. */
export const isCharge = ({ scheme, network }: PaymentRequirements) =>
  scheme === "exact" && network.startsWith("eip155:");

function challengeOf(terms: PaymentRequirements, { retryKey, secret, realm, now }: ChallengeOptions): string {
  const { seal, told } = termsAt(terms, { secret, realm, expires: secondOf(now + terms.maxTimeoutSeconds * 1000) });
  return `Payment id="${retryKey}${macOf(retryKey, seal)}"${told}`;
}

interface TermsAt {
  secret: string;
  realm: string;
  expires: string;
  seal: Cipher;
  /** The challenge, behind its id. */
  told: string;
}

/** The last of each offer: many quotes share one, and all of them the offer. */
const lastTerms = new WeakMap<PaymentRequirements, TermsAt>();

function termsAt(terms: PaymentRequirements, { secret, realm, expires }: Omit<TermsAt, "seal" | "told">): TermsAt {
  const last = lastTerms.get(terms);
  if (last?.expires === expires && last.realm === realm && last.secret === secret) return last;
  const { json, encoded } = requestOf(terms);
  const seal = sealOf(secret, { realm, request: json, expires });
  const told = `, realm="${realm}", method="evm", intent="charge", request="${encoded}", expires="${expires}"`;
  const made = { secret, realm, expires, seal, told };
  lastTerms.set(terms, made);
  return made;
}

/** One challenge as the transport for MCP sends it, where `request` is an object. */
export type ChallengeObject = Record<"id" | "realm" | "method" | "intent" | "expires", string> & { request: unknown };

/** The challenges of a header made by `paymentChallenge`. */
export function challengesIn(header: string): ChallengeObject[] {
  return header.split(/, (?=Payment )/).map((text) => {
    const fields = Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    return {
      ...fields,
      request: JSON.parse(Buffer.from(fields.request ?? "", "base64url").toString()),
    } as ChallengeObject;
  });
}

const MAC_LENGTH = 22;

/**
 * Authenticates a challenge: the second half of its id is a MAC of its retry key, under a key of its own for each
 * content. One block of AES is such a MAC, as all messages are of one block, and costs a fraction of an HMAC.
 */
const macOf = (retryKey: string, seal: Cipher): string =>
  seal.update(Buffer.from(retryKey.replaceAll("-", ""), "hex")).toString("base64url");

/** The cipher that makes the MACs of all challenges with a content. */
function sealOf(secret: string, { realm, request, expires }: Omit<PresentedChallenge, "id">): Cipher {
  const content = JSON.stringify(["mpp", realm, request, expires]);
  const key = createHmac("sha256", secret).update(content).digest();
  return createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
}

/** A retry key as it is written here: another spelling of the same bytes would have the same MAC. */
const RETRY_KEY = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Refuses a challenge that this service did not issue, that has expired, or that is for other terms. Throws
 * PaymentRefused.
 */
export function assertIssued(
  challenge: PresentedChallenge,
  { secret, realm, now, terms }: { secret: string; realm: string; now: number; terms: PaymentRequirements },
): void {
  const { id, expires } = challenge;
  const retryKey = id.slice(0, -MAC_LENGTH);
  const mac = Buffer.from(id.slice(-MAC_LENGTH));
  const ours = Buffer.from(RETRY_KEY.test(retryKey) ? macOf(retryKey, sealOf(secret, challenge)) : "");
  if (challenge.realm !== realm || mac.length !== ours.length || !timingSafeEqual(mac, ours))
    throw new PaymentRefused("PAYMENT_MISMATCH", "The challenge was not issued by this service.");
  if (challenge.request !== requestOf(terms).json)
    throw new PaymentRefused("PAYMENT_MISMATCH", "The challenge was made for another request or price.");
  if (!(Date.parse(expires) > now)) throw new PaymentRefused("PAYMENT_EXPIRED", "The challenge has expired.");
}

let lastSecond = { at: Number.NaN, text: "" };

/** The time in RFC 3339, in full seconds; many quotes share one. */
function secondOf(epochMs: number): string {
  const at = Math.floor(epochMs / 1000);
  if (lastSecond.at !== at) lastSecond = { at, text: new Date(at * 1000).toISOString() };
  return lastSecond.text;
}

/** Offers are cached with their quotes, so each is encoded once. */
const requests = new WeakMap<PaymentRequirements, { json: string; encoded: string }>();

/** In the canonical order of RFC 8785: by name. */
function requestOf(terms: PaymentRequirements): { json: string; encoded: string } {
  let request = requests.get(terms);
  if (!request) {
    const chainId = Number(terms.network.slice("eip155:".length));
    const methodDetails = { chainId, credentialTypes: ["authorization"], decimals: 6 };
    const { amount, asset: currency, payTo: recipient } = terms;
    const json = JSON.stringify({ amount, currency, methodDetails, recipient });
    request = { json, encoded: Buffer.from(json).toString("base64url") };
    requests.set(terms, request);
  }
  return request;
}
