/** Lines of callers that wait until another caller starts them. */

/** A waiting caller, with the properties by which it is chosen. */
export type Waiter<T extends object = object> = T & { start(): void };

export interface WaitOptions {
  /** Maximum wait in milliseconds; without it, as long as its signal allows. */
  ms?: number;
  signal?: AbortSignal | undefined;
  /** At the front of the line: for a caller that was started without a free place. */
  first?: boolean;
}

/**
 * Resolves to true once the caller was started, to false after its time limit or when it left; it is then out of the
 * line.
 */
export function waitIn<T extends object>(
  line: Waiter<T>[],
  facts: T,
  { ms, signal, first = false }: WaitOptions,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isStarted: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
      const at = line.indexOf(waiter);
      if (at >= 0) line.splice(at, 1);
      resolve(isStarted);
    };
    const leave = () => end(false);
    const waiter: Waiter<T> = { ...facts, start: () => end(true) };
    const timer = ms === undefined ? undefined : setTimeout(leave, Math.max(0, ms));
    timer?.unref();
    signal?.addEventListener("abort", leave, { once: true });
    if (first) line.unshift(waiter);
    else line.push(waiter);
    if (signal?.aborted) leave();
  });
}
