/** How an account was used, by day and endpoint. */
import { fromMicros, type Micros } from "../../../lib/money.js";
import type { BalanceEntry } from "../record/record.js";
import type { AccountRecords } from "../records.js";
import { type BookScan, scanBook } from "./scan.js";

const MOST_READ = 10_000;

export interface UsageRow {
  /** A day of UTC. */
  day: string;
  endpoint: string;
  calls: number;
  /** Decimal USD that the balance and its grants paid. */
  usd: string;
  /** Paid by free allowances, and by calls of grants. */
  freeUsd: string;
  /** Given back on this day. */
  refundedUsd: string;
}

export interface AccountUsage {
  rows: UsageRow[];
  total: Omit<UsageRow, "day" | "endpoint">;
  /** Id of an entry, if a part of the time was not read: the rest comes after it. */
  next?: string;
}

interface Sum {
  calls: number;
  usd: Micros;
  free: Micros;
  refunded: Micros;
}
const nothing = (): Sum => ({ calls: 0, usd: 0n, free: 0n, refunded: 0n });

export async function usageOf(
  records: AccountRecords,
  id: string,
  asked: Pick<BookScan, "after" | "from" | "to">,
): Promise<AccountUsage> {
  const most = { read: MOST_READ, found: MOST_READ };
  const { found, next } = await scanBook(records, id, { ...asked, most });
  const total = nothing();
  const sums = new Map<string, Sum>();
  for (const entry of found) {
    if (entry.kind !== "sale" && entry.kind !== "refund") continue;
    const name = `${new Date(entry.at).toISOString().slice(0, 10)} ${entry.endpoint}`;
    const sum = sums.get(name) ?? nothing();
    sums.set(name, sum);
    for (const one of [sum, total]) add(one, entry);
  }
  const rows = [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sum]) => ({ day: name.slice(0, 10), endpoint: name.slice(11), ...shown(sum) }));
  return { rows, total: shown(total), ...(next === undefined ? {} : { next: String(next) }) };
}

/** The part of a stream that was sold before its rest is the same call. */
function add(sum: Sum, { kind, amount, free = 0n, reference }: BalanceEntry): void {
  if (kind === "refund") {
    sum.refunded += amount;
    return;
  }
  if (!reference?.startsWith("rest:")) sum.calls += 1;
  sum.usd -= amount;
  sum.free += free;
}

const shown = ({ calls, usd, free, refunded }: Sum) => ({
  calls,
  usd: fromMicros(usd),
  freeUsd: fromMicros(free),
  refundedUsd: fromMicros(refunded),
});
