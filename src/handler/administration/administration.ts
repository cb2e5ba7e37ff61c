/** The host's side of its service: its books, its buyers, its switches, and the log of what it did. */
import type { AuditEntry, AuditQuery } from "../../audit/entry.js";
import type { Host } from "../../host/host.js";
import { lazy } from "../../lib/lazy.js";
import { type LedgerQuery, type LedgerReport, reportLedger } from "../../payment/ledger/report.js";
import type { Statement, StatementOf, StatementQuery } from "../../payment/ledger/statement.js";
import type { HostPayouts, PayOptions } from "../../payment/payouts/payouts.js";
import type { HostRules } from "../../payment/pricing/rules.js";
import type { Refunded } from "../../payment/refund/host-refund.js";
import type { RequestedRefund } from "../../payment/refund-requests/record.js";
import type { RequestsQuery } from "../../payment/refund-requests/requests.js";
import { createAccountAdmin, type HostAccounts } from "./account-admin.js";
import type { HostRefund } from "./books.js";
import type { EarningsOptions } from "./earnings/earnings.js";
import { createWallets, type HostWallets } from "./wallet-admin.js";

/** Methods by which a host looks after its own service. */
export interface Administration<Id extends string = string> {
  /**
   * Income and refunds by day, endpoint and payer. Rejects with a TypeError that names a wrong field.
   *
   * @example
   * ```ts
   * const { rows, total } = await handle.ledger({ from: "2026-05-01", to: "2026-05-31", by: ["endpoint"] });
   * ```
   */
  ledger(query?: LedgerQuery): Promise<LedgerReport>;
  /**
   * The ledger as a page for the host, with CSV and pending payments: mount it behind your own login. Reads `from`,
   * `to`, `format=csv` and `by` from the request's query.
   */
  earnings(request: Request, options?: EarningsOptions): Promise<Response>;
  /**
   * Gives back what a sale earned, or a part of it, once: on chain from `payment.refunds`, else as credit, whose token is
   * for the buyer; to an account's balance, if an account paid. Rejects with NOT_FOUND for an unknown sale, and with
   * INVALID_INPUT for an amount beyond it or another amount than the first.
   *
   * @example
   * ```ts
   * const { state, usd } = await handle.refund({ requestId: meta.requestId }, { usd: "0.005" });
   * ```
   */
  refund(of: Refunded, options?: { usd?: string }): Promise<HostRefund>;
  /**
   * The purchases of a wallet or an account: lines by endpoint and price, with references, as an object or as CSV. Rejects
   * with a TypeError that names a wrong field.
   *
   * @example
   * ```ts
   * const csv = await handle.statement({ account: "acme" }, { from: "2026-05-01", to: "2026-05-31", format: "csv" });
   * ```
   */
  statement(of: StatementOf, query: StatementQuery & { format: "csv" }): Promise<string>;
  statement(of: StatementOf, query: StatementQuery & { format?: "json" }): Promise<Statement>;
  /**
   * The shares of those who share a treasury (a list in `payment.treasury`), and their payment on chain, from the wallets
   * of `payment.payouts`. Both are empty if nobody shares.
   *
   * @example
   * ```ts
   * const owed = await handle.payouts.list();
   * const made = await handle.payouts.pay({ minUsd: "1" });
   * ```
   */
  readonly payouts: HostPayouts;
  /** Accounts of the host's own users: keys, balances, limits. Rejects with PROVIDER_NOT_CONFIGURED without the option `accounts`. */
  readonly accounts: HostAccounts;
  /** The host's access to the state of wallets: export and erasure without the wallet's payment or signature. */
  readonly wallets: HostWallets;
  /**
   * Stops an endpoint on all instances of the store: within seconds it answers 503 STOPPED, with the reason, before any
   * price. Rejects with NOT_FOUND for an unknown id.
   */
  stop(id: Id, reason: string): Promise<void>;
  /** Ends a stop. */
  resume(id: Id): Promise<void>;
  /**
   * Sets the price of an endpoint on all instances of the store, now or from a time on. A payment that was signed for
   * the former quote is honoured while that quote is valid. Rejects with a TypeError for a price that is none.
   *
   * @example
   * ```ts
   * await handle.setPrice("convert.unit", "0.002", { from: "2026-07-01T00:00:00Z" });
   * ```
   */
  setPrice(id: Id, usd: string, options?: { from?: Date | string }): Promise<void>;
  /**
   * Replaces `pricing` and `payers` of the options, and the stops of the last such rules, on all instances of the store,
   * within seconds and at once: all that is not named is as without it. Quotes of the former prices are honoured while they
   * are valid; `setPrice` outranks them, and stops of `stop` hold beside them. Rejects with a TypeError, as `createHandler`
   * throws it, and changes nothing then.
   *
   * @example
   * ```ts
   * await handle.configure({ pricing: { markup: 1.2 }, stopped: { "ai.chat": "Its budget is being reviewed." } });
   * ```
   */
  configure(rules: HostRules): Promise<void>;
  /**
   * Requests of buyers for their money, by the option `refundPolicy`: those that wait for the host have the state `queued`.
   * Rejects with PROVIDER_NOT_CONFIGURED without the option.
   *
   * @example
   * ```ts
   * for (const { requestId, reason } of await handle.refundRequests.list({ state: "queued" }))
   *   if (reason?.includes("empty")) await handle.refundRequests.approve(requestId);
   * ```
   */
  readonly refundRequests: HostRefundRequests;
  /**
   * The log of all that persons and keys did: stops, prices, refunds, bookings, limits, keys, grants, freezes, with who did
   * it and what it was before and after. Entries are added and never changed, over all instances of the store, each with the
   * hash of the one before it; they are kept for 400 days, in memory for 30. Rejects with a TypeError for a wrong time.
   *
   * @example
   * ```ts
   * for await (const entry of handle.audit({ from: "2026-05-01", to: "2026-05-31" })) console.log(JSON.stringify(entry));
   * ```
   */
  audit(query?: AuditQuery): AsyncGenerator<AuditEntry, void>;
}

