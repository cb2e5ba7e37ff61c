/** What is due on the store and not ours: hosts of other treasuries finish that themselves. */
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS } from "../../lib/time.js";
import { accountId } from "../rails/accounts.js";

/** Looked at again after this: a payment's place may be another payment's by then. */
const KNOWN_MS = HOUR_MS;
const MOST_KNOWN = 20_000;
/** However many accounts there are, their host is told of so many. */
const MOST_TOLD = 20;

export interface Others {
  /** `paid` is whose it is, of which the host is told once. */
  add(key: string, paid?: { network: string; payTo: string }): void;
  has(key: string): boolean;
  size(): number;
}

export function createOthers({ now, logger }: { now: () => number; logger: Logger }): Others {
  const until = new Map<string, number>();
  const told = new Set<string>();

  function forget(): void {
    // The oldest come first, and are known for equally long.
    for (const [key, at] of until) {
      if (at > now() && until.size < MOST_KNOWN) return;
      until.delete(key);
    }
  }

  return {
    add(key, paid) {
      forget();
      until.delete(key);
      until.set(key, now() + KNOWN_MS);
      const account = paid && accountId(paid.network, paid.payTo);
      if (account === undefined || told.has(account) || told.size >= MOST_TOLD) return;
      told.add(account);
      logger.warn(
        { account },
        "payment: the store has open payments to an account that is not this host's; they are left to its host. If it is a treasury of yours from before, name it in payment.formerTreasuries",
      );
    },
    has: (key) => (until.get(key) ?? 0) > now(),
    size: () => until.size,
  };
}
