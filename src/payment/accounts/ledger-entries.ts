/** The host's ledger of what accounts bought. */
import type { LedgerEntry } from "../ledger/ledger.js";
import { walletOfAccount } from "../options/accounts.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import type { BalanceEntry } from "./record/record.js";

/** Entries of the ledger for sales and refunds of the account book; money that is paid in is not income yet. */
export function salesOf(id: string, entries: readonly BalanceEntry[], own: OwnAccounts): LedgerEntry[] {
  return entries.flatMap((entry) => (entry.kind === "sale" || entry.kind === "refund" ? [saleOf(id, entry, own)] : []));
}

function saleOf(
  id: string,
  { kind, amount: booked, at, seq, requestId, endpoint = "", grants = [] }: BalanceEntry,
  own: OwnAccounts,
): LedgerEntry {
  const account = own.on(undefined);
  const isSale = kind === "sale";
  // A gift brought nothing, and a grant that was bought is a sale of its own.
  // guard: grants: a price that grants pay is not booked as income | = 0n | accounts/grants
  const given = grants.reduce((sum, { usd, isCall }) => (isCall ? sum : sum + usd), 0n);
  const amount = isSale ? booked + given : booked - given;
  return {
    ...(isSale ? { kind: "sale" } : { kind: "return", because: "host-refund" }),
    payment: `${walletOfAccount(id)} ${seq}`,
    endpoint,
    ...(requestId === undefined ? {} : { requestId }),
    payer: walletOfAccount(id),
    ...(account === undefined ? {} : { account }),
    transaction: "",
    settled: 0n,
    creditUsed: 0n,
    prepaid: isSale ? -amount : 0n,
    returned: 0n,
    credited: isSale ? 0n : amount,
    earned: -amount,
    at,
    soldAt: at,
  };
}
