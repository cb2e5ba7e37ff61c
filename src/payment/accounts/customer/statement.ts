/** The book of an account as its owner reads it, as JSON and as rows of a table. */
import { csvRow } from "../../../lib/text/csv-row.js";
import type { AccountEntry } from "../../options/accounts.js";
import { type BalanceEntry, shownEntry } from "../record/record.js";
import type { AccountRecords } from "../records.js";
import { type BookScan, scanBook } from "./scan.js";

const MOST_READ = 5000;

export interface AccountStatement {
  entries: AccountEntry[];
  /** Id of an entry, if there may be more after it. */
  next?: string;
}

export async function bookPartOf(
  records: AccountRecords,
  id: string,
  { limit, ...asked }: Pick<BookScan, "after" | "from" | "to"> & { limit: number },
): Promise<AccountStatement> {
  const { found, next } = await scanBook(records, id, { ...asked, most: { read: MOST_READ, found: limit } });
  return { entries: found.map(shownToOwner), ...(next === undefined ? {} : { next: String(next) }) };
}

/** Notes of corrections are the host's own; those of grants are for their owner. */
function shownToOwner(entry: BalanceEntry): AccountEntry {
  const { note, ...shown } = shownEntry(entry);
  // guard: own account: the host's notes stay with the host | always | accounts/own-account
  return note !== undefined && entry.kind === "grant" ? { ...shown, note } : shown;
}

const COLUMNS = ["id", "at", "kind", "usd", "free_usd", "endpoint", "request_id", "key", "reference", "grants", "note"];

/** With CRLF, by RFC 4180. */
export function entriesCsv(entries: readonly AccountEntry[]): string {
  const rows = entries.map(
    ({ id, at, kind, usd, freeUsd, endpoint, requestId, key, reference, grant, grants, note }) => [
      ...[id, at, kind, usd, freeUsd, endpoint, requestId, key, reference],
      grant ?? grants?.map((one) => one.id).join(" "),
      note,
    ],
  );
  return [COLUMNS, ...rows].map((row) => `${csvRow(row.map((cell) => cell ?? ""))}\r\n`).join("");
}
