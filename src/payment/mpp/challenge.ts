/**
 * The Machine Payments Protocol beside x402: a 402 also contains an `evm/charge` challenge in
 * `WWW-Authenticate: Payment`. Its buyers sign the same EIP-3009 authorization, with the hash of the challenge as
 * nonce, and it is settled like any other.
 */
import { sortedJson } from "../../lib/text/sorted-json.js";
import { PaymentRefused } from "../x402/refusal.js";
import { isRated } from "../x402/usd.js";
import { chargeTermsOf, isByAuthorization, type PaymentRequirements, type PresentedChallenge } from "../x402/wire.js";
import { type Preference, preferred } from "./accept-payment.js";
import { challengeIds, isIdOf } from "./challenge-id.js";
import { clusterOf } from "./clusters.js";
import { encodeText, formatParameters } from "./wire.js";

export interface ChallengeOptions {
  /** The store's secret: every instance on the store accepts exactly the challenges made with it. */
  secret: string;
  /** The host's name and port. */
  realm: string;
  /** Epoch milliseconds. */
  now: number;
  /** As the caller sent it in `Accept-Payment`. */
  preference?: Preference | undefined;
  /** An offer as the host's own account takes it; undefined if it takes none. */
  chargeOf?(offer: PaymentRequirements): PaymentRequirements | undefined;
}

/** The header's value; undefined if no offer can be paid this way. */
export function paymentChallenge(
  accepts: readonly PaymentRequirements[],
  options: ChallengeOptions,
): string | undefined {
  const charges = accepts.flatMap((offer) => chargesFor(offer, options));
  const challenges = preferred(charges, options.preference).map(({ terms }) => challengeOf(terms, options));
  return challenges.length > 0 ? challenges.join(", ") : undefined;
}

const methodOf = ({ network }: Pick<PaymentRequirements, "network">): "evm" | "solana" =>
  network.startsWith("solana:") ? "solana" : "evm";

/** By authorization first: buyers who know nothing else take the first challenge of a method. */
function chargesFor(offer: PaymentRequirements, { chargeOf }: Pick<ChallengeOptions, "chargeOf">) {
  const turnedOn = chargeOf?.(offer);
  const all = [...(isCharge(offer) ? [offer] : []), ...(turnedOn && isNamed(turnedOn) ? [turnedOn] : [])];
  return all.map((terms) => ({ method: methodOf(terms), intent: "charge", terms }));
}

/** The protocol has names for Solana's networks, and for three alone. */
const isNamed = ({ network }: PaymentRequirements): boolean =>
  !network.startsWith("solana:") || clusterOf(network) !== undefined;

/** Whether an offer can also be paid as `evm/charge`, by an authorization. */
export const isCharge = (offer: PaymentRequirements) =>
  offer.scheme === "exact" && offer.network.startsWith("eip155:") && isByAuthorization(offer);

function challengeOf(terms: PaymentRequirements, { secret, realm, now }: ChallengeOptions): string {
  const expires = secondOf(now + terms.maxTimeoutSeconds * 1000);
  const { nextId, behindId } = termsAt(terms, { secret, realm, expires });
  return ['Payment id="', nextId(), behindId].join("");
}

interface TermsAt {
  secret: string;
  realm: string;
  expires: string;
  nextId(): string;
  /** The challenge, behind its id. */
  behindId: string;
}

/** The last of each offer: many quotes share one, and all of them the offer. */
const lastTerms = new WeakMap<PaymentRequirements, TermsAt>();

function termsAt(
  terms: PaymentRequirements,
  { secret, realm, expires }: Omit<TermsAt, "behindId" | "nextId">,
): TermsAt {
  const last = lastTerms.get(terms);
  if (last?.expires === expires && last.realm === realm && last.secret === secret) return last;
  const { json, encoded } = requestOf(terms);
  const method = methodOf(terms);
  const nextId = challengeIds(secret, { method, realm, request: json, expires });
  const behindId = `", ${formatParameters({ realm, method, intent: "charge", request: encoded, expires })}`;
  const made = { secret, realm, expires, nextId, behindId };
  lastTerms.set(terms, made);
  return made;
}

/**
 * Refuses a challenge that this service did not issue, that has expired, or that is for other terms. Throws
 * PaymentRefused.
 */
export function assertIssued(
  challenge: PresentedChallenge,
  { secret, realm, now, terms }: { secret: string; realm: string; now: number; terms: PaymentRequirements },
): void {
  const { id, expires } = challenge;
  // guard: a challenge is one of ours, of this realm | gone | mpp
  if (challenge.realm !== realm || !isIdOf(id, secret, challenge))
    throw unknownChallenge("was not issued by this service");
  // guard: a challenge is for the terms that it is paid for | gone | mpp
  if (challenge.request !== requestOf(terms).json) throw unknownChallenge("was made for another request or price");
  // guard: a challenge ends | gone | mpp
  if (!(Date.parse(expires) > now)) throw new PaymentRefused("PAYMENT_EXPIRED", "The challenge has expired.");
}

const unknownChallenge = (why: string) =>
  new PaymentRefused("PAYMENT_MISMATCH", `The challenge ${why}.`, { problemType: "invalid-challenge" });

let lastSecond = { at: Number.NaN, text: "" };

/** The time in RFC 3339, in full seconds; many quotes share one. */
function secondOf(epochMs: number): string {
  const at = Math.floor(epochMs / 1000);
  if (lastSecond.at !== at) lastSecond = { at, text: new Date(at * 1000).toISOString() };
  return lastSecond.text;
}

/** The same address on every network. */
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** Offers are cached with their quotes, so each is encoded once. */
const requests = new WeakMap<PaymentRequirements, { json: string; encoded: string }>();

/** In the canonical order of RFC 8785: by name. */
function requestOf(terms: PaymentRequirements): { json: string; encoded: string } {
  let request = requests.get(terms);
  if (!request) {
    const { amount, asset: currency, payTo: recipient } = terms;
    const json = sortedJson({ amount, currency, methodDetails: methodDetailsOf(terms), recipient });
    request = { json, encoded: encodeText(json) };
    requests.set(terms, request);
  }
  return request;
}

const DOLLAR_DECIMALS = 6;

function methodDetailsOf(terms: PaymentRequirements): object {
  const { network, extra } = terms;
  if (methodOf(terms) === "solana")
    return { network: clusterOf(network), decimals: DOLLAR_DECIMALS, feePayer: true, feePayerKey: extra.feePayer };
  const chainId = Number(terms.network.slice("eip155:".length));
  const charge = chargeTermsOf(terms);
  const details = { chainId, ...(isRated(terms) ? {} : { decimals: DOLLAR_DECIMALS }) };
  if (!charge) return { ...details, credentialTypes: ["authorization"] };
  // Permit2 asks whom it permits, which the protocol's text does not say: `spender` is an addition of ours.
  return { ...details, credentialTypes: ["permit2"], permit2Address: PERMIT2, ...charge };
}
