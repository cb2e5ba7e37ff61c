/** Single sales in the ledger, for the host's refunds and statements. */
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { type Ledger, type LedgerEntry, ledgerDay } from "./ledger.js";

/** A sale of one call. */
export type SaleEntry = LedgerEntry & {
  kind: "sale";
  /** Of a single voucher: the scheme of its channel. */
  scheme?: string;
};

/**
 * The sale that answered a request, or that a transaction paid. Days are read backwards, because most refunds concern
 * young sales. Rejects with NOT_FOUND or INVALID_INPUT.
 */
export async function findSale(
  ledger: Ledger,
  now: number,
  of: { requestId: string } | { transaction: string } | { payment: string; at: number },
): Promise<SaleEntry> {
  if ("payment" in of) return saleOfPayment(ledger, of);
  const matches = matcherOf(of);
  for (let age = 0; age < ledger.days; age++) {
    const day = ledgerDay(now - age * DAY_MS);
    const found = await salesOn(ledger, day, matches);
    if (found) return found;
  }
  throw new CapabilityError(
    "NOT_FOUND",
    `No sale with this ${"requestId" in of ? "request id" : "transaction"} is in the ledger.`,
  );
}

/** The sale of a payment of which the day is known, give or take one. */
async function saleOfPayment(ledger: Ledger, { payment, at }: { payment: string; at: number }): Promise<SaleEntry> {
  for (const days of [0, 1, -1]) {
    const day = ledgerDay(at + days * DAY_MS);
    const found = await salesOn(ledger, day, (entry) => entry.payment === payment);
    if (found) return found;
  }
  throw new CapabilityError("NOT_FOUND", "No sale of this payment is in the ledger.");
}

async function salesOn(
  ledger: Ledger,
  day: string,
  matches: (entry: LedgerEntry) => boolean,
): Promise<SaleEntry | undefined> {
  const sales: SaleEntry[] = [];
  const lost = new Set<string>();
  for await (const entry of ledger.read({ from: day, to: day })) {
    if (entry.kind === "loss") lost.add(entry.payment);
    if (isSale(entry) && entry.earned > 0n && matches(entry)) sales.push(entry);
  }
  const [sale, another] = sales;
  if (another) throw invalid("transaction", "paid for several calls: name one of them by its requestId");
  if (sale && lost.has(sale.payment))
    throw invalid("transaction", "is lost from the chain, so that nothing was paid in the end");
  return sale;
}

const isSale = (entry: LedgerEntry): entry is SaleEntry => entry.kind === "sale";

function matcherOf(of: { requestId: string } | { transaction: string }): (entry: LedgerEntry) => boolean {
  const [name, wanted] =
    "requestId" in of ? (["requestId", of.requestId] as const) : (["transaction", of.transaction] as const);
  if (typeof wanted !== "string" || wanted === "" || wanted.length > 200)
    throw invalid(name, "must be the id of a call, or the transaction that paid it");
  // In hex, case does not matter; on Solana it does.
  const plain = (text: string | undefined) => (text?.startsWith("0x") ? text.toLowerCase() : text);
  return (entry) => plain(entry[name]) === plain(wanted);
}
