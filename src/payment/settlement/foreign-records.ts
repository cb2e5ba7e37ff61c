/** Due records of other hosts on the same store, which complete them themselves. */
import type { Logger } from "../../lib/logger.js";
import { HOUR_MS } from "../../lib/time.js";
import { accountId } from "../networks/accounts.js";

/** Then they are checked again, because the key may belong to another payment by now. */
const KNOWN_MS = HOUR_MS;
const MOST_KNOWN = 20_000;
/** The host is told of at most this many accounts. */
const MOST_TOLD = 20;

export interface ForeignRecords {
  /** `paid` is the other host's account, which is reported once. */
  add(key: string, paid?: { network: string; payTo: string }): void;
  has(key: string): boolean;
  size(): number;
}

export function createForeignRecords({ now, logger }: { now: () => number; logger: Logger }): ForeignRecords {
  const until = new Map<string, number>();
  const told = new Set<string>();

  function forget(): void {
    // All entries live equally long, so the oldest come first.
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
        "payment: the store has open payments to an account of another host, which are left to that host. If the account is a former treasury of yours, name it in payment.formerTreasuries",
      );
    },
    has: (key) => (until.get(key) ?? 0) > now(),
    size: () => until.size,
  };
}
