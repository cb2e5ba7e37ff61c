/** The record of a payout: written before it is sent, and kept to be listed. */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { fromMicros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { refundSchema } from "../record/facts.js";
import type { BegunPayout } from "./shares.js";
import { partsOf } from "./shares.js";

const KEPT_MS = 400 * DAY_MS;
const PAGE = 500;
/** Payouts listed with a receiver. */
const LISTED = 20;

const stored = once(() =>
  z.object({
    account: z.string(),
    /** Its canonical form, and as the host writes it. */
    to: z.string(),
    payTo: z.string(),
    asset: z.string(),
    units: z.string(),
    isRated: z.boolean().optional(),
    at: z.number(),
    /** Its progress, as that of a refund: the same steps make both. */
    sent: refundSchema(),
    /** Until when nothing is tried, and when it was on chain. Epoch milliseconds. */
    nextAt: z.number().optional(),
    paidAt: z.number().optional(),
  }),
);
export type PayoutRecord = z.infer<ReturnType<typeof stored>>;

/** A payment to one of those who share an account. */
export interface Payout {
  network: string;
  payTo: string;
  usd: string;
  /**
   * `pending`: it is retried in the background, and never sent twice. `held`: it was not begun, for the `reason`, and its
   * amount is still owed.
   */
  state: "paid" | "pending" | "held";
  /** When it began, in ISO 8601. */
  at?: string;
  transaction?: string;
  /** The last failure. */
  reason?: string;
}

const keyOf = (account: string, id: string): string => `payout:${account}:${id}`;

export async function writePayout(
  store: Store,
  { account, id, version }: { account: string; id: string; version: number },
  record: PayoutRecord,
): Promise<number | undefined> {
  return store.put(keyOf(account, id), JSON.stringify(record), { ifVersion: version, ttlMs: KEPT_MS });
}

/** The record of a payout that was begun: made now if a crash came before it. */
export async function payoutOf(
  store: Store,
  account: string,
  { id, amount, by, ...facts }: BegunPayout,
): Promise<{ record: PayoutRecord; version: number }> {
  for (;;) {
    const found = await store.get(keyOf(account, id));
    if (found) return { record: stored().parse(JSON.parse(found.value)), version: found.version };
    const sent = { amount, state: "owed" as const, attempts: 0, ...(by ? { by } : {}) };
    const record: PayoutRecord = { account, ...facts, sent };
    const version = await writePayout(store, { account, id, version: 0 }, record);
    if (version !== undefined) return { record, version };
  }
}

export function answerOf({ account, payTo, at, sent }: PayoutRecord): Payout {
  const { state, amount, transaction, reason } = sent;
  const isPaid = state === "returned";
  return {
    network: partsOf(account).network,
    payTo,
    usd: fromMicros(BigInt(amount)),
    state: isPaid ? "paid" : "pending",
    at: new Date(at).toISOString(),
    ...(transaction ? { transaction } : {}),
    ...(reason !== undefined && !isPaid ? { reason } : {}),
  };
}

/** The last payouts from an account, by receiver, oldest first. */
export async function lastPayouts(store: Store, account: string): Promise<Map<string, Payout[]>> {
  const byReceiver = new Map<string, Payout[]>();
  const prefix = keyOf(account, "");
  for (let after = prefix; ; ) {
    const page = await store.list(prefix, { limit: PAGE, after });
    for (const { value } of page) {
      const record = stored().parse(JSON.parse(value));
      const others = byReceiver.get(record.to) ?? [];
      byReceiver.set(record.to, [...others, answerOf(record)].slice(-LISTED));
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return byReceiver;
    after = last.key;
  }
}
