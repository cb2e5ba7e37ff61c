/** The ledger added up: what came in, what went back, what was earned. */

import { isoDate } from "../../capability/fields.js";
import { fromMicros } from "../../lib/money.js";
import { DAY_MS } from "../../lib/time.js";
import { plainAnywhere } from "../rails/accounts.js";
import { dayOf, type Ledger, type LedgerEntry } from "./ledger.js";
import type { OverdueRefund } from "./open.js";

export type LedgerField = "day" | "endpoint" | "payer";

export interface LedgerQuery {
  /** The first and last day, both included, as YYYY-MM-DD in UTC. Default: the 30 days up to today. */
  from?: string;
  to?: string;
  /** Wallets whose calls are left out: the host's own tests and agents. */
  ownWallets?: readonly string[];
  /** What the rows tell apart, and their order. Default: day, endpoint and payer; `[]` gives the total alone. */
  by?: readonly LedgerField[];
}

/**
 * Decimal USD. It balances: settled and credit used make up what was earned, returned, credited and is still owed. What was
 * to go back of a settlement that is lost is none of these any more.
 * What goes back is counted on the day of the call that it belongs to.
 */
export interface LedgerSums {
  calls: number;
  settledUsd: string;
  /** Paid by credit of earlier calls. */
  creditUsedUsd: string;
  returnedUsd: string;
  creditedUsd: string;
  /** To be returned or credited soon. */
  owedUsd: string;
  earnedUsd: string;
  /** Of what was settled: taken back by the chain after its call was answered, and not to be had any more. Only where there is some. */
  lostUsd?: string;
}

export interface LedgerRow extends LedgerSums {
  day?: string;
  endpoint?: string;
  payer?: string;
}

/** What a channel owes and could not be claimed so far. */
export interface ParkedClaim {
  network: string;
  channel: string;
  usd: string;
  /** What the facilitator said last. */
  reason: string;
  /** How often in a row it failed. */
  tries: number;
  /** ISO times: of the first failure, and before which it is not tried again unless its channel changes on chain. */
  since: string;
  retryAt: string;
}

/** What payment channels come to since they are there, whatever days are asked for. Decimal USD. */
export interface ChannelSums {
  /** How many are known. */
  channels: number;
  /** Charged by voucher: claimed, unclaimed and lost make it up. */
  earnedUsd: string;
  claimedUsd: string;
  /** Signed for and not on chain yet. */
  unclaimedUsd: string;
  /** Of that, what may be lost: a withdrawal is under way, or it is long overdue. */
  atRiskUsd: string;
  /** What could not be claimed before a buyer's withdrawal was paid out, or was claimed by another service with the same key. */
  lostUsd: string;
  /** Of the unclaimed, what claims failed for, and the first hundred of them; absent where there are none. */
  parkedUsd?: string;
  parked?: ParkedClaim[];
  /** Paid out to the treasury, as the chain has it; absent while its node is silent. */
  sweptUsd?: string;
}

export interface LedgerReport {
  from: string;
  to: string;
  total: LedgerSums;
  rows: LedgerRow[];
  /** Where the host takes payment channels. */
  channels?: ChannelSums;
  /** Refunds that are owed for more than an hour, whatever days are asked for; absent where there are none. */
  overdue?: OverdueRefund[];
}

const FIELDS: readonly LedgerField[] = ["day", "endpoint", "payer"];
const DEFAULT_DAYS = 30;

/**
 * Adds up some days, and what is not in the ledger yet. Holds as much as its rows; the entries are read page by page.
 * Rejects with a TypeError.
 */
export async function reportLedger(
  ledger: Ledger,
  now: number,
  query: LedgerQuery = {},
  unbooked: LedgerEntry[] = [],
): Promise<LedgerReport> {
  const { ownWallets = [], by = FIELDS } = query;
  const to = readDay("to", query.to) ?? dayOf(now);
  const from = readDay("from", query.from) ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  if (from > to) throw new TypeError(`from: ${from} is after ${to}.`);
  for (const field of by)
    if (!FIELDS.includes(field)) throw new TypeError(`by: unknown field "${field}". Known: ${FIELDS.join(", ")}.`);

  // Days that are about to expire would be told in part.
  const kept = dayOf(now - (ledger.days - 1) * DAY_MS);
  const own = new Set(ownWallets.map(plainAnywhere));
  const total = new Sums();
  const rows = new Map<string, { names: string[]; sums: Sums }>();
  const open = new Map(unbooked.map((entry) => [entry.payment, { ...entry, day: dayOf(entry.soldAt) }]));
  async function* all() {
    for await (const entry of ledger.read({ from, to })) {
      // Booked while the others were looked for.
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
  #returned = 0n;
  #credited = 0n;
  #earned = 0n;
  #lost = 0n;
  #void = 0n;

  add(entry: LedgerEntry): void {
    if (entry.kind === "sale") this.#calls += entry.calls ?? 1;
    this.#settled += entry.settled;
    this.#creditUsed += entry.creditUsed;
    this.#returned += entry.returned;
    this.#credited += entry.credited;
    this.#earned += entry.earned;
    this.#lost += entry.lost ?? 0n;
    this.#void += entry.void ?? 0n;
  }

  inUsd(): LedgerSums {
    const owed = this.#settled + this.#creditUsed - this.#earned - this.#returned - this.#credited - this.#void;
    return {
      calls: this.#calls,
      settledUsd: fromMicros(this.#settled),
      creditUsedUsd: fromMicros(this.#creditUsed),
      returnedUsd: fromMicros(this.#returned),
      creditedUsd: fromMicros(this.#credited),
      // A return booked while the sales were being read would make it negative for that moment.
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
