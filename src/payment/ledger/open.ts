/** Open amounts: payments without a certain settlement, which are in no ledger yet, and overdue refunds. */

import { fromMicros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { OVERDUE_MS } from "../record/facts.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { isAwaitingWork, type PaymentRecord } from "../record/record.js";
import type { Records } from "../record/records.js";
import { amountOf } from "../x402/facilitator.js";
import { entriesOf, type LedgerEntry } from "./ledger.js";

export interface OpenPayment {
  endpoint: string;
  payer: string;
  network: string;
  /** In atomic units of `asset`. */
  amount: string;
  asset: string;
  /** Number of requests to the facilitator. */
  attempts: number;
  requestId: string;
  /** When it was taken, in ISO 8601; absent in records of older releases. */
  since?: string;
}

/** No payment's record lives longer. */
const HORIZON_MS = 30 * DAY_MS;
const MOST = 1000;
/** Most due records are settled and only checked once more. */
const MOST_DUE = 5000;
const AT_A_TIME = 20;

/** A refund that is owed for more than an hour. */
export interface OverdueRefund {
  endpoint: string;
  payer: string;
  network: string;
  owedUsd: string;
  /** When its payment was settled, or the host asked for it, in ISO 8601. */
  since: string;
  /** Number of failed attempts. */
  attempts: number;
  /** Reason of the last failure. */
  reason?: string;
  requestId: string;
}

/** Up to a thousand open payments, in the order in which they are handled next. */
export async function openPayments(store: Store, of: OwnRecords, now: number): Promise<OpenPayment[]> {
  const open: OpenPayment[] = [];
  for await (const record of unfinished(store, of, now)) {
    if (record.state !== "settling") continue;
    const { payment, attempts, requestId, endpoint } = record;
    const { network, asset } = payment.requirements;
    const since = payment.since === undefined ? {} : { since: new Date(payment.since * 1000).toISOString() };
    open.push({
      ...{ endpoint, payer: payment.payer, network, asset, amount: amountOf(payment), attempts, requestId },
      ...since,
    });
    if (open.length === MOST) break;
  }
  return open;
}

/** Overdue refunds among the payments that are handled next. */
export async function overdueRefunds(store: Store, of: OwnRecords, now: number): Promise<OverdueRefund[]> {
  const overdue: OverdueRefund[] = [];
  for await (const record of unfinished(store, of, now)) {
    if (record.state !== "settled") continue;
    const { payment, refund, settledAt = now, requestId, endpoint } = record;
    if (refund?.state !== "owed" || now - settledAt < OVERDUE_MS) continue;
    const { attempts, reason, amount } = refund;
    overdue.push({
      endpoint,
      payer: payment.payer,
      network: payment.requirements.network,
      owedUsd: fromMicros(BigInt(amount)),
      since: new Date(settledAt).toISOString(),
      attempts,
      requestId,
      ...(reason === undefined ? {} : { reason }),
    });
  }
  return overdue;
}

interface OwnRecords {
  records: Records;
  own: OwnAccounts;
}

async function* unfinished(store: Store, { records, own }: OwnRecords, now: number): AsyncGenerator<PaymentRecord> {
  const read = (key: string) => records.read(key).catch(() => undefined);
  for await (const { record } of readDue(store, now, read)) if (own.has(record.payment.requirements)) yield record;
}

/** The entries that the background handles next, in that order; those that `read` does not know are left out. */
export async function* readDue<T>(
  store: Store,
  now: number,
  read: (key: string) => Promise<T | undefined>,
): AsyncGenerator<T> {
  const keys = await store.due(now + HORIZON_MS, MOST_DUE);
  for (let start = 0; start < keys.length; start += AT_A_TIME)
    for (const entry of await Promise.all(keys.slice(start, start + AT_A_TIME).map(read))) if (entry) yield entry;
}

/**
 * Payments made in advance that are neither earned nor returned: owed until the work is done or the money goes back.
 */
export async function unearned(store: Store, of: OwnRecords, now: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const record of unfinished(store, of, now)) {
    if (!isAwaitingWork(record)) continue;
    const { credit: _, ...paid } = record;
    const [sale] = entriesOf(paid, now);
    if (sale) entries.push({ ...sale, calls: 0, earned: 0n });
  }
  return entries;
}
