/** The record of a refund that the host asked for. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { OverdueRefund } from "../ledger/open.js";
import type { SaleEntry } from "../ledger/sales.js";
import { CHANNEL_SCHEME } from "../rails/channel.js";
import { OVERDUE_MS, type Refund, refundSchema } from "../record/facts.js";
import type { PaymentToSettle } from "../x402/facilitator.js";
import { isHostRefund } from "./host-refund-key.js";

export const KEPT_MS = 400 * DAY_MS;

const stored = once(() =>
  z.object({
    /** The sale's payment, and what the ledger knew of it. */
    payment: z.string(),
    endpoint: z.string(),
    requestId: z.string().optional(),
    payer: z.string(),
    account: z.string().optional(),
    network: z.string().optional(),
    asset: z.string().optional(),
    transaction: z.string(),
    /** Scheme of the payment, if it was a channel's: its voucher is claimed later, in a sum with others. */
    scheme: z.string().optional(),
    soldAt: z.number(),
    refund: refundSchema(),
    /** The payment while its refund is owed: its settlement is looked up, also when its own record has expired. */
    settled: z.custom<PaymentToSettle>().optional(),
    /** When the host asked, and until when nothing is tried. Epoch milliseconds; older releases stored neither. */
    askedAt: z.number().optional(),
    nextAt: z.number().optional(),
    /** Whether the ledger has it. */
    booked: z.boolean().optional(),
  }),
);
export type HostRefund = z.infer<ReturnType<typeof stored>>;

/** Undefined for a key of another record, or of none. Rejects for a record that is damaged. */
export async function readHostRefund(
  store: Store,
  key: string,
): Promise<{ entry: HostRefund; version: number } | undefined> {
  const found = isHostRefund(key) ? await store.get(key) : undefined;
  return found && { entry: entryOf(found.value), version: found.version };
}

/** Release 0.1.0 told a voucher by its payment's name alone. */
function entryOf(value: string): HostRefund {
  const entry = stored().parse(JSON.parse(value));
  const isVoucher = entry.scheme === undefined && entry.payment.startsWith("voucher ");
  return isVoucher ? { ...entry, scheme: CHANNEL_SCHEME } : entry;
}

/** The record of a refund that was just asked for. */
export function begun(
  { payment, endpoint, requestId, payer, account, network, asset, transaction, scheme, soldAt }: SaleEntry,
  amount: Micros,
) {
  const refund: Refund = { amount: amount.toString(), state: "owed", attempts: 0 };
  return { payment, endpoint, requestId, payer, account, network, asset, transaction, scheme, soldAt, refund };
}

/** The refund as the ledger names it, if it is overdue. */
export function lateRefund({ refund, askedAt, soldAt, ...sale }: HostRefund, now: number): OverdueRefund[] {
  const { endpoint, payer, network = "", requestId = "" } = sale;
  const since = askedAt ?? soldAt;
  if (refund.state !== "owed" || now - since < OVERDUE_MS) return [];
  const { attempts, reason, amount } = refund;
  const owed = { owedUsd: fromMicros(BigInt(amount)), since: new Date(since).toISOString(), attempts };
  return [{ endpoint, payer, network, requestId, ...owed, ...(reason === undefined ? {} : { reason }) }];
}
