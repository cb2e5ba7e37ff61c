/** The 402: a call's price and the ways to pay, made from configuration alone, without a request to anybody. */
import type { AnyCapability } from "../capability/types.js";
import { lazy } from "../lib/lazy.js";
import { fromMicros, type Micros } from "../lib/money.js";
import { readPreference } from "../payment/mpp/accept-payment.js";
import { paymentChallenge } from "../payment/mpp/challenge.js";
import { type PaymentProblem, paymentProblem } from "../payment/mpp/problems.js";
import { notReady } from "../payment/networks/requirements.js";
import type { PaymentRefused } from "../payment/x402/refusal.js";
import { receiptHeaders } from "../payment/x402/wire.js";
import { authHintsFor } from "./auth-hints.js";
import { type Call, publicOrigin, realmOf } from "./call.js";
import { baseHeaders } from "./headers.js";
import { prefersHtml } from "./http/accept.js";
import type { PlainResponse } from "./http/exchange.js";
import { PROBLEM_TYPE, problemDocument } from "./http/problem-document.js";
import { assertWithinLimit } from "./limit.js";
import { speaksOpenAi } from "./openai/alias.js";
import { withOpenAiError } from "./openai/error.js";
import { bodyOf, headerOf, type PaymentRequired, version1BodyOf } from "./payment-required.js";
import { PAYMENT_REQUIRED, plainly, type Quote, quoteFor, requiredBy } from "./quote.js";
import { offersSignIn, signInOffer } from "./sign-in.js";
import { withSignedOffers } from "./statements.js";
import { wantsVersion1 } from "./version.js";

/** The 402 for a call without a valid payment; `refused` is the reason if a payment was refused. */
export async function challenge(
  call: Call,
  { capability, amount, refused }: { capability: AnyCapability; amount: Micros; refused?: PaymentRefused | undefined },
): Promise<PlainResponse> {
  const { payments } = call.host;
  if (payments.edge) return unpaidAtEdge(call, amount, refused);
  const quote = quoteFor(call, capability, amount);
  assertWithinLimit(call, amount);
  // An empty offer would tell buyers that they can never pay here, so the answer is a temporary error.
  if (quote.template.exact.length === 0) throw notReady();
  call.event.quotedUsd = fromMicros(amount);
  call.event.outcome = refused ? "refused" : "challenged";
  if (refused) call.event.code = refused.code;

  const { challenges, problem } = payments.mpp ? await inMpp(call, quote, refused) : NOTHING;
  const isVersion1 = wantsVersion1(call);
  const isPage = call.host.docs && prefersHtml(call.request.headers.get("accept"));
  const plain = !problem && isPlain(call, quote, refused);
  const { header, body } = plain
    ? fromTemplate(quote, isVersion1)
    : await composed(call, quote, { refused, problem, isVersion1 });
  const headers: Record<string, string> = { "x-request-id": call.requestId };
  if (challenges !== undefined) headers["www-authenticate"] = challenges;
  if (problem) headers["content-type"] = PROBLEM_TYPE;
  headers["payment-required"] = header;
  if (refused) Object.assign(headers, headersOf(refused));
  const { common } = quote.template;
  const status = problem?.status ?? 402;
  const isHead = call.request.method === "HEAD";
  if (!isPage) return { status, headers, common, body: isHead ? null : body };
  return { status, common, ...(await asPage(call, { capability, amount, refused }, headers)) };
}

/** The edge has offers; a 402 of ours with any would be paid for twice. */
function unpaidAtEdge(call: Call, amount: Micros, refused: PaymentRefused | undefined): PlainResponse {
  call.event.quotedUsd = fromMicros(amount);
  call.event.outcome = refused ? "refused" : "challenged";
  if (refused) call.event.code = refused.code;
  const detail = refused?.message ?? "The gateway in front of this service takes its payments: ask at its address.";
  const facts = { slug: call.host.brand.slug, detail, requestId: call.requestId, reasonCode: refused?.code };
  const document = problemDocument("PAYMENT_REQUIRED", facts);
  const body = JSON.stringify(speaksOpenAi(call) ? withOpenAiError(document) : document);
  const headers = { ...baseHeaders(call), "content-type": PROBLEM_TYPE };
  return { status: 402, headers, body: call.request.method === "HEAD" ? null : body };
}

const pages = lazy(() => import("../docs/payment-page.js"));

