/** The 402: a call's price and the ways to pay, made from configuration alone, without a request to anybody. */
import type { AnyCapability } from "../capability/types.js";
import { CapabilityError, invalid } from "../errors.js";
import { fromMicros, type Micros, toMicros } from "../lib/money.js";
import { paymentChallenge } from "../payment/mpp/challenge.js";
import { notReady } from "../payment/rails/requirements.js";
import type { PaymentRefused } from "../payment/x402/refusal.js";
import { decodeHeader, receiptHeaders, version1Body } from "../payment/x402/wire.js";
import { type Call, realmOf } from "./call.js";
import type { PlainResponse } from "./exchange.js";
import { LIMIT_HEADER } from "./headers.js";
import { encodeRequired, type PaymentRequired } from "./payment-required.js";
import { envelope, PAYMENT_REQUIRED, type Quote, quoteFor } from "./quote.js";
import { type SignInOffer, signInOffer } from "./sign-in.js";
import { wantsVersion1 } from "./version.js";

/** The 402 for a call without a valid payment; `refused` is the reason if a payment was refused. */
export async function challenge(
  call: Call,
  { capability, amount, refused }: { capability: AnyCapability; amount: Micros; refused?: PaymentRefused | undefined },
): Promise<PlainResponse> {
  const quote = quoteFor(call, capability, amount);
  assertWithinLimit(call, amount);
  // An empty offer would tell buyers that they can never pay here, so the answer is a temporary error.
  if (quote.accepts.length === 0) throw notReady();
  call.event.quotedUsd = fromMicros(amount);
  call.event.outcome = refused ? "refused" : "challenged";
  if (refused) call.event.code = refused.code;

  const signIn = await signInOffer(call, capability, refused?.options.signIn);
  const text = bodyOf(call, { quote, capability, refused, signIn });
  const { retryAfter, receipt } = refused?.options ?? {};
  const { common } = quote;
  const headers = {
    "x-request-id": call.requestId,
    ...(await challengeHeader(call, quote)),
    "payment-required": headerOf(quote, { capability, refused, signIn }),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...(receipt ? receiptHeaders(receipt, 2) : {}),
  };
  return { status: 402, headers, common, body: call.request.method === "HEAD" ? null : text };
}

/** The same offers for buyers of the Machine Payments Protocol. */
async function challengeHeader(call: Call, { accepts, retryKey }: Quote): Promise<Record<string, string>> {
  const { payments, now } = call.host;
  const secret = payments.mpp ? await payments.secret() : undefined;
  if (secret === undefined) return {};
  const challenge = paymentChallenge(accepts, { retryKey, secret, realm: realmOf(call), now: now() });
  return challenge === undefined ? {} : { "www-authenticate": challenge };
}

/**
 * A paying fetch signs whatever a 402 asks before its caller sees the price. A caller that names its limit gets an
 * error for a higher price, which no client pays.
 */
function assertWithinLimit({ request }: Call, amount: Micros): void {
  const limit = request.headers.get(LIMIT_HEADER);
  if (limit === null) return;
  let most: Micros;
  try {
    most = toMicros(limit);
  } catch {
    throw invalid(LIMIT_HEADER, 'must be US dollars, such as "0.05"');
  }
  if (amount <= most) return;
  const message = `This call costs ${fromMicros(amount)} USD, and ${LIMIT_HEADER} allows ${fromMicros(most)}.`;
  throw new CapabilityError("SPENDING_LIMIT", message);
}

/** The header of the shared quote. A refusal or a sign-in offer needs one of its own. */
function headerOf({ header }: Quote, { capability, refused, signIn }: Omit<BodyOptions, "quote">): string {
  if (!refused && !signIn) return header;
  const quoted = decodeHeader<PaymentRequired>(header);
  const required = refused ? withReason(quoted, refused) : quoted;
  const extensions = { ...required.extensions, ...signIn?.extension(false) };
  return encodeRequired(capability, { ...required, extensions });
}

/** Clients of version 2 read only the header, so the header also contains the reason of a refusal. */
function withReason(
  required: PaymentRequired,
  { message, options: { correction, withoutChannels } }: PaymentRefused,
): PaymentRequired {
  const accepts = required.accepts
    .filter(({ scheme }) => !withoutChannels || scheme !== "batch-settlement")
    .map((offer) =>
      correction?.scheme === offer.scheme && correction.network === offer.network
        ? { ...offer, extra: { ...offer.extra, ...correction.extra } }
        : offer,
    );
  return { ...required, accepts, error: correction?.error ?? message };
}

interface BodyOptions {
  quote: Quote;
  capability: AnyCapability;
  refused: PaymentRefused | undefined;
  signIn: SignInOffer | undefined;
}

function bodyOf(call: Call, { signIn, ...options }: BodyOptions): string {
  const text = paymentBodyOf(call, options);
  if (!signIn || wantsVersion1(call)) return text;
  const required = JSON.parse(text);
  return JSON.stringify({ ...required, extensions: { ...required.extensions, ...signIn.extension(true) } });
}

function paymentBodyOf(call: Call, { quote, capability, refused }: Omit<BodyOptions, "signIn">): string {
  const { url, accepts, retryKey, body } = quote;
  const resource = { url, description: capability.summary };
  if (wantsVersion1(call)) return JSON.stringify(version1Body(refused?.message ?? PAYMENT_REQUIRED, resource, accepts));
  return refused ? envelope(refused.message, capability, { url, accepts, retryKey, code: refused.code }) : body;
}
