/**
 * Repeats a request until its outcome is known: a lost reply, a proxy's error and a pending settlement are
 * inconclusive.
 */
import { CapabilityError } from "../errors.js";
import { codeOf, type Reply, retryAfterOf } from "./reply.js";

export interface Patience {
  /** Maximum number of repetitions. */
  retries: number;
  /** Maximum total time. */
  maxWaitMs: number;
}

const FIRST_PAUSE_MS = 250;
const PENDING = "SETTLEMENT_PENDING";
/** Answers after which the same request may succeed, or is needed to learn the outcome. */
const UNDECIDED = new Set([undefined, PENDING, "FACILITATOR_UNAVAILABLE", "OVERLOADED", "INTERNAL"]);

/** Whether an answer leaves the outcome of a call, or of its payment, open. */
export const isUndecided = (reply: Reply): boolean => reply.status >= 500 && UNDECIDED.has(codeOf(reply));

/** The first conclusive answer, or the last one. Rejects with the error of the last request. */
export async function repeat(
  send: () => Promise<Reply>,
  { retries, maxWaitMs }: Patience,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  const until = Date.now() + maxWaitMs;
  for (let lost = 0; ; ) {
    const attempt = await send().catch((error: unknown) => ({ error }));
    signal?.throwIfAborted();
    if (isConclusive(attempt)) return replyOf(attempt);
    const reply = "status" in attempt ? attempt : undefined;
    // A pending settlement is awaited as long as there is time, because asking for it is free.
    if (!reply || codeOf(reply) !== PENDING) lost++;
    const wait = reply && retryAfterOf(reply);
    const pauseMs = wait === undefined ? FIRST_PAUSE_MS * 2 ** lost : wait * 1000;
    if (lost > retries || Date.now() + pauseMs > until) return replyOf(attempt);
    await pause(pauseMs, signal);
  }
}

type Attempt = Reply | { error: unknown };

function isConclusive(attempt: Attempt): boolean {
  if ("status" in attempt) return !isUndecided(attempt);
  // An answer that was too large would be so again.
  return isRefusal(attempt.error) || CapabilityError.is(attempt.error);
}

/** Throws the error of a request without an answer. */
function replyOf(attempt: Attempt): Reply {
  if ("status" in attempt) return attempt;
  throw attempt.error;
}

/**
 * Errors of a paying fetch that cannot or will not sign: no payment was sent. A lost reply is never a plain error: a
 * fetch rejects with a TypeError or a DOMException, and what wraps Node's own errors keeps their code or their cause.
 */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && error.name === "Error" && !("code" in error) && error.cause === undefined;

/** Rejects with the reason of the signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave, { once: true });
  });
}
