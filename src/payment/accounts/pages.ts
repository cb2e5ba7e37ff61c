/** The older part of an account book, in pages of its own. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { once } from "../../lib/lazy.js";
import type { Store } from "../../stores/store.js";
import type { Ledger } from "../ledger/ledger.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { salesOf } from "./ledger-entries.js";
import { FOREVER_MS } from "./record/forever.js";
import { type BalanceEntry, PAGE, readPage, write } from "./record/record.js";

export interface Pages {
  /**
   * Writes a page, before its entries leave the account's record: their references are noted and their sales booked, so
   * that each entry is found in one of the two places. A repetition after a crash writes the same.
   */
  write(id: string, page: number, entries: readonly BalanceEntry[]): Promise<void>;
  read(id: string, page: number): Promise<BalanceEntry[]>;
  /** Deletes a page with the references that lead to it. */
  remove(id: string, page: number): Promise<void>;
  /** The entry that a page has under a reference. */
  find(id: string, reference: string): Promise<BalanceEntry | undefined>;
}

const pageKey = (id: string, page: number) => `account-book:${id}:${String(page).padStart(12, "0")}`;
const referenceKey = (id: string, reference: string) =>
  `account-reference:${id}:${createHash("sha256").update(reference).digest("hex")}`;

const noted = once(() => z.object({ seq: z.number() }));

interface PagesOptions {
  store: Store;
  ledger: Pick<Ledger, "book">;
  own: OwnAccounts;
}

export function createPages({ store, ledger, own }: PagesOptions): Pages {
  async function read(id: string, page: number): Promise<BalanceEntry[]> {
    const found = await store.get(pageKey(id, page));
    if (found) return readPage(found.value);
    throw new Error(`page ${page} of the account book of "${id}" is missing`);
  }

  async function drop(key: string): Promise<void> {
    const found = await store.get(key);
    if (found) await store.remove(key, found.version);
  }

  return {
    read,
    async remove(id, page) {
      const found = await store.get(pageKey(id, page));
      if (!found) return;
      const named = readPage(found.value).flatMap(({ reference }) => (reference === undefined ? [] : [reference]));
      await Promise.all(named.map((reference) => drop(referenceKey(id, reference))));
      await drop(pageKey(id, page));
    },
    async write(id, page, entries) {
      const options = { ifVersion: 0, ttlMs: FOREVER_MS };
      const named = entries.flatMap(({ reference, seq }) => (reference === undefined ? [] : [{ reference, seq }]));
      // A reference leads to its page, which is there first.
      await store.put(pageKey(id, page), write([...entries]), options);
      await Promise.all([
        ledger.book(salesOf(id, entries, own)),
        ...named.map(({ reference, seq }) => store.put(referenceKey(id, reference), JSON.stringify({ seq }), options)),
      ]);
    },
    async find(id, reference) {
      const found = await store.get(referenceKey(id, reference));
      if (!found) return undefined;
      const { seq } = noted().parse(JSON.parse(found.value));
      return (await read(id, Math.floor(seq / PAGE))).find((entry) => entry.seq === seq);
    },
  };
}
