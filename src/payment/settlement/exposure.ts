/**
 * Limits the unsettled work of each payer. A wallet with money for one call can sign a thousand payments that all
 * verify, and only one of them will settle.
 */

import type { Micros } from "../../lib/money.js";
import { HOUR_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { accountId } from "../networks/accounts.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import { PaymentRefused } from "../x402/refusal.js";
import { usdOf } from "../x402/usd.js";

const WINDOW_MS = HOUR_MS;

/** Payer and amount of a payment. */
export type Unsettled = Pick<PaymentToSettle, "payer" | "requirements">;

export interface Exposure {
  /** Counts a payment. Rejects with PaymentRefused if too much of its payer's is unsettled. */
  take(payment: Unsettled): Promise<void>;
  /** Ends the count, because the payment was settled or failed. Entries that are never freed expire after an hour. */
  free(payment: Unsettled): Promise<void>;
}

export function createExposure(store: Store, max: Micros): Exposure {
  const keyOf = ({ payer, requirements }: Unsettled) => `unsettled:${accountId(requirements.network, payer)}`;
  const amountOf = ({ requirements }: Unsettled) => Number(usdOf(requirements));
  const free = async (payment: Unsettled) => {
    await store.increment(keyOf(payment), -amountOf(payment), { ttlMs: WINDOW_MS });
  };
  return {
    free,
    async take(payment) {
      const amount = amountOf(payment);
      const total = (await store.increment(keyOf(payment), amount, { ttlMs: WINDOW_MS })) ?? 0;
      // A single call may always run, however expensive, because its payer owes nothing yet.
      // guard: unsettled work of a payer is capped | always | PAYMENT
      if (total <= Number(max) || total <= amount) return;
      await free(payment);
      throw new PaymentRefused("UNSETTLED_LIMIT", "Too many calls of this wallet are not settled yet.", {
        retryAfter: 60,
      });
    },
  };
}
