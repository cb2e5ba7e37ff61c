/** Ends of time: deadlines, cancelled calls and the errors that they become. */
import { CapabilityError } from "../errors.js";

/** The error for an aborted call: who left decides what it is called. */
export function abortError(signal: AbortSignal, what: string): CapabilityError {
  const timedOut = signal.reason instanceof DOMException && signal.reason.name === "TimeoutError";
  return timedOut
    ? new CapabilityError("UPSTREAM_TIMEOUT", `${what} did not finish in time.`)
    : new CapabilityError("UPSTREAM_ERROR", `${what} was cancelled.`);
}

/**
 * For work that does not watch a signal itself: a capability, name resolution, a fetch that somebody injected. Once the
 * signal aborts it rejects with its reason, or, where `what` names the work, with the error for callers.
 */
export async function beforeAbort<T>(work: Promise<T> | T, signal: AbortSignal, what?: string): Promise<T> {
  if (!(work instanceof Promise)) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(what === undefined ? signal.reason : abortError(signal, what));
    // It may have been aborted while the work was being started.
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * AbortSignal.timeout for use in AbortSignal.any. Node 20 collects a timeout that only a combined signal refers to as
 * garbage, and then it never fires; one that somebody listens to is kept.
 */
export function timeoutSignal(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener("abort", () => {}, { once: true });
  return signal;
}

export interface Deadline {
  /** Aborts with a TimeoutError when the time is up, or with the outer signal's reason. */
  readonly signal: AbortSignal;
  /** Ends it without aborting. Whoever makes one clears it. */
  clear(): void;
}

/**
 * A signal that aborts after `ms`, or with `outer`. Its timer is held, unlike that of AbortSignal.timeout combined by
 * AbortSignal.any, which Node 20 may collect as garbage before it fires.
 */
export function deadline(ms: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const onAbort = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException("The time is up.", "TimeoutError")), ms);
  if (outer?.aborted) onAbort();
  outer?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", onAbort);
    },
  };
}
