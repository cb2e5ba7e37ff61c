/**
 * How much work is done for a payer that is not settled yet. A wallet with money for one call can sign a thousand, and
 * each is verified well; only one of them will settle, so the others must not all run.
 */

import type { Micros } from "../../lib/money.js";
import type { Store } from "../../stores/store.js";
import { PaymentRefused } from "../x402/refusal.js";

const WINDOW_MS = 3600 * 1000;

export interface Exposure {
  /** Counts a call in. Rejects with PaymentRefused when too much of this payer's is unsettled already. */
  take(payer: string, amount: Micros): Promise<void>;
  /** It was settled, or came to nothing. What is never freed is forgotten after an hour. */
  free(payer: string, amount: Micros): Promise<void>;
}

export function createExposure(store: Store, max: Micros): Exposure {
  const keyOf = (payer: string) => `unsettled:${payer.toLowerCase()}`;
  const free = async (payer: string, amount: Micros) => {
    await store.increment(keyOf(payer), -Number(amount), { ttlMs: WINDOW_MS });
  };
  return {
    free,
    async take(payer, amount) {
      const total = (await store.increment(keyOf(payer), Number(amount), { ttlMs: WINDOW_MS })) ?? 0;
      // One call may always run, however dear: its payer owes nothing yet.
      if (total <= Number(max) || total <= Number(amount)) return;
      await free(payer, amount);
      throw new PaymentRefused("UNSETTLED_LIMIT", "Too much of what this wallet ordered is not settled yet.", {
        retryAfter: 60,
      });
    },
  };
}
