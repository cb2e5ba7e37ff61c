/** A buyer's payments of some days, with all that an invoice needs. */
import { isoDate } from "../../capability/fields.js";
import { fromMicros, type Micros } from "../../lib/money.js";
import { csvRow } from "../../lib/text/csv-row.js";
import { plainAnywhere } from "../networks/accounts.js";
import { type Ledger, type LedgerEntry, ledgerDay } from "./ledger.js";

/** A wallet by its address or CAIP-10 account, or an account of the host. */
export type StatementOf = { payer: string } | { account: string };

export interface StatementQuery {
  /** The first and last day, both included, as YYYY-MM-DD in UTC. */
  from: string;
  to: string;
  /** Default `"json"`. */
  format?: "json" | "csv";
  /** Fields of the host's own for the invoice, such as `{ vatId: "DE…", rate: "19" }`: passed through. */
  tax?: Readonly<Record<string, string>>;
}

/** Calls of one endpoint at one price, or returns of such. */
export interface StatementLine {
  endpoint: string;
  /** Number of calls, or of returns. */
  count: number;
  /** Decimal USD, negative for returns; absent for calls that were charged together at several prices. */
  unitUsd?: string;
  netUsd: string;
  /** Transactions, or ids of requests where none paid a call by itself; the first thousand. */
  references: string[];
}

export interface Statement {
  payer?: string;
  account?: string;
  from: string;
  to: string;
  currency: "USD";
  lines: StatementLine[];
  total: { calls: number; salesUsd: string; returnedUsd: string; netUsd: string };
  tax?: Readonly<Record<string, string>>;
}

const MOST_REFERENCES = 1000;

/** Rejects with a TypeError that names a wrong field. Memory grows with the lines. */
export async function statementOf(
  ledger: Ledger,
  of: StatementOf,
  query: StatementQuery,
  unbooked: readonly LedgerEntry[] = [],
): Promise<Statement> {
  const { from, to, tax } = query;
  for (const [name, day] of [
    ["from", from],
    ["to", to],
  ] as const)
    if (!isoDate().safeParse(day).success)
      throw new TypeError(`statement: ${name} must be a day in the form YYYY-MM-DD.`);
  if (from > to) throw new TypeError(`statement: from: ${from} is after ${to}.`);
  if (query.format !== undefined && query.format !== "json" && query.format !== "csv")
    throw new TypeError('statement: format must be "json" or "csv".');
  assertTax(tax);
  const isTheirs = matcherOf(of);
  const lines = new Map<string, Line>();
  const open = new Map(unbooked.map((entry) => [entry.payment, entry]));
  const add = (entry: LedgerEntry) => {
    if (!isTheirs(entry) || entry.earned === 0n) return;
    const unit = unitOf(entry);
    const key = `${entry.endpoint} ${entry.earned < 0n ? "returns" : "sales"} ${unit}`;
    const line = lines.get(key) ?? { endpoint: entry.endpoint, unit, count: 0, net: 0n, references: [] };
    lines.set(key, line);
    line.count += entry.calls ?? 1;
    line.net += entry.earned;
    const reference = entry.transaction || entry.requestId || entry.payment;
    if (line.references.length < MOST_REFERENCES) line.references.push(reference);
  };
  for await (const entry of ledger.read({ from, to })) {
    // Booked while the open payments were read.
    open.delete(entry.payment);
    add(entry);
  }
  for (const entry of open.values()) if (ledgerDay(entry.soldAt) >= from && ledgerDay(entry.soldAt) <= to) add(entry);
  return { ...of, from, to, currency: "USD", ...summed([...lines.values()]), ...(tax ? { tax } : {}) };
}

interface Line {
  endpoint: string;
  /** Undefined if it differs between calls that were booked together. */
  unit: Micros | undefined;
  count: number;
  net: Micros;
  references: string[];
}

function unitOf({ earned, calls = 1 }: LedgerEntry): Micros | undefined {
  return earned % BigInt(calls) === 0n ? earned / BigInt(calls) : undefined;
}

function summed(lines: Line[]): Pick<Statement, "lines" | "total"> {
  const sum = (some: Line[]) => some.reduce((total, { net }) => total + net, 0n);
  const [sales, returns] = [lines.filter(({ net }) => net > 0n), lines.filter(({ net }) => net < 0n)];
  return {
    lines: [...sales, ...returns].sort(inOrder).map(({ endpoint, count, unit, net, references }) => ({
      endpoint,
      count,
      ...(unit === undefined ? {} : { unitUsd: signedUsd(unit) }),
      netUsd: signedUsd(net),
      references,
    })),
    total: {
      calls: sales.reduce((total, { count }) => total + count, 0),
      salesUsd: fromMicros(sum(sales)),
      returnedUsd: fromMicros(-sum(returns)),
      netUsd: signedUsd(sum(lines)),
    },
  };
}

/** By endpoint, sales before returns, cheap ones first. */
function inOrder(a: Line, b: Line): number {
  if (a.endpoint !== b.endpoint) return a.endpoint < b.endpoint ? -1 : 1;
  if (a.net > 0n !== b.net > 0n) return a.net > 0n ? -1 : 1;
  return compare(a.unit ?? 0n, b.unit ?? 0n);
}

const compare = (a: Micros, b: Micros) => (a < b ? -1 : a > b ? 1 : 0);
const signedUsd = (micros: Micros) => (micros < 0n ? `-${fromMicros(-micros)}` : fromMicros(micros));

/** The rows of an invoice, a line for the sum, and the host's own fields, with CRLF. */
export function statementCsv({ lines, total, tax = {}, ...facts }: Statement): string {
  const rows = [
    ["endpoint", "count", "unit_usd", "net_usd", "references"],
    ...lines.map(({ endpoint, count, unitUsd = "", netUsd, references }) => [
      ...[endpoint, count, unitUsd, netUsd],
      references.join(" "),
    ]),
    ["total", total.calls, "", total.netUsd, ""],
    ...Object.entries(facts),
    ...Object.entries(tax),
  ];
  return `${rows.map((row) => csvRow(row)).join("\r\n")}\r\n`;
}

function matcherOf(of: StatementOf): (entry: LedgerEntry) => boolean {
  if (typeof of !== "object" || of === null || "payer" in of === "account" in of)
    throw new TypeError("statement: name either a payer or an account.");
  const name = "payer" in of ? of.payer : of.account;
  if (typeof name !== "string" || name === "")
    throw new TypeError(`statement: ${"payer" in of ? "payer" : "account"} must be a text.`);
  if ("account" in of) return ({ payer }) => payer === `acct:${of.account}`;
  const [, network, address = name] = /^([-a-z0-9]{3,8}:[-\w]{1,32}):([^:]+)$/.exec(name) ?? [];
  const wanted = plainAnywhere(address);
  return (entry) =>
    plainAnywhere(entry.payer) === wanted && (network === undefined || (entry.network ?? network) === network);
}

function assertTax(tax: unknown): void {
  const isFields =
    tax === undefined ||
    (typeof tax === "object" && tax !== null && Object.values(tax).every((value) => typeof value === "string"));
  if (!isFields) throw new TypeError("statement: tax must be an object of texts.");
}
