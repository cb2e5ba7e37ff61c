/**
 * What replies take up that nobody has paid for: of payments that were refused, which may still come back, and of those
 * of which it is not known. A wallet with money for one call signs a thousand, and each of them leaves a reply.
 */
import { keepNewest } from "../../lib/bounded.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import { accountId } from "../rails/accounts.js";
import type { PaymentRecord } from "../record.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { Unsettled } from "./exposure.js";

const KB = 1024;
const MB = 1024 * KB;
/** Of refused payments: beyond it their replies are made anew, should the payments come back and be settled. */
const REFUSED = { payer: 32 * KB, all: 8 * MB };
/** Of unclear ones, which are owed: beyond it no new work is done. */
const UNCLEAR = { payer: 4 * MB, all: 64 * MB };
/** How long a process takes nothing from who was found beyond it; then it looks again. */
const PAUSE_MS = MINUTE_MS;
const MOST_PAUSED = 10_000;
/** A payment that does not say how long it lives is over by then, as far as anybody can tell. */
const LIFE_MS = 5 * MINUTE_MS;

export interface KeptReplies {
  /** Counts the reply of a refused payment in; false where there is no room for it. */
  refused(record: PaymentRecord): Promise<boolean>;
  /** Counts that of an unclear one in, which is kept in any case. */
  unclear(record: PaymentRecord): Promise<void>;
  /** It is paid for, or kept no more. */
  free(record: PaymentRecord): Promise<void>;
  /** Throws PaymentRefused where a payer, or all of them, keep too much already. Asks no store. */
  assertRoom(payment: Unsettled): void;
}

export const sizeOf = ({ outcome = "" }: PaymentRecord): number => outcome.length;

/** Until when a refused payment may still be settled: no longer is its reply kept. An authorization may live for years. */
export const keptUntilOf = ({ validBefore, payment }: PaymentRecord, now: number): number => {
  const ends = validBefore === undefined ? (payment.since ?? now / 1000) * 1000 + LIFE_MS : validBefore * 1000;
  return Math.min(ends, now + HOUR_MS);
};

export function createKeptReplies(store: Store, now: () => number): KeptReplies {
  const options = { ttlMs: DAY_MS };
  /** By payer, and under "all": until when nothing is taken. */
  const paused = new Map<string, number>();
  const payerOf = ({ payer, requirements }: Unsettled) => accountId(requirements.network, payer);
  const keysOf = (kind: string, payment: Unsettled) => [`${kind}:${payerOf(payment)}`, `${kind}:all`] as const;
  const pause = (name: string) => keepNewest(paused, name, now() + PAUSE_MS, MOST_PAUSED);

  return {
    async refused(record) {
      const size = sizeOf(record);
      const [payer, all] = keysOf("refused", record.payment);
      if ((await store.increment(payer, size, { ...options, max: REFUSED.payer })) === undefined) return false;
      if ((await store.increment(all, size, { ...options, max: REFUSED.all })) !== undefined) return true;
      await store.increment(payer, -size, options);
      return false;
    },
    async unclear(record) {
      const size = sizeOf(record);
      const [payer, all] = keysOf("unclear", record.payment);
      if (((await store.increment(payer, size, options)) ?? 0) > UNCLEAR.payer) pause(payerOf(record.payment));
      if (((await store.increment(all, size, options)) ?? 0) > UNCLEAR.all) pause("all");
    },
    async free({ payment, kept }) {
      if (!kept) return;
      for (const key of keysOf(kept.as, payment)) await store.increment(key, -kept.size, options);
    },
    assertRoom(payment) {
      const until = Math.max(paused.get(payerOf(payment)) ?? 0, paused.get("all") ?? 0);
      if (until <= now()) return;
      throw new PaymentRefused(
        "UNSETTLED_LIMIT",
        "Too much of what was ordered before is kept and not settled yet. Send the earlier payments again, or wait.",
        { retryAfter: Math.ceil((until - now()) / 1000) },
      );
    },
  };
}
