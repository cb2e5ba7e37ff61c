/**
 * How much work is done for a payer that is not settled yet. A wallet with money for one call can sign a thousand, and
 * each is verified well; only one of them will settle, so the others must not all run.
 */

import type { Micros } from "../../lib/money.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { accountId } from "../rails/accounts.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";

const WINDOW_MS = HOUR_MS;

/** Of a payment: whose, and how much. */
export type Unsettled = Pick<PaymentToSettle, "payer" | "requirements">;

export interface Exposure {
  /** Counts a payment in. Rejects with PaymentRefused when too much of its payer's is unsettled already. */
  take(payment: Unsettled): Promise<void>;
  /** It was settled, or came to nothing. What is never freed is forgotten after an hour. */
  free(payment: Unsettled): Promise<void>;
}

export function createExposure(store: Store, max: Micros): Exposure {
  const keyOf = ({ payer, requirements }: Unsettled) => `unsettled:${accountId(requirements.network, payer)}`;
  const amountOf = ({ requirements }: Unsettled) => Number(requirements.amount);
  const free = async (payment: Unsettled) => {
    await store.increment(keyOf(payment), -amountOf(payment), { ttlMs: WINDOW_MS });
  };
  return {
    free,
    async take(payment) {
      const amount = amountOf(payment);
      const total = (await store.increment(keyOf(payment), amount, { ttlMs: WINDOW_MS })) ?? 0;
      // One call may always run, however dear: its payer owes nothing yet.
      if (total <= Number(max) || total <= amount) return;
      await free(payment);
      throw new PaymentRefused("UNSETTLED_LIMIT", "Too much of what this wallet ordered is not settled yet.", {
        retryAfter: 60,
      });
    },
  };
}
