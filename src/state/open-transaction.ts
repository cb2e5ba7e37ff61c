/** Changes that are part of a larger one, as those of a batch are: they share its transaction and its receipt. */
import type { WalletCall } from "../capability/types.js";
import { invalid } from "../errors.js";
import type { Change, WriteScope } from "./scope.js";

/** What one change leaves for the receipt. */
export interface KeptChange {
  endpoint: string;
  result?: unknown;
}

export interface OpenTransaction {
  scope: WriteScope;
  /** Of the changes so far, in their order. */
  kept: KeptChange[];
  /** What they left when they were done, where that is long ago: then nothing is done again. */
  before?: IterableIterator<KeptChange>;
}

/** Whose change is under way: what runs under the very same call is part of it. */
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

/** Within the larger change: its wallet is locked, and its bytes are counted at its end. */
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