/** The same answer for a person: what is sold here, and how it is paid for. */
async function asPage(
  { host, request, url, info }: Call,
  { capability, amount, refused }: { capability: AnyCapability; amount: Micros; refused?: PaymentRefused | undefined },
  headers: Record<string, string>,
): Promise<Pick<PlainResponse, "headers" | "body">> {
  const { paymentPage, pageHeaders } = await pages();
  const asked = { capability, usd: fromMicros(amount), search: url.search, refused: refused?.message };
  const origin = publicOrigin({ host, info, url });
  return {
    headers: { ...headers, ...pageHeaders(host.brand.iconUrl), "content-type": "text/html; charset=utf-8" },
    body: request.method === "HEAD" ? null : paymentPage(host, origin, asked),
  };
}

const headersOf = ({ options: { retryAfter, receipt } }: PaymentRefused): Record<string, string> => ({
  ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  ...(receipt ? receiptHeaders(receipt, 2) : {}),
});

const isPlain = (call: Call, { capability }: Quote, refused: PaymentRefused | undefined): boolean =>
  !refused && !call.host.signer && !offersSignIn(call, capability);

function fromTemplate(quote: Quote, isVersion1: boolean): Encoded {
  const plain = plainly(quote);
  return isVersion1 ? { header: plain.header, body: version1(quote, PAYMENT_REQUIRED) } : plain;
}

interface Composing {
  refused: PaymentRefused | undefined;
  problem: PaymentProblem | undefined;
  isVersion1: boolean;
}

/** One object that passes through its steps and is encoded once. */
async function composed(call: Call, quote: Quote, { refused, problem, isVersion1 }: Composing): Promise<Encoded> {
  const { host } = call;
  const signIn = await signInOffer(call, quote.capability, refused?.options.signIn);
  let required = requiredBy(host, quote);
  if (signIn) required = { ...required, signIn };
  if (refused) required = withReason(required, refused);
  if (refused?.options.problem) required.problem = problemBeside(call, refused);
  else if (problem) required.problem = problem;
  // Some offers may be left out by now, and hints name them by their places.
  required = { ...required, extensions: { ...required.extensions, ...authHintsFor(host, required.accepts) } };
  if (host.signer) required = await withSignedOffers(call, host.signer, required);
  const body = isVersion1 ? version1(quote, required.error) : bodyOf(required);
  return { header: headerOf(required), body };
}

interface Encoded {
  header: string;
  body: string;
}

/** Clients of version 1 have no retry keys. */
const version1 = ({ capability, url, template }: Quote, error: string): string =>
  version1BodyOf({ capability, url, error, exact: template.exact });

interface InMpp {
  /** The header with the same offers. */
  challenges?: string | undefined;
  /** Beside the offers, for callers of that protocol. */
  problem?: PaymentProblem | undefined;
}

const NOTHING: InMpp = {};

/** The answer in the words of the Machine Payments Protocol. */
async function inMpp(call: Call, { template }: Quote, refused: PaymentRefused | undefined): Promise<InMpp> {
  const { host, requestId } = call;
  const { headers } = call.request;
  const preference = readPreference(headers.get("accept-payment"));
  const secret = host.payments.knownSecret() ?? (await host.payments.secret());
  const { chargeOf } = host.payments;
  const options = { realm: realmOf(call), now: host.now(), preference, chargeOf };
  const challenges = secret === undefined ? undefined : paymentChallenge(template.exact, { ...options, secret });
  // A caller with an account gets the problem of its account.
  if (refused?.options.problem) return { challenges };
  return { challenges, problem: paymentProblem({ headers, preference, refused, challenges, requestId }) };
}

/** The lack of an account, as a problem document in the same body. */
function problemBeside({ host, requestId }: Call, { code, message, options }: PaymentRefused): object {
  const isKnown = code === "BALANCE_TOO_SMALL" || code === "GRANT_EXPIRED" || code === "ACCOUNT_LIMIT";
  const known = isKnown ? code : "PAYMENT_REQUIRED";
  return { ...problemDocument(known, { slug: host.brand.slug, detail: message, requestId }), ...options.problem };
}

/** Clients of version 2 read only the header, so the header also contains the reason of a refusal. */
function withReason(required: PaymentRequired, { message, code, options }: PaymentRefused): PaymentRequired {
  const { correction, withoutChannels } = options;
  const accepts = required.accepts
    .filter(({ scheme }) => !withoutChannels || scheme !== "batch-settlement")
    .map((offer) =>
      correction?.scheme === offer.scheme && correction.network === offer.network
        ? { ...offer, extra: { ...offer.extra, ...correction.extra } }
        : offer,
    );
  return { ...required, accepts, error: message, code, ...(correction ? { correction: correction.error } : {}) };
}
