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
