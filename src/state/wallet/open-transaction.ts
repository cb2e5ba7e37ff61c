/** Changes within a larger one, such as those of a batch: they share its transaction and its receipt. */
import type { Context } from "../../capability/types.js";
import { invalid } from "../../errors.js";
import type { WalletChange, WriteScope } from "./scope.js";

/** The part of a receipt for one change. */
export interface KeptChange {
  endpoint: string;
  result?: unknown;
}

/** The transaction of a larger change, which locked the wallet and counts the bytes at its end. */
export class OpenTransaction {
  constructor(
    readonly scope: WriteScope,
    /** Entries of the changes so far, in order. */
    readonly kept: KeptChange[],
    /** Entries of an earlier run, if the call was already done: then nothing is done again. */
    readonly before?: IterableIterator<KeptChange>,
  ) {}

  /** Runs a change within it. */
  async change<T>(change: WalletChange<T>): Promise<T> {
    const { endpoint, receipt } = change;
    if (this.before) {
      const { value } = this.before.next();
      if (value?.endpoint !== endpoint) throw invalid("idempotency-key", "was used before, for other calls");
      return receipt ? receipt.restore(this.scope, value.result) : (value.result as T);
    }
    const result = await change.work(this.scope);
    this.kept.push({ endpoint, result: receipt ? receipt.keep(result) : result });
    return result;
  }
}

/** The transaction that changes and reads of this context join. */
export const openTransactionOf = ({ transaction }: Context): OpenTransaction | undefined =>
  transaction instanceof OpenTransaction ? transaction : undefined;
