/** The only place that turns errors into answers: problem details, RFC 9457. */
import { type CapabilityError, needsPackage, packageMissingIn, toCapabilityError } from "../errors.js";
import type { Host } from "../host/host.js";
import { createTally, type Tally } from "../lib/tally.js";
import type { Call } from "./call.js";
import { baseHeaders } from "./headers.js";
import type { PlainResponse } from "./http/exchange.js";
import { PROBLEM_TYPE, type Problem, problemDocument } from "./http/problem-document.js";
import { speaksOpenAi } from "./openai/alias.js";
import { withOpenAiError } from "./openai/error.js";

/** A call that was paid in advance and failed: the answer also tells what happens to the money. */
export class FailedAfterPayment extends Error {
  constructor(
    cause: unknown,
    readonly headers: Record<string, string>,
  ) {
    super("failed after its payment", { cause });
  }
}

/** The name of a missing key or program concerns only the host, so it is in the log and in the event. */
const detailFor = (code: string, message: string): string =>
  code === "PROVIDER_NOT_CONFIGURED"
    ? "This endpoint is not configured on this service; nothing was charged."
    : message;

const tallies = /* @__PURE__ */ new WeakMap<Host, Tally>();

/**
 * Unpaid failures must not fill the log: one line per endpoint, code and minute, with the number of failures since the
 * last line.
 */
function linesFor({ host, event }: Call, code: string): number | undefined {
  if (event.caller !== undefined && event.caller !== "none") return 1;
  const tally = tallies.get(host) ?? createTally(host.now);
  tallies.set(host, tally);
  // guard: wallets: what nobody pays for fills no log | returns 1 | what-hosts-learn
  return tally(`${event.id} ${code}`);
}

/** An error as a problem document. */
export function problemOf({ host, requestId }: Call, error: CapabilityError): Problem {
  const { code, status, message, issues, reasonCode, failures } = error;
  const lacking = packageMissingIn(error);
  return problemDocument(code, {
    slug: host.brand.slug,
    detail: lacking ? needsPackage(lacking) : detailFor(code, message),
    requestId,
    status,
    reasonCode,
    ...(issues ? { issues } : {}),
    ...(failures
      ? { failures: failures.map((failure) => ({ ...failure, detail: detailFor(failure.code, failure.detail) })) }
      : {}),
  });
}

/** Notes a failure in the call's event and in the log. */
export function noteFailure(call: Call, error: CapabilityError): void {
  const { code, status, message } = error;
  call.event.outcome = code === "SETTLEMENT_PENDING" ? "pending" : "failed";
  call.event.code = code;
  call.event.error = code === "INTERNAL" ? error.cause : error;
  if (error.reasonCode !== undefined) call.event.reasonCode = error.reasonCode;
  const count = status >= 500 || code === "NOT_ALLOWED" ? linesFor(call, code) : undefined;
  if (count === undefined) return;
  const facts = { requestId: call.requestId, endpoint: call.event.id, code, cause: error.cause };
  call.host.options.logger[status === 500 ? "error" : "warn"](count > 1 ? { ...facts, count } : facts, message);
}

/** The answer for anything thrown. Errors other than CapabilityError show no details; the log gets them in full. */
export function problem(call: Call, thrown: unknown): PlainResponse {
  const paid = thrown instanceof FailedAfterPayment ? thrown : undefined;
  const error = toCapabilityError(paid ? paid.cause : thrown);
  const { code, status, retryAfter } = error;
  noteFailure(call, error);
  const body = problemOf(call, error);
  if (paid && code !== "ANSWER_NOT_KEPT") body.detail += " Your payment for this call is being refunded.";
  const headers = {
    ...baseHeaders(call),
    "content-type": PROBLEM_TYPE,
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...(code === "INVALID_KEY" ? { "www-authenticate": 'Bearer error="invalid_token"' } : {}),
    ...(code === "METHOD_NOT_ALLOWED" ? { allow: call.host.routes.allowedAt(call.url.pathname) } : {}),
    ...paid?.headers,
  };
  const told = speaksOpenAi(call) ? withOpenAiError(body) : body;
  return { status, headers, body: call.request.method === "HEAD" ? null : JSON.stringify(told) };
}
