/** The accounts of a host. Nothing of them is loaded, and no store is read, before an account is asked for. */
import { lazy } from "../../lib/lazy.js";
import type { LedgerEntry } from "../ledger/ledger.js";
import type { AccountsOptions } from "../options/accounts.js";
import { accountOfKey } from "./account-key.js";
import type { AccountBook, BookOptions } from "./book.js";
import type { KeptAnswers } from "./kept-answers.js";
import type { Keys } from "./keys.js";

export interface PaymentAccounts extends AccountsOptions {
  book(): Promise<AccountBook>;
  keyring(): Promise<Keys>;
  /** The answers that are kept for repeated calls. */
  answers(): Promise<KeptAnswers>;
  /** Whether a record that is due is an account's. */
  owns(key: string): boolean;
  /** Ends what is over in an account, and tells it. Resolves to whether the account is this host's. */
  finish(key: string): Promise<boolean>;
  /** Sales that are not in the ledger yet, because they are among an account's newest entries. */
  unbooked(): Promise<LedgerEntry[]>;
}

export interface AccountsSources extends BookOptions {
  /** How keys begin. */
  slug: string;
}

export function createAccounts(options: AccountsOptions, sources: AccountsSources): PaymentAccounts {
  const book = lazy(async () => (await import("./book.js")).createBook(sources));
  const keyring = lazy(async () => {
    const [{ records }, { createKeys }] = await Promise.all([book(), import("./keys.js")]);
    return createKeys({ ...sources, records });
  });
  return {
    ...options,
    book,
    keyring,
    owns: (key) => accountOfKey(key) !== undefined,
    finish: async (key) => (await book()).records.tend(accountOfKey(key) ?? ""),
    answers: lazy(async () => (await import("./kept-answers.js")).createKeptAnswers(sources)),
    async unbooked() {
      const [{ records }, { salesOf }] = await Promise.all([book(), import("./ledger-entries.js")]);
      const sales: LedgerEntry[] = [];
      for await (const { id, record } of records.all()) sales.push(...salesOf(id, record.recent, sources.own));
      return sales;
    },
  };
}
