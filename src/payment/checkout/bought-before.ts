/**
 * Finds what a wallet bought, for that wallet: a row for each wallet, endpoint and input names its last payments, and lives
 * as long as the answers. It is written before money moves, so that an answer that was lost with its process is found.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { Store } from "../../stores/store.js";
import { accountId } from "../networks/accounts.js";
import type { Replay } from "../order/order.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { isEnded } from "../record/record.js";
import { type Records, timeToLive } from "../record/records.js";
import { deliveryOf } from "../settlement/lease.js";

/** The payments of one wallet for one request that are remembered: failed ones must not hide a good one. */
const REMEMBERED = 5;

const keys = once(() => z.array(z.string()));

export interface Bought {
  /** CAIP-10. */
  wallet: string;
  /** Of the endpoint and the input. */
  fingerprint: string;
}

export interface BoughtBefore {
  /** Remembers the key of a payment that is about to be settled. Never rejects: at worst its answer is not found by its wallet. */
  note(bought: Bought, payment: string, validBefore: number | undefined): Promise<void>;
  /** The kept answer that a wallet bought to a request; undefined if there is none. */
  find(bought: Bought): Promise<Replay | undefined>;
}

export interface BoughtBeforeOptions {
  store: Store;
  records: Records;
  own: OwnAccounts;
  now: () => number;
  logger: Logger;
}

const keyOf = ({ wallet, fingerprint }: Bought): string =>
  `bought:${createHash("sha256").update(`${wallet} ${fingerprint}`).digest("hex")}`;

export function createBoughtBefore({ store, records, own, now, logger }: BoughtBeforeOptions): BoughtBefore {
  async function add(bought: Bought, payment: string, ttlMs: number): Promise<void> {
    const key = keyOf(bought);
    for (let tries = 0; tries < REMEMBERED; tries++) {
      const found = await store.get(key);
      const others = found ? keys().parse(JSON.parse(found.value)) : [];
      if (others[0] === payment) return;
      const value = JSON.stringify([payment, ...others.filter((other) => other !== payment)].slice(0, REMEMBERED));
      if ((await store.put(key, value, { ifVersion: found?.version ?? 0, ttlMs })) !== undefined) return;
    }
  }

  return {
    note: (bought, payment, validBefore) =>
      add(bought, payment, timeToLive(validBefore, now())).catch((error: unknown) =>
        logger.warn({ payment, error }, "payment: its wallet will not find what it bought by signing in"),
      ),
    async find(bought) {
      const row = await store.get(keyOf(bought));
      for (const key of row ? keys().parse(JSON.parse(row.value)) : []) {
        const record = (await records.read(key).catch(() => undefined))?.record;
        if (!record || !isEnded(record) || record.outcome === undefined) continue;
        const { requirements, payer } = record.payment;
        const isTheirs = accountId(requirements.network, payer) === bought.wallet;
        if (isTheirs && record.fingerprint === bought.fingerprint && own.has(requirements))
          return { delivery: { outcome: deliveryOf(record).outcome } };
      }
      return undefined;
    },
  };
}
