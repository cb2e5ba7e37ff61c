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
    const reply = await send().catch((error: unknown) => ({ error }));
    signal?.throwIfAborted();
    const answered = "status" in reply;
    if (answered && !isUndecided(reply)) return reply;
    // A repeated answer would be too large as well.
    if (!answered && (isRefusal(reply.error) || CapabilityError.is(reply.error))) throw reply.error;
    // A pending settlement is awaited as long as there is time, because asking for it is free.
    const pending = answered && codeOf(reply) === PENDING;
    if (!pending) lost++;
    const wait = answered ? retryAfterOf(reply) : undefined;
    const pauseMs = wait === undefined ? FIRST_PAUSE_MS * 2 ** lost : wait * 1000;
    if (lost > retries || Date.now() + pauseMs > until) {
      if (answered) return reply;
      throw reply.error;
    }
    await pause(pauseMs, signal);
  }
}

/** Errors of a paying fetch that cannot or will not sign: no request was sent. */
export const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  /^(?:Failed to (?:create payment|parse payment)|Payment already attempted)/.test(error.message);

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, ms);
    signal?.addEventListener("abort", leave, { once: true });
  });
}