/** The host's decisions on its buyers' requests. */
export interface HostRefundRequests {
  /** Up to 100, in the order of their ids, after the one whose `requestId` is given. */
  list(query?: RequestsQuery): Promise<RequestedRefund[]>;
  /** Gives the price back, or a part of it, once; rejects as `refund` does, and for a request that was declined. */
  approve(requestId: string, options?: { usd?: string }): Promise<RequestedRefund>;
  /** Tells the buyer no, with a sentence that it reads. Rejects with REFUND_NOT_ALLOWED for one that is decided. */
  decline(requestId: string, note: string): Promise<RequestedRefund>;
}

/** Waits for work of a host that closes. */
export type UntilDone = <T>(work: Promise<T>) => Promise<T>;

/** Acts of the host's own code. */
export const HOST = "host";

/** `by` is named in the log for each change. */
export function createAdministration(host: Host, untilDone: UntilDone, by: string): Administration {
  const acts = lazy(async () => (await import("./acts.js")).createActs(host, by));
  const { export: exported, erase, keys } = createWallets(host);
  return {
    async ledger(query?: LedgerQuery) {
      const channels = await host.payments.channelSums();
      const report = await reportLedger(host.ledger, host.now(), query, await host.payments.unearned());
      const overdue = await host.payments.overdueRefunds();
      if (overdue.length > 0) report.overdue = overdue;
      return channels ? { ...report, channels } : report;
    },
    async earnings(request: Request, options?: EarningsOptions) {
      const { earnings } = await import("./earnings/earnings.js");
      return untilDone(earnings(host, request, options));
    },
    async statement(of: StatementOf, query: StatementQuery) {
      const { statementFor } = await import("./books.js");
      return untilDone(statementFor(host, of, query)) as Promise<never>;
    },
    async *audit(query?: AuditQuery) {
      yield* (await acts()).audit(query);
    },
    stop: async (id: string, reason: string) => untilDone((await acts()).stop(id, reason)),
    resume: async (id: string) => untilDone((await acts()).resume(id)),
    setPrice: async (id: string, usd: string, options?: { from?: Date | string }) =>
      untilDone((await acts()).setPrice(id, usd, options)),
    configure: async (rules: HostRules) => untilDone((await acts()).configure(rules)),
    refund: async (of: Refunded, options?: { usd?: string }) => untilDone((await acts()).refund(of, options)),
    refundRequests: {
      list: async (query?: RequestsQuery) => (await acts()).requests.list(query),
      approve: async (requestId: string, options?: { usd?: string }) =>
        untilDone((await acts()).requests.approve(requestId, options)),
      decline: async (requestId: string, note: string) => untilDone((await acts()).requests.decline(requestId, note)),
    },
    payouts: {
      list: () => untilDone(host.payments.payouts.list()),
      pay: async (options?: PayOptions) => untilDone((await acts()).pay(options)),
    },
    accounts: createAccountAdmin(host, by),
    wallets: {
      export: exported,
      keys,
      erase: async (wallet: string) => untilDone((await acts()).erase(wallet, () => erase(wallet))),
    },
  };
}
