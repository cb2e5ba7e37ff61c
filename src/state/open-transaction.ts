/** Changes within a larger one, such as those of a batch: they share its transaction and its receipt. */
import type { WalletCall } from "../capability/types.js";
import { invalid } from "../errors.js";
import type { Change, WriteScope } from "./scope.js";

/** The part of a receipt for one change. */
export interface KeptChange {
  endpoint: string;
  result?: unknown;
}

export interface OpenTransaction {
  scope: WriteScope;
  /** Entries of the changes so far, in order. */
  kept: KeptChange[];
  /** Entries of an earlier run, if the call was already done: then nothing is done again. */
  before?: IterableIterator<KeptChange>;
}

/** The open transaction of each call: changes under the same call join it. */
const openTransactions = new WeakMap<WalletCall, OpenTransaction>();

export const openTransactionOf = (call: WalletCall): OpenTransaction | undefined => openTransactions.get(call);

export async function withOpenTransaction<T>(
  call: WalletCall,
  open: OpenTransaction,
  work: () => Promise<T>,
): Promise<T> {
  openTransactions.set(call, open);
  try {
    return await work();
  } finally {
    openTransactions.delete(call);
  }
}

/** Runs a change within the larger one, which locked the wallet and counts the bytes at its end. */
export async function changeWithin<T>({ scope, kept, before }: OpenTransaction, change: Change<T>): Promise<T> {
  if (before) {
    const { value } = before.next();
    if (value?.endpoint !== change.endpoint) throw invalid("idempotency-key", "was used before, for other calls");
    return change.receipt ? change.receipt.restore(scope, value.result) : (value.result as T);
  }
  const result = await change.work(scope);
  kept.push({ endpoint: change.endpoint, result: change.receipt ? change.receipt.keep(result) : result });
  return result;
}
