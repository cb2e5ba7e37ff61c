/** Refunds by the host and statements of its buyers: loaded by their first use. */
import { CapabilityError } from "../../errors.js";
import type { Host } from "../../host/host.js";
import { fromMicros } from "../../lib/money.js";
import {
  type Statement,
  type StatementOf,
  type StatementQuery,
  statementCsv,
  statementOf,
} from "../../payment/ledger/statement.js";
import { type RefundAnswer, type Refunded, readUsd } from "../../payment/refund/host-refund.js";

/** A refund to a wallet, or to the balance of an account, which is complete at once. */
export type HostRefund = RefundAnswer | { state: "returned"; usd: string; account: string; endpoint: string };

export async function refundOf(host: Host, of: Refunded, options: { usd?: string } = {}): Promise<HostRefund> {
  const { accounts } = host.payments;
  if (accounts && "requestId" in of) {
    const book = await accounts.book();
    const usd = options.usd === undefined ? undefined : readUsd(options.usd);
    const done = await book.refund(of.requestId, usd).catch(unlessUnknown);
    if (done) {
      const { account, entry } = done;
      return { state: "returned", usd: fromMicros(entry.amount), account, endpoint: entry.endpoint ?? "" };
    }
  }
  return host.payments.refundSale(of, options);
}

function unlessUnknown(error: unknown): undefined {
  if (!CapabilityError.is(error) || error.code !== "NOT_FOUND") throw error;
}

export async function statementFor(host: Host, of: StatementOf, query: StatementQuery): Promise<Statement | string> {
  const statement = await statementOf(host.ledger, of, query, await host.payments.unearned());
  return query.format === "csv" ? statementCsv(statement) : statement;
}
