/**
 * Who shares an account, also for instances that have another treasury by now: they finish what was sold for the former one.
 * The shares of each account are stored before anything is sold for it.
 */
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import { DAY_MS } from "../../lib/time.js";
import type { Store } from "../../stores/store.js";
import type { Split } from "../options/treasury.js";
import type { OwnAccounts } from "../record/own-accounts.js";

const KEPT_MS = 3650 * DAY_MS;

export const splitSchema = once(() => z.array(z.tuple([z.string(), z.number()])));

export interface Splits {
  /** The shares of an account from now on; of a former one, as they were last. */
  of(account: string | undefined): Promise<Split | undefined>;
  /** Stores those of this host, once; undefined if there is nothing to wait for. Rejects if the store does not take it. */
  remember(): Promise<void> | undefined;
}

const keyOf = (account: string): string => `split:${account}`;

export function createSplits(store: Store, own: OwnAccounts): Splits {
  let remembering: Promise<void> | undefined;
  let isDone = !own.names.some((account) => own.splitOf(account));

  async function write(): Promise<void> {
    for (const account of own.names) {
      const split = own.splitOf(account);
      if (!split) continue;
      const value = JSON.stringify(split);
      const found = await store.get(keyOf(account));
      if (found?.value === value) continue;
      await store.put(keyOf(account), value, { ifVersion: found?.version ?? 0, ttlMs: KEPT_MS });
    }
    isDone = true;
  }

  return {
    async of(account) {
      const current = own.splitOf(account);
      if (current || account === undefined || !own.isFormer(account)) return current;
      const found = await store.get(keyOf(account));
      return found && splitSchema().parse(JSON.parse(found.value));
    },
    remember() {
      if (isDone) return undefined;
      remembering ??= write().finally(() => {
        remembering = undefined;
      });
      return remembering;
    },
  };
}
