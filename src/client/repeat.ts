/** Sends until somebody answers: a lost reply, a proxy's error and a pending settlement say nothing of what became of a call. */
import { CapabilityError } from "../errors.js";
import { codeOf, type Reply, retryAfterOf } from "./reply.js";

export interface Patience {
  /** How often what was lost is sent again. */
  retries: number;
  /** How long all of it may take. */
  maxWaitMs: number;
}

const FIRST_PAUSE_MS = 250;
const PENDING = "SETTLEMENT_PENDING";
/** Answers after which the same request may do better, or is even needed to learn what became of it. */
const UNDECIDED = new Set([undefined, PENDING, "FACILITATOR_UNAVAILABLE", "OVERLOADED", "INTERNAL"]);

/** Whether an answer leaves open what became of a call: of a payment that came with it, and of its result. */
export const isUndecided = (reply: Reply): boolean => reply.status >= 500 && UNDECIDED.has(codeOf(reply));

/** The first answer that decides, or the last that there was. Rejects with what the last sending was lost to. */
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
    // An answer that is too large is so the next time as well.
    if (!answered && (isRefusal(reply.error) || CapabilityError.is(reply.error))) throw reply.error;
    // A settlement is waited for as long as there is time: asking for it costs nobody anything.
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

/** What a paying fetch throws when it will not or cannot sign: nothing was sent that could be lost. */
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
