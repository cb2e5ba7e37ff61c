/** The part of the host's side that one of its people may use. */
import type { HostAccounts } from "../../payment/accounts/admin.js";
import type { HostPayouts } from "../../payment/payouts/payouts.js";
import type { Administration, HostRefundRequests } from "./administration.js";

/** `read` looks, `refund` also gives money back, `administer` does all. */
export type Role = "read" | "refund" | "administer";

/** One of the host's people. */
export interface Acting<R extends Role = Role> {
  /** The name in the audit log, of 1 to 100 characters. */
  by: string;
  /** Default `"administer"`. */
  role?: R;
}

type Seen = "ledger" | "earnings" | "statement" | "audit";
type SeenAccounts = "list" | "balance" | "entries" | "grants" | "invoices" | "listKeys";

interface ReadDesk extends Pick<Administration, Seen> {
  readonly accounts: Pick<HostAccounts, SeenAccounts>;
  readonly payouts: Pick<HostPayouts, "list">;
  readonly refundRequests: Pick<HostRefundRequests, "list">;
}

interface RefundDesk extends Pick<Administration, Seen | "refund" | "refundRequests"> {
  readonly accounts: Pick<HostAccounts, SeenAccounts | "refund">;
  readonly payouts: Pick<HostPayouts, "list">;
}

/** The methods that a role has; others are not there. */
export type Desk<R extends Role> = R extends "read" ? ReadDesk : R extends "refund" ? RefundDesk : Administration;

/** Throws a TypeError for a name that is none. */
export function nameIn({ by }: Acting): string {
  if (typeof by === "string" && by.trim().length > 0 && by.length <= 100 && !/[\p{Cc}\p{Surrogate}]/u.test(by))
    return by;
  throw new TypeError("as: by must be the name of the person, of 1 to 100 characters.");
}

/** Throws a TypeError for an unknown role. */
export function deskOf<R extends Role>(all: Administration, { role }: Acting<R>): Desk<R> {
  if (role === undefined || role === "administer") return all as Desk<R>;
  const { ledger, earnings, statement, audit, refund } = all;
  const { list, balance, entries, grants, invoices, listKeys } = all.accounts;
  const accounts = { list, balance, entries, grants, invoices, listKeys };
  const lists = { payouts: { list: all.payouts.list }, refundRequests: { list: all.refundRequests.list } };
  const read: ReadDesk = { ledger, earnings, statement, audit, accounts, ...lists };
  // guard: roles: who only reads changes nothing | never | host/audit
  if (role === "read") return read as Desk<R>;
  if (role !== "refund") throw new TypeError('as: role must be "read", "refund" or "administer".');
  const { refundRequests } = all;
  const both: RefundDesk = { ...read, refund, refundRequests, accounts: { ...accounts, refund: all.accounts.refund } };
  return both as Desk<R>;
}
