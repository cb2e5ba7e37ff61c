/** Time limits: deadlines, cancelled calls and their errors. */
import { CapabilityError } from "../errors.js";

/** Whether a signal aborted because the time was up, and not because somebody left. */
export const isTimeUp = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";

/** The error for an aborted call, which depends on who ended it. */
export function abortError(signal: AbortSignal, what: string): CapabilityError {
  return isTimeUp(signal)
    ? new CapabilityError("UPSTREAM_TIMEOUT", `${what} did not finish in time.`)
    : new CapabilityError("UPSTREAM_ERROR", `${what} was cancelled.`);
}

/**
 * For work that does not watch a signal itself: a capability, name resolution, an injected fetch. When the signal
 * aborts, it rejects with the signal's reason, or, if `what` names the work, with the error for callers.
 */
export async function beforeAbort<T>(work: Promise<T> | T, signal: AbortSignal, what?: string): Promise<T> {
  if (!(work instanceof Promise)) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(what === undefined ? signal.reason : abortError(signal, what));
    // It may have been aborted while the work was started.
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

export const timeUp = () => new DOMException("The time is up.", "TimeoutError");

export interface Deadline {
  /** Aborts with a TimeoutError at the time limit, or with the reason of an outer signal. */
  readonly signal: AbortSignal;
  /** Ends it without aborting. Its creator has to call this. */
  clear(): void;
}

/**
 * A signal that aborts after `ms`, or with an outer one. Its timer is referenced, unlike that of AbortSignal.timeout
 * combined by AbortSignal.any, which Node 20 may collect as garbage before it fires. It keeps no process alive.
 */
export function deadline(ms: number, ...outer: (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeUp()), ms);
  timer.unref();
  const ends = outer.map((signal) => {
    const onAbort = () => controller.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    return () => signal?.removeEventListener("abort", onAbort);
  });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      for (const end of ends) end();
    },
  };
}

/** Time limit for work that takes no signal: rejects with a TimeoutError, while the work itself may continue. */
export function atMost<T>(ms: number, work: () => Promise<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = Promise.resolve(work());
    const timer = setTimeout(() => reject(timeUp()), ms);
    timer.unref();
    const end =
      <A>(settle: (outcome: A) => void) =>
      (outcome: A) => {
        clearTimeout(timer);
        settle(outcome);
      };
    done.then(end(resolve), end(reject));
  });
}

/** Time limit for work with a signal, which aborts at the limit, or with an outer signal. */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  ...outer: AbortSignal[]
): Promise<T> {
  const { signal, clear } = deadline(ms, ...outer);
  try {
    return await beforeAbort(work(signal), signal);
  } finally {
    clear();
  }
}
