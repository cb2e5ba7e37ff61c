/**
 * Calls that earlier credit covers whole. Nothing is settled for them, so there is no payment's record either: a note
 * of the charge is kept until it is in the ledger, and the background reads what a crash has left.
 */

import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { Ledger } from "../ledger/ledger.js";
import type { OwnAccounts } from "../own-accounts.js";
import type { Credit, Credits } from "./credit.js";

const PREFIX = "credit-call:";
/** Longer than a foreground charge takes. */
const RETRY_MS = 60_000;

const note = once(() =>
  z.object({
    credit: z.string(),
    /** Of the host that owed it; older releases named none. */
    account: z.string().optional(),
    order: z.string(),
    endpoint: z.string(),
    payer: z.string(),
    used: z.string(),
    soldAt: z.number(),
  }),
);

export interface CreditCall {
  credit: Credit;
  /** What the credit is held for. */
  order: string;
  endpoint: string;
  used: Micros;
}

export interface CreditCalls {
  /** Takes what a finished call used out of its credit, once. Rejects when that could not be done. */
  charge(call: CreditCall): Promise<void>;
  owns(key: string): boolean;
  /** Books what a crash left unbooked; false where that is another host's to do. */
  finish(key: string): Promise<boolean>;
}

export interface CreditCallsOptions {
  store: Store;
  credits: Credits;
  ledger: Ledger;
  own: OwnAccounts;
  now: () => number;
  logger: Logger;
}

export function createCreditCalls({ store, credits, ledger, own, now, logger }: CreditCallsOptions): CreditCalls {
  async function book({
    account,
    order,
    endpoint,
    payer,
    used,
    soldAt,
  }: z.infer<ReturnType<typeof note>>): Promise<void> {
    const amount = BigInt(used);
    const nothing = { settled: 0n, returned: 0n, credited: 0n };
    const shared = { payment: order, endpoint, payer, account, transaction: "", at: soldAt, soldAt };
    await ledger.book([{ kind: "sale", ...shared, ...nothing, creditUsed: amount, earned: amount }]);
  }

  return {
    async charge({ credit, order, endpoint, used }) {
      if (used === 0n) return credits.capture(credit.id, order, 0n);
      const { id, payer, account = own.on(undefined) } = credit;
      const taken = { credit: id, account, order, endpoint, payer, used: used.toString(), soldAt: now() };
      const key = PREFIX + order;
      const options = { ifVersion: 0, ttlMs: DAY_MS, dueAt: now() + RETRY_MS };
      const version = await store.put(key, JSON.stringify(taken), options);
      await credits.capture(credit.id, order, used);
      try {
        await book(taken);
        if (version !== undefined) await store.remove(key, version);
      } catch (error) {
        logger.error({ order, error }, "payment: the ledger entry is left to the background");
      }
    },
    owns: (key) => key.startsWith(PREFIX),
    async finish(key) {
      const found = await store.get(key);
      if (!found) return true;
      const taken = note().parse(JSON.parse(found.value));
      if (!own.hasId(taken.account)) return false;
      // Still held: the charge never happened, and neither did the answer.
      if (!(await credits.holds(taken.credit, taken.order))) await book(taken);
      await store.remove(key, found.version);
      return true;
    },
  };
}
