/** Reads a part of an account's book, from a moment on, within a bound that a busy account does not lift. */
import { CapabilityError } from "../../../errors.js";
import { CLOCKS_APART_MS } from "../../../lib/clocks.js";
import { type BalanceEntry, PAGE } from "../record/record.js";
import type { AccountRecords } from "../records.js";

const STEP = 500;

export interface BookScan {
  from?: number | undefined;
  to?: number | undefined;
  /** Number of the entry to begin after. */
  after?: number | undefined;
  /** Entries that are read at most, and those that are found. */
  most: { read: number; found: number };
}

export interface Scanned {
  found: BalanceEntry[];
  /** Number of the last entry that was looked at, if there may be more. */
  next?: number;
}

/** Reads an account, or nothing where it is not there, or another host's. */
export async function orEmpty<T>(read: Promise<T>, empty: T): Promise<T> {
  return read.catch((error: unknown) => {
    if (CapabilityError.is(error) && error.code === "NOT_FOUND") return empty;
    throw error;
  });
}

export async function scanBook(records: AccountRecords, id: string, asked: BookScan): Promise<Scanned> {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, after, most } = asked;
  const found: BalanceEntry[] = [];
  const first = after === undefined ? await firstSince(records, id, from) : after + 1;
  for (let seq = first; ; ) {
    const step = await orEmpty(records.entriesFrom(id, seq, STEP), []);
    for (const entry of step) {
      if (found.length >= most.found || entry.seq - first >= most.read) return { found, next: entry.seq - 1 };
      if (entry.at >= from && entry.at <= to) found.push(entry);
      seq = entry.seq + 1;
    }
    if (step.length < STEP) return { found };
  }
}

/**
 * Number of an entry that is not after the first of a time. Entries stand in the order of their booking, by the clocks
 * of several instances; an expiry has the time of its grant's end, which is not after its booking.
 */
async function firstSince(records: AccountRecords, id: string, from: number): Promise<number> {
  if (!Number.isFinite(from)) return 0;
  const pages = (await records.read(id))?.pages ?? 0;
  let [low, high] = [0, pages];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isBefore(records, id, { page: middle, from })) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1) * PAGE;
}

/** Whether all of a page was surely booked before a time. */
async function isBefore(
  records: AccountRecords,
  id: string,
  { page, from }: { page: number; from: number },
): Promise<boolean> {
  const entries = await records.entriesFrom(id, page * PAGE, PAGE);
  const last = entries.findLast(({ kind }) => kind !== "expiry");
  return last !== undefined && last.at + CLOCKS_APART_MS < from;
}
