/**
 * The Machine Payments Protocol beside x402: a 402 also says, in `WWW-Authenticate: Payment`, what `evm/charge` takes. Its
 * buyers sign the same EIP-3009 authorization, whose nonce is then the hash of the challenge, and it is settled like any
 * other.
 */
import type { PaymentRequirements } from "../x402/wire.js";

export interface ChallengeOptions {
  /** The quote's secret: it makes each challenge, and so each nonce, its own. */
  id: string;
  /** Who asks: the host's name and port. */
  realm: string;
  /** Epoch milliseconds. */
  now: number;
}

/** The header's value; undefined where nothing offered can be paid so. */
export function paymentChallenge(
  accepts: readonly PaymentRequirements[],
  options: ChallengeOptions,
): string | undefined {
  const challenges = accepts.filter(isCharge).map((terms) => challengeOf(terms, options));
  return challenges.length > 0 ? challenges.join(", ") : undefined;
}

const isCharge = ({ scheme, network }: PaymentRequirements) => scheme === "exact" && network.startsWith("eip155:");

function challengeOf(terms: PaymentRequirements, { id, realm, now }: ChallengeOptions): string {
  const expires = secondOf(now + terms.maxTimeoutSeconds * 1000);
  return `Payment id="${id}", realm="${realm}", method="evm", intent="charge", request="${requestOf(terms)}", expires="${expires}"`;
}

let lastSecond = { at: Number.NaN, text: "" };

/** The second that a time lies in, by RFC 3339; many quotes fall into the same. */
function secondOf(epochMs: number): string {
  const at = Math.floor(epochMs / 1000);
  if (lastSecond.at !== at) lastSecond = { at, text: new Date(at * 1000).toISOString() };
  return lastSecond.text;
}

/** Offers are kept with their quotes, so each is written once. */
const requests = new WeakMap<PaymentRequirements, string>();

/** In the canonical order of RFC 8785: by name. */
function requestOf(terms: PaymentRequirements): string {
  let request = requests.get(terms);
  if (!request) {
    const chainId = Number(terms.network.slice("eip155:".length));
    const methodDetails = { chainId, credentialTypes: ["authorization"], decimals: 6 };
    const { amount, asset: currency, payTo: recipient } = terms;
    request = Buffer.from(JSON.stringify({ amount, currency, methodDetails, recipient })).toString("base64url");
    requests.set(terms, request);
  }
  return request;
}
