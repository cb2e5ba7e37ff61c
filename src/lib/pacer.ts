/** Divides long computations, so that other users of the event loop wait for a slice and not for all of it. */
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 8;

export interface Pacer {
  /** Whether the slice is used up. */
  isDue(): boolean;
  /** Lets other work run, and begins a new slice. */
  rest(): Promise<void>;
}

/**
 * `if (pacer.isDue()) await pacer.rest()` in a loop costs almost nothing while the slice lasts. A pause of `restTimes`
 * slices keeps the computation to that share of the thread; without it, other work gets one turn.
 */
export function createPacer(sliceMs = SLICE_MS, restTimes = 0): Pacer {
  let startedAt = performance.now();
  const pause = (): Promise<void> => {
    // guard: wallets: the reading of long bodies rests | always | pacer
    if (restTimes === 0) return setImmediate();
    const ms = restTimes * (performance.now() - startedAt);
    return new Promise((resolve) => setTimeout(resolve, ms));
  };
  return {
    isDue: () => performance.now() - startedAt >= sliceMs,
    async rest() {
      await pause();
      startedAt = performance.now();
    },
  };
}
