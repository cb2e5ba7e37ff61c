/** Sums of the ledger: settled, returned and earned amounts. */

import { isoDate } from "../../capability/fields.js";
import { fromMicros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import { plainAnywhere } from "../networks/accounts.js";
import { type Ledger, type LedgerEntry, ledgerDay } from "./ledger.js";
import type { OverdueRefund } from "./open.js";

export type LedgerField = "day" | "endpoint" | "payer";

export interface LedgerQuery {
  /** The first and last day, both included, as YYYY-MM-DD in UTC. Default: the 30 days up to today. */
  from?: string;
  to?: string;
  /** Wallets whose calls are left out: the host's own tests and agents. */
  ownWallets?: readonly string[];
  /**
   * Fields that the rows are grouped by, in this order. Default: day, endpoint and payer; `[]` gives the total alone.
   */
  by?: readonly LedgerField[];
}

/**
 * Decimal USD. The sums balance: settled plus credit used plus prepaid equals earned plus returned plus credited plus owed. Refunds
 * of a lost settlement are in none of them. A return counts on the day of its call.
 */
export interface LedgerSums {
  calls: number;
  settledUsd: string;
  /** Paid by credit of earlier calls. */
  creditUsedUsd: string;
  /** Paid from the balances of accounts. Absent if zero. */
  prepaidUsd?: string;
  returnedUsd: string;
  creditedUsd: string;
  /** To be returned or credited soon. */
  owedUsd: string;
  earnedUsd: string;
  /** Settled, and reversed by the chain after the call was answered. Absent if zero. */
  lostUsd?: string;
}

export interface LedgerRow extends LedgerSums {
  day?: string;
  endpoint?: string;
  payer?: string;
}

/** Debt of a channel that could not be claimed so far. */
export interface ParkedClaim {
  network: string;
  channel: string;
  usd: string;
  /** The facilitator's last answer. */
  reason: string;
  /** Failures in a row. */
  tries: number;
  /** ISO times of the first failure and of the next attempt, which comes earlier if the channel changes on chain. */
  since: string;
  retryAt: string;
}

/** Sums over payment channels since their beginning, independent of the days asked for. Decimal USD. */
export interface ChannelSums {
  /** Number of known channels. */
  channels: number;
  /** Charged by voucher: the sum of claimed, unclaimed and lost. */
  earnedUsd: string;
  claimedUsd: string;
  /** Signed for and not yet on chain. */
  unclaimedUsd: string;
  /** Part of the unclaimed that may be lost: a withdrawal has begun, or the claim is long overdue. */
  atRiskUsd: string;
  /**
   * Charges that could not be claimed before a buyer's withdrawal was paid out, or that another service with the same
   * key claimed.
   */
  lostUsd: string;
  /** Part of the unclaimed whose claims failed, and the first hundred of them; absent if there are none. */
  parkedUsd?: string;
  parked?: ParkedClaim[];
  /** Paid out to the treasury according to the chain; absent while its node does not answer. */
  sweptUsd?: string;
}

export interface LedgerReport {
  from: string;
  to: string;
  total: LedgerSums;
  rows: LedgerRow[];
  /** Present if the host has payment channels. */
  channels?: ChannelSums;
  /** Refunds that are owed for more than an hour, independent of the days asked for; absent if there are none. */
  overdue?: OverdueRefund[];
}

const FIELDS: readonly LedgerField[] = ["day", "endpoint", "payer"];
const DEFAULT_DAYS = 30;

/**
 * Sums the ledger of these days and the entries that are not booked yet. Memory grows with the rows; entries are read
 * page by page. Rejects with a TypeError.
 */
export async function reportLedger(
  ledger: Ledger,
  now: number,
  query: LedgerQuery = {},
  unbooked: LedgerEntry[] = [],
): Promise<LedgerReport> {
  const { ownWallets = [], by = FIELDS } = query;
  const to = readDay("to", query.to) ?? ledgerDay(now);
  const from = readDay("from", query.from) ?? ledgerDay(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from > to) throw new TypeError(`from: ${from} is after ${to}.`);
  for (const field of by)
    if (!FIELDS.includes(field)) throw new TypeError(`by: unknown field "${field}". Known: ${FIELDS.join(", ")}.`);

  // Days that are about to expire would be counted in part.
  const kept = ledgerDay(now - (ledger.days - 1) * DAY_MS);
  const own = new Set(ownWallets.map(plainAnywhere));
  const total = new Sums();
  const rows = new Map<string, { names: string[]; sums: Sums }>();
  const open = new Map(unbooked.map((entry) => [entry.payment, { ...entry, day: ledgerDay(entry.soldAt) }]));
  async function* all() {
    for await (const entry of ledger.read({ from, to })) {
      // Booked while the open payments were read.
      open.delete(entry.payment);
      yield entry;
    }
    for (const entry of open.values()) if (entry.day >= from && entry.day <= to) yield entry;
  }
  for await (const entry of all()) {
    if (entry.day < kept) continue;
    const payer = plainAnywhere(entry.payer);
    if (own.has(payer)) continue;
    const names = by.map((field) => (field === "payer" ? payer : entry[field]));
    const key = JSON.stringify(names);
    const row = rows.get(key) ?? { names, sums: new Sums() };
    rows.set(key, row);
    row.sums.add(entry);
    total.add(entry);
  }
  const sorted = [...rows.values()].sort((a, b) => compare(a.names, b.names));
  return {
    from,
    to,
    total: total.inUsd(),
    rows: sorted.map(({ names, sums }) => ({
      ...Object.fromEntries(by.map((field, i) => [field, names[i]])),
      ...sums.inUsd(),
    })),
  };
}

class Sums {
  #calls = 0;
  #settled = 0n;
  #creditUsed = 0n;
  #prepaid = 0n;
  #returned = 0n;
  #credited = 0n;
  #earned = 0n;
  #lost = 0n;
  #void = 0n;

  add(entry: LedgerEntry): void {
    if (entry.kind === "sale") this.#calls += entry.calls ?? 1;
    this.#settled += entry.settled;
    this.#creditUsed += entry.creditUsed;
    this.#prepaid += entry.prepaid ?? 0n;
    this.#returned += entry.returned;
    this.#credited += entry.credited;
    this.#earned += entry.earned;
    this.#lost += entry.lost ?? 0n;
    this.#void += entry.void ?? 0n;
  }

  inUsd(): LedgerSums {
    const paid = this.#settled + this.#creditUsed + this.#prepaid;
    const owed = paid - this.#earned - this.#returned - this.#credited - this.#void;
    return {
      calls: this.#calls,
      settledUsd: fromMicros(this.#settled),
      creditUsedUsd: fromMicros(this.#creditUsed),
      ...(this.#prepaid > 0n ? { prepaidUsd: fromMicros(this.#prepaid) } : {}),
      returnedUsd: fromMicros(this.#returned),
      creditedUsd: fromMicros(this.#credited),
      // A return that was booked during the reading of the sales would make the sum negative.
      owedUsd: fromMicros(owed < 0n ? 0n : owed),
      earnedUsd: fromMicros(this.#earned),
      ...(this.#lost > 0n ? { lostUsd: fromMicros(this.#lost) } : {}),
    };
  }
}

function readDay(name: "from" | "to", day: string | undefined): string | undefined {
  if (day !== undefined && !isoDate().safeParse(day).success)
    throw new TypeError(`${name} must be a day in the form YYYY-MM-DD.`);
  return day;
}

function compare(a: string[], b: string[]): number {
  for (const [i, name] of a.entries()) {
    const other = b[i] ?? "";
    if (name !== other) return name < other ? -1 : 1;
  }
  return 0;
}
