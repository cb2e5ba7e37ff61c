/** Lines of callers that wait until another one lets them go on. */

/** One that waits, with what the others choose by. */
export type Waiter<T extends object = object> = T & { start(): void };

export interface WaitOptions {
  /** How long it waits at most, in milliseconds; without it, for as long as its signal lets it. */
  ms?: number;
  signal?: AbortSignal | undefined;
  /** At the front: for a caller that was woken in vain. */
  first?: boolean;
}

/** Resolves to true once the waiter was started, to false when its time is up or it left; it is out of the line by then. */
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
