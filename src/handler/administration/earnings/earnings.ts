/** Earnings as a page or as CSV. The host mounts it behind its own login, so no route of ours serves it. */

import type { Host } from "../../../host/host.js";
import { csvRow } from "../../../lib/text/csv-row.js";
import type { LedgerQuery, LedgerReport } from "../../../payment/ledger/report.js";
import { reportLedger } from "../../../payment/ledger/report.js";
import { EARNINGS_POLICY, earningsPage } from "./page.js";

export type EarningsOptions = Pick<LedgerQuery, "ownWallets">;

/** Reads `from` and `to` (days), and `format=csv` with `by` (day, endpoint, payer, separated by commas). */
export async function earnings(host: Host, request: Request, options: EarningsOptions = {}): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const days = { ...options, ...given(query, "from"), ...given(query, "to") };
  const unbooked = await host.payments.unearned();
  const report = (by: LedgerQuery["by"]) =>
    reportLedger(host.ledger, host.now(), { ...days, ...(by ? { by } : {}) }, unbooked);
  try {
    if (query.get("format") === "csv") {
      const by = query.get("by")?.split(",") as LedgerQuery["by"];
      const told = await report(by);
      return answer(toCsv(told), "text/csv; charset=utf-8", {
        "content-disposition": `attachment; filename="earnings-${told.from}-to-${told.to}.csv"`,
      });
    }
    const title = `Earnings of ${host.brand.name}`;
    const [byDay, byEndpoint, byPayer] = [await report(["day"]), await report(["endpoint"]), await report(["payer"])];
    const [open, overdue] = await Promise.all([host.payments.openPayments(), host.payments.overdueRefunds()]);
    const counts = await host.counts?.read(byDay);
    await host.live?.fresh();
    const drift = host.live?.failing();
    const shares = await host.payments.payouts.list();
    const page = earningsPage({
      title,
      days: byDay,
      endpoints: byEndpoint,
      payers: byPayer,
      open,
      counts,
      overdue,
      drift,
      shares,
    });
    return answer(page, "text/html; charset=utf-8", { "content-security-policy": EARNINGS_POLICY });
  } catch (error) {
    // The ledger throws a TypeError that names the wrong day or field.
    if (!(error instanceof TypeError)) throw error;
    return new Response(error.message, { status: 400, headers: { "content-type": "text/plain; charset=utf-8" } });
  }
}

function given(query: URLSearchParams, name: "from" | "to"): { from?: string; to?: string } {
  const value = query.get(name);
  return value ? { [name]: value } : {};
}

const answer = (body: string, type: string, headers: Record<string, string>) =>
  new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });

const SUMS = ["calls", "settledUsd", "creditUsedUsd", "returnedUsd", "creditedUsd", "owedUsd", "earnedUsd"] as const;

function toCsv({ rows }: LedgerReport): string {
  const columns = [...(["day", "endpoint", "payer"] as const).filter((name) => rows[0]?.[name] !== undefined), ...SUMS];
  const lines = rows.map((row) => csvRow(columns.map((column) => row[column] ?? "")));
  return `${[columns.join(","), ...lines].join("\r\n")}\r\n`;
}
