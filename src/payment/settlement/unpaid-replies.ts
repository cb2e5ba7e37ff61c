/**
 * Limits the size of unpaid replies: of refused payments, which may still be settled, and of payments with an unclear
 * settlement. A wallet with money for one call can sign a thousand, and each leaves a reply.
 */
import { keepNewest } from "../../lib/bounded.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { accountId } from "../networks/accounts.js";
import type { SavedReply, SettlingPayment } from "../record/record.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { Unsettled } from "./exposure.js";

const KB = 1024;
const MB = 1024 * KB;
/** For refused payments: replies beyond the limit are made again if their payment is settled later. */
const REFUSED = { payer: 32 * KB, all: 8 * MB };
/** For unclear payments, whose replies are owed: beyond the limit no new work is accepted. */
const UNCLEAR = { payer: 4 * MB, all: 64 * MB };
/** How long a process refuses a payer beyond the limit before it checks again. */
const PAUSE_MS = MINUTE_MS;
const MOST_PAUSED = 10_000;
/** A payment without an expiry counts as expired after this. */
const LIFE_MS = 5 * MINUTE_MS;

export interface UnpaidReplies {
  /** Counts the reply of a refused payment; false if the room is used up. */
  refused(record: SavedReply): Promise<boolean>;
  /** Counts the reply of an unclear payment, which is kept in any case. */
  unclear(record: SavedReply): Promise<void>;
  /** Ends the count, because the reply was paid for or deleted. */
  free(record: SettlingPayment): Promise<void>;
  /**
   * Throws PaymentRefused if the replies of the payer, or of all payers, exceed the limit. Sends no request to the
   * store.
   */
  assertRoom(payment: Unsettled): void;
}

export const replySize = ({ outcome }: SavedReply): number => outcome.length;

/**
 * The latest settlement of a refused payment; its reply is kept no longer, although an authorization may live for
 * years.
 */
export const keptUntilOf = ({ validBefore, payment }: SavedReply, now: number): number => {
  const ends = validBefore === undefined ? (payment.since ?? now / 1000) * 1000 + LIFE_MS : validBefore * 1000;
  return Math.min(ends, now + HOUR_MS);
};

export function createUnpaidReplies(store: Store, now: () => number): UnpaidReplies {
  const options = { ttlMs: DAY_MS };
  /** End of the pause, by payer, and under "all". */
  const paused = new Map<string, number>();
  const payerOf = ({ payer, requirements }: Unsettled) => accountId(requirements.network, payer);
  const keysOf = (kind: string, payment: Unsettled) => [`${kind}:${payerOf(payment)}`, `${kind}:all`] as const;
  const pause = (name: string) => keepNewest(paused, name, now() + PAUSE_MS, MOST_PAUSED);

  return {
    async refused(record) {
      const size = replySize(record);
      const [payer, all] = keysOf("refused", record.payment);
      if ((await store.increment(payer, size, { ...options, max: REFUSED.payer })) === undefined) return false;
      if ((await store.increment(all, size, { ...options, max: REFUSED.all })) !== undefined) return true;
      await store.increment(payer, -size, options);
      return false;
    },
    async unclear(record) {
      const size = replySize(record);
      const [payer, all] = keysOf("unclear", record.payment);
      if (((await store.increment(payer, size, options)) ?? 0) > UNCLEAR.payer) pause(payerOf(record.payment));
      if (((await store.increment(all, size, options)) ?? 0) > UNCLEAR.all) pause("all");
    },
    async free(record) {
      if (record.outcome === undefined || !record.kept) return;
      const { as, size } = record.kept;
      for (const key of keysOf(as, record.payment)) await store.increment(key, -size, options);
    },
    assertRoom(payment) {
      const until = Math.max(paused.get(payerOf(payment)) ?? 0, paused.get("all") ?? 0);
      if (until <= now()) return;
      throw new PaymentRefused(
        "UNSETTLED_LIMIT",
        "Too many earlier results are kept for payments that are not settled yet. Send the earlier payments again, or wait.",
        { retryAfter: Math.ceil((until - now()) / 1000) },
      );
    },
  };
}
