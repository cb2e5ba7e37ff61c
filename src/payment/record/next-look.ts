/** When to look for a payment on chain that was not settled, because credit paid instead. */
import { MINUTE_MS } from "../../lib/time.js";

/** For a payment that names no expiry, as on Solana, where a signed transaction lives about a minute. */
const LIFE_MS = 3 * MINUTE_MS;
/** All nodes know by then what was in a block at the very end of its life. */
const AFTER_MS = MINUTE_MS;
const LEAST_MS = 10 * MINUTE_MS;

export interface Watched {
  /** Epoch seconds. */
  validBefore?: number | undefined;
  /** When its call was answered (epoch milliseconds). */
  settledAt: number;
}

/** When it can no longer appear on chain (epoch milliseconds). */
export const watchedUntil = ({ validBefore, settledAt }: Watched): number =>
  (validBefore === undefined ? settledAt + LIFE_MS : validBefore * 1000) + AFTER_MS;

/** Once, after its end; of a payment that lives long, also before, less and less often. */
export function nextLook(watched: Watched, now: number): number {
  const age = now - watched.settledAt;
  return Math.min(Math.max(watchedUntil(watched), now), now + Math.max(LEAST_MS, age));
}
