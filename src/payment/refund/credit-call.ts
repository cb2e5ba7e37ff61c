/**
 * Calls that earlier credit covers in full. A call without a settlement has no payment record, so a note of the charge
 * is kept until it is in the ledger, and the background completes notes that a crash left.
 */

import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Logger } from "../../lib/logger.js";
import type { Micros } from "../../lib/money.js";
import { retry } from "../../lib/retry.js";
import { DAY_MS } from "../../lib/time.js";
import { WHILE_SILENT } from "../../stores/fail-closed.js";
import type { Store } from "../../stores/store.js";
import type { Ledger } from "../ledger/ledger.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { Credit, Credits } from "./credit.js";

const PREFIX = "credit-call:";
/** Longer than a charge in the foreground takes. */
const RETRY_MS = 60_000;

const note = once(() =>
  z.object({
    credit: z.string(),
    /** Account of the host that owed the credit; older releases stored none. */
    account: z.string().optional(),
    order: z.string(),
    endpoint: z.string(),
    /** Older releases stored none. */
    requestId: z.string().optional(),
    payer: z.string(),
    used: z.string(),
    soldAt: z.number(),
  }),
);

export interface CreditCall {
  credit: Credit;
  /** The order for which the credit is held. */
  order: string;
  endpoint: string;
  requestId: string;
  used: Micros;
}

export interface CreditCalls {
  /** Takes the amount used by a finished call from its credit, once. Rejects if that failed. */
  charge(call: CreditCall): Promise<void>;
  owns(key: string): boolean;
  /** Books a charge that a crash left unbooked; false if it belongs to another host. */
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

/** Refuses a call whose credit another one used. */
export const usedUp = (): PaymentRefused =>
  new PaymentRefused("CREDIT_INSUFFICIENT", "The credit was used up by another call meanwhile.");

export function createCreditCalls({ store, credits, ledger, own, now, logger }: CreditCallsOptions): CreditCalls {
  async function book({
    account,
    order,
    endpoint,
    requestId,
    payer,
    used,
    soldAt,
  }: z.infer<ReturnType<typeof note>>): Promise<void> {
    const amount = BigInt(used);
    const nothing = { settled: 0n, returned: 0n, credited: 0n };
    const shared = { payment: order, endpoint, requestId, payer, account, transaction: "", at: soldAt, soldAt };
    await ledger.book([{ kind: "sale", ...shared, ...nothing, creditUsed: amount, earned: amount }]);
  }

  return {
    async charge({ credit, order, endpoint, requestId, used }) {
      if (used === 0n) return void (await retry(() => credits.capture(credit.id, order, 0n), WHILE_SILENT));
      const { id, payer, account = own.on(undefined) } = credit;
      const taken = { credit: id, account, order, endpoint, requestId, payer, used: used.toString(), soldAt: now() };
      const key = PREFIX + order;
      const options = { ifVersion: 0, ttlMs: DAY_MS, dueAt: now() + RETRY_MS };
      // The work is done, so its charge is not given up at the first silence of the store.
      const version = await retry(() => store.put(key, JSON.stringify(taken), options), WHILE_SILENT);
      // guard: credit: a charge whose answer was lost is not made anew | without retry | credit-faults
      if (!(await retry(() => credits.capture(credit.id, order, used), WHILE_SILENT))) throw usedUp();
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
      // Still there, perhaps ended: neither the charge nor the answer was made.
      if (!(await credits.holds(taken.credit, taken.order))) await book(taken);
      await store.remove(key, found.version);
      return true;
    },
  };
}
