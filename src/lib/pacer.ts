/** Divides long computations, so that other users of the event loop wait for a slice and not for all of it. */
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 8;

export interface Pacer {
  /** Whether the slice is used up. */
  isDue(): boolean;
  /** Lets other work run, and begins a new slice. */
  rest(): Promise<void>;
}

/** `if (pacer.isDue()) await pacer.rest()` in a loop costs almost nothing while the slice lasts. */
export function createPacer(sliceMs = SLICE_MS): Pacer {
  let startedAt = performance.now();
  return {
    isDue: () => performance.now() - startedAt >= sliceMs,
    async rest() {
      await setImmediate();
      startedAt = performance.now();
    },
  };
}
