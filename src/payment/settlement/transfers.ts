/** Which payment a transfer on chain was counted for: one proves one payment, whatever else is in its transaction. */
import { keepNewest } from "../../lib/bounded.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";

/** Longer than any record of a payment that could still look for it. */
const TTL_MS = 30 * DAY_MS;

export interface Transfers {
  /** Counts a transfer for a payment; false when it was counted for another one. Asked again, the answer is the same. */
  claim(network: string, proof: string, paymentId: string): Promise<boolean>;
  /** Whether this process heard of a transaction for another payment before: one may hold several, or a word be wrong. */
  isOthers(network: string, transaction: string, paymentId: string): boolean;
}

/** A word that is wrong comes soon after the one that was right. */
const MOST_HEARD = 10_000;

export const createTransfers = (store: Store, heard = new Map<string, string>()): Transfers => ({
  isOthers(network, transaction, paymentId) {
    const key = `${network}:${transaction}`;
    const first = heard.get(key);
    if (first !== undefined) return first !== paymentId;
    keepNewest(heard, key, paymentId, MOST_HEARD);
    return false;
  },
  async claim(network, proof, paymentId) {
    const key = `transfer:${network}:${proof}`;
    if ((await store.put(key, paymentId, { ifVersion: 0, ttlMs: TTL_MS })) !== undefined) return true;
    return (await store.get(key))?.value === paymentId;
  },
});
