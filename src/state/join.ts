/** Changes that are part of a larger one, as those of a batch are: they share its transaction and its receipt. */
import type { WalletCall } from "../capability/types.js";
import { invalid } from "../errors.js";
import type { Account, Change } from "./scope.js";

/** What one change leaves for the receipt. */
export interface Kept {
  endpoint: string;
  result?: unknown;
}

export interface Join {
  account: Account;
  /** Of the changes so far, in their order. */
  kept: Kept[];
  /** What they left when they were done, where that is long ago: then nothing is done again. */
  before?: IterableIterator<Kept>;
}

/** Whose change is under way: what runs under the very same call is part of it. */
const joins = new WeakMap<WalletCall, Join>();

export const joinOf = (call: WalletCall): Join | undefined => joins.get(call);

export async function joined<T>(call: WalletCall, join: Join, work: () => Promise<T>): Promise<T> {
  joins.set(call, join);
  try {
    return await work();
  } finally {
    joins.delete(call);
  }
}

/** Within the larger change: its wallet is locked, and its bytes are counted at its end. */
export async function joinIn<T>({ account, kept, before }: Join, change: Change<T>): Promise<T> {
  if (before) {
    const { value } = before.next();
    if (value?.endpoint !== change.endpoint) throw invalid("idempotency-key", "was used before, for other calls");
    return change.receipt ? change.receipt.restore(account, value.result) : (value.result as T);
  }
  const result = await change.work(account);
  kept.push({ endpoint: change.endpoint, result: change.receipt ? change.receipt.keep(result) : result });
  return result;
}
