/** Sums of money that a host owes: credit of wallets, and balances of accounts. */
import type { Micros } from "../lib/money.js";
import { listed } from "../stores/listed.js";
import type { Store } from "../stores/store.js";
import type { PaymentAccounts } from "./accounts/accounts.js";
import type { Debts } from "./payments.js";
import type { OwnAccounts } from "./record/own-accounts.js";

export interface DebtsSources {
  store: Store;
  own: Pick<OwnAccounts, "names">;
  accounts?: Pick<PaymentAccounts, "book"> | undefined;
}

/** Of the first `most` wallets of each treasury, and as many accounts. */
export async function debtsOf({ store, own, accounts }: DebtsSources, most: number): Promise<Debts> {
  const credit = new Map<string, Micros>();
  for (const account of own.names) {
    const network = account.slice(0, account.lastIndexOf(":"));
    for await (const { value } of listed(store, `wallet-credit:${account}|`, most))
      credit.set(network, (credit.get(network) ?? 0n) + owedIn(value));
  }
  return accounts ? { credit, balances: await balancesOf(accounts, most) } : { credit };
}

/** A credit's record, as far as it is owed; older releases stored one balance. */
interface StoredCredit {
  lots?: Record<string, { left: string }>;
  balance?: string;
  out?: { amount: string };
}

/** All that is owed, whatever calls hold, and what is on its way to the wallet. */
function owedIn(value: string): Micros {
  const { lots, balance = "0", out } = JSON.parse(value) as StoredCredit;
  const parts = lots ? Object.values(lots).map(({ left }) => left) : [balance];
  return parts.reduce((all, left) => all + BigInt(left), BigInt(out?.amount ?? "0"));
}

async function balancesOf({ book }: Pick<PaymentAccounts, "book">, most: number) {
  const { records } = await book();
  let [owed, overdrawn, left] = [0n, 0n, most];
  for await (const { record } of records.all()) {
    if (record.balance > 0n) owed += record.balance;
    else overdrawn -= record.balance;
    left -= 1;
    if (left === 0) break;
  }
  return { owed, overdrawn };
}
