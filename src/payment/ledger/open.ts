/** Payments whose money is on its way: not settled for certain yet, so in no ledger. */

import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { OwnAccounts } from "../own-accounts.js";
import type { Records } from "../record.js";
import { amountOf } from "../x402/facilitator.js";

export interface OpenPayment {
  endpoint: string;
  payer: string;
  network: string;
  /** In atomic units of `asset`. */
  amount: string;
  asset: string;
  /** How often the facilitator was asked. */
  attempts: number;
  requestId: string;
}

/** No payment's record lives longer. */
const HORIZON_MS = 30 * DAY_MS;
const MOST = 1000;

/** Up to a thousand of them, those that are looked at next first. */
export async function openPayments(
  store: Store,
  { records, own }: { records: Records; own: OwnAccounts },
  now: number,
): Promise<OpenPayment[]> {
  const keys = await store.due(now + HORIZON_MS, MOST);
  const open: OpenPayment[] = [];
  for (const key of keys) {
    const found = await records.read(key).catch(() => undefined);
    if (found?.record.state !== "settling" || !own.has(found.record.payment.requirements)) continue;
    const { payment, attempts, requestId } = found.record;
    const { network, asset } = payment.requirements;
    const endpoint = payment.paidFor?.endpoint ?? "";
    open.push({ endpoint, payer: payment.payer, network, asset, amount: amountOf(payment), attempts, requestId });
  }
  return open;
}
