/** Assigns transfers on chain to payments: a transfer proves one payment, whatever else its transaction contains. */
import { keepNewest } from "../../lib/bounded.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";

/** Longer than any record of a payment that could still look for the transfer. */
const TTL_MS = 30 * DAY_MS;

export interface Transfers {
  /** Assigns a transfer to a payment; false if it is assigned to another. A repetition gives the same answer. */
  claim(network: string, proof: string, paymentId: string): Promise<boolean>;
  /**
   * Whether this process was told the same transaction for another payment: one may contain several, or the facilitator
   * may be wrong.
   */
  isOthers(network: string, transaction: string, paymentId: string): boolean;
}

/** A wrong transaction is reported soon after the right one. */
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
    // guard: a transfer on chain is counted for one payment | returns true | settlement
    return (await store.get(key))?.value === paymentId;
  },
});
