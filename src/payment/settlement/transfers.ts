/** Which payment a transfer on chain was counted for: one proves one payment, whatever else is in its transaction. */
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";

/** Longer than any record of a payment that could still look for it. */
const TTL_MS = 30 * DAY_MS;

export interface Transfers {
  /** Counts a transfer for a payment; false when it was counted for another one. Asked again, the answer is the same. */
  claim(network: string, proof: string, paymentId: string): Promise<boolean>;
}

export const createTransfers = (store: Store): Transfers => ({
  async claim(network, proof, paymentId) {
    const key = `transfer:${network}:${proof}`;
    if ((await store.put(key, paymentId, { ifVersion: 0, ttlMs: TTL_MS })) !== undefined) return true;
    return (await store.get(key))?.value === paymentId;
  },
});
