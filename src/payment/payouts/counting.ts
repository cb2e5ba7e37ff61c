/**
 * Adds entries of the ledger to the sums of those who share an account, each once. The sums name the entries of the last
 * addition until these say that they are counted. Whoever counts reads the sums first: another one who has counted an
 * entry meanwhile has changed them, so that this count fails and begins again.
 */
import type { Logger } from "../../lib/logger.js";
import type { Store } from "../../stores/store.js";
import { isLedgerKey, readLedgerEntry, sharedOf } from "../ledger/ledger.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { added, paidOnChain, readShares, type Shares, writeShares } from "./shares.js";

const BATCH = 100;
/** Due records of other kinds and hosts are skipped in the search. */
const MOST_DUE = 20_000;
/** Each round without progress is one that another process has made. */
const ROUNDS = 100;

export interface CountingOptions {
  store: Store;
  own: OwnAccounts;
  /** For how long the ledger keeps an entry. */
  keptMs: number;
  now: () => number;
  logger: Logger;
}

interface Uncounted {
  key: string;
  account: string;
  split: [string, number][];
  amount: bigint;
  /** Paid to some of them by the buyer. */
  paidOut: readonly (readonly [string, bigint])[];
}

/** Resolves to the number of entries counted. Starts no batch after `endsAt`, on the clock of `performance.now()`. */
export async function countEntries(options: CountingOptions, endsAt = Number.POSITIVE_INFINITY): Promise<number> {
  const { store, own, now, logger } = options;
  const skipped = new Set<string>();
  let counted = 0;
  for (let round = 0; round < ROUNDS && performance.now() < endsAt; round++) {
    const keys = await dueKeys();
    if (keys.length === 0) break;
    counted += await countBatch(keys);
  }
  return counted;

  async function dueKeys(): Promise<string[]> {
    for (let limit = 10 * BATCH; ; limit *= 4) {
      const keys = await store.due(now(), limit);
      const here = keys.filter((key) => isLedgerKey(key) && !skipped.has(key));
      if (here.length >= BATCH || keys.length < limit || limit > MOST_DUE) return here.slice(0, BATCH);
    }
  }

  async function countBatch(keys: readonly string[]): Promise<number> {
    // Read before the entries: see above.
    const before = new Map<string, { shares: Shares; version: number }>();
    for (const account of own.names) before.set(account, await released(account));
    const entries = (await Promise.all(keys.map(read))).filter((entry) => entry !== undefined);
    const byAccount = grouped(entries);
    let done = 0;
    for (const [account, group] of byAccount) {
      const found = before.get(account);
      if (!found) continue;
      // guard: payouts: what buyers paid in parts is not owed | account, paidOut) -> account, []) | mpp-permit2
      const sums = group.reduce(
        (shares, { split, amount, paidOut }) => paidOnChain(added(shares, split, amount), account, paidOut),
        found.shares,
      );
      const next = { ...sums, counting: group.map(({ key }) => key) };
      const version = await writeShares(store, account, found.version, next);
      if (version === undefined) continue;
      done += group.length;
      await release(next.counting);
      await writeShares(store, account, version, { ...next, counting: [] });
    }
    return done;
  }

  /** The sums of an account, after what an earlier count left was finished. */
  async function released(account: string): Promise<{ shares: Shares; version: number }> {
    for (;;) {
      const found = await readShares(store, account);
      // guard: payouts: what an earlier count left is finished before another | always | payouts simulator
      if (found.shares.counting.length === 0) return found;
      await release(found.shares.counting);
      await writeShares(store, account, found.version, { ...found.shares, counting: [] });
    }
  }

  async function read(key: string): Promise<Uncounted | undefined> {
    try {
      const found = await store.get(key);
      if (!found) return undefined;
      const entry = readLedgerEntry(found.value);
      const { account, split, uncounted, paidOut = [] } = entry;
      if (!uncounted) return undefined;
      if (account !== undefined && split && own.hasId(account))
        return { key, account, split, amount: sharedOf(entry), paidOut };
    } catch (error) {
      logger.error({ key, error }, "payouts: an entry of the ledger cannot be read, and is not shared");
    }
    skipped.add(key);
    return undefined;
  }

  /** The entries say that they are counted, and are not due any more. */
  async function release(keys: readonly string[]): Promise<void> {
    await Promise.all(
      keys.map(async (key) => {
        const found = await store.get(key);
        if (!found) return;
        const { uncounted, ...entry } = JSON.parse(found.value);
        const { keptMs: ttlMs } = options;
        if (uncounted) await store.put(key, JSON.stringify(entry), { ifVersion: found.version, ttlMs });
      }),
    );
  }
}

function grouped(entries: readonly Uncounted[]): Map<string, Uncounted[]> {
  const groups = new Map<string, Uncounted[]>();
  for (const entry of entries) groups.set(entry.account, [...(groups.get(entry.account) ?? []), entry]);
  return groups;
}
