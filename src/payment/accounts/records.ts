/** Stores accounts: every change is a compare-and-set, and full pages of the book are moved out of the record. */
import { CapabilityError } from "../../errors.js";
import type { Logger } from "../../lib/logger.js";
import type { Store } from "../../stores/store.js";
import { update } from "../../stores/update.js";
import type { Ledger } from "../ledger/ledger.js";
import type { OwnAccounts } from "../own-accounts.js";
import { endExpired } from "./holds.js";
import { createPages, FOREVER_MS } from "./pages.js";
import { type AccountRecord, type Entry, newAccount, PAGE, parseAccountRecord, write } from "./record.js";

/** A full page is moved after the answer; a record with so many entries is made shorter before. */
const MOST_RECENT = 5 * PAGE;
const LIST = 500;

export interface AccountRecordsOptions {
  store: Store;
  ledger: Pick<Ledger, "book">;
  own: OwnAccounts;
  now: () => number;
  logger: Logger;
}

export interface ChangeOptions<T> {
  /** Opens an account that is not there. Otherwise the change rejects with NOT_FOUND. */
  create?: boolean;
  /** Whether a result of `edit` is written. Default: always. */
  writes?: (result: T) => boolean;
}

export interface OnceOptions {
  create?: boolean;
  /** A number of pages in which the reference is known not to be. */
  since?: number | undefined;
}

export interface AccountRecords {
  /** Undefined for an unknown account, and for that of another host on the same store. */
  read(id: string): Promise<AccountRecord | undefined>;
  /** Changes an account, all of it or nothing. `edit` may run more than once, and may throw. */
  change<T>(id: string, edit: (record: AccountRecord) => T, options?: ChangeOptions<T>): Promise<T>;
  /**
   * Adds the entry of a reference once, whoever repeats it on whatever instance; resolves to the entry that is there.
   */
  addOnce(id: string, reference: string, add: (record: AccountRecord) => Entry, options?: OnceOptions): Promise<Entry>;
  /** Entries from a number on. Rejects with NOT_FOUND. */
  entriesFrom(id: string, seq: number, limit: number): Promise<Entry[]>;
  /** All accounts of this host, for reports. */
  all(): AsyncIterable<{ id: string; record: AccountRecord }>;
}

const PREFIX = "account:";
const keyOf = (id: string) => PREFIX + id;

export function createAccountRecords({ store, ledger, own, now, logger }: AccountRecordsOptions): AccountRecords {
  const pages = createPages({ store, ledger, own });
  /** Accounts whose pages this process is moving. */
  const moving = new Map<string, Promise<void>>();

  function parse(text: string): AccountRecord | undefined {
    const record = parseAccountRecord(text);
    return own.hasId(record.host) ? record : undefined;
  }

  async function read(id: string): Promise<AccountRecord | undefined> {
    const found = await store.get(keyOf(id));
    return found && parse(found.value);
  }

  function existing(id: string, found: string | undefined): AccountRecord {
    if (found === undefined)
      throw new CapabilityError("NOT_FOUND", `The account "${id}" is not known here; topUp and createKey open one.`);
    const record = parse(found);
    if (record) return record;
    throw new CapabilityError("NOT_FOUND", `The account "${id}" belongs to another service on the same store.`);
  }

  const change: AccountRecords["change"] = async (id, edit, { create = false, writes = () => true } = {}) => {
    const { result, length } = await update(store, { key: keyOf(id), ttlMs: FOREVER_MS }, (found) => {
      const record = found === undefined && create ? newAccount(own.on(undefined)) : existing(id, found);
      endExpired(record, now());
      const result = edit(record);
      const { length } = record.recent;
      return { value: writes(result) ? write(record) : undefined, result: { result, length } };
    });
    if (length >= MOST_RECENT) await movePages(id);
    else if (length >= PAGE) movePages(id).catch((error: unknown) => logger.warn({ account: id, error }, MOVED_LATER));
    return result;
  };

  function movePages(id: string): Promise<void> {
    const running = moving.get(id) ?? move(id).finally(() => moving.delete(id));
    moving.set(id, running);
    return running;
  }

  async function move(id: string): Promise<void> {
    for (let record = await read(id); record && record.recent.length >= PAGE; record = await read(id)) {
      const page = record.pages;
      await pages.write(id, page, record.recent.slice(0, PAGE));
      await update(store, { key: keyOf(id), ttlMs: FOREVER_MS }, (found) => {
        const there = existing(id, found);
        if (there.pages !== page) return { value: undefined, result: undefined };
        there.pages++;
        there.recent.splice(0, PAGE);
        return { value: write(there), result: undefined };
      });
    }
  }

  async function addOnce(
    id: string,
    reference: string,
    add: (record: AccountRecord) => Entry,
    { create = false, since }: OnceOptions = {},
  ): Promise<Entry> {
    for (let known = since; ; known = undefined) {
      // Read before the references: an entry that left the record until now is noted among them.
      const count = known ?? (await read(id))?.pages ?? 0;
      const moved = known === undefined ? await pages.find(id, reference) : undefined;
      if (moved) return moved;
      const edit = (record: AccountRecord) => {
        if (record.pages !== count) return undefined;
        const there = record.recent.find((entry) => entry.reference === reference);
        return there ? { entry: there, isNew: false } : { entry: add(record), isNew: true };
      };
      const added = await change(id, edit, { create, writes: (result) => result?.isNew === true });
      if (added) return added.entry;
    }
  }

  return {
    read,
    change,
    addOnce,
    async entriesFrom(id, seq, limit) {
      const found = await store.get(keyOf(id));
      const record = existing(id, found?.value);
      const entries: Entry[] = [];
      for (let page = Math.floor(seq / PAGE); page < record.pages && entries.length < limit + PAGE; page++)
        entries.push(...(await pages.read(id, page)));
      return [...entries, ...record.recent].filter((entry) => entry.seq >= seq).slice(0, limit);
    },
    async *all() {
      for (let after = PREFIX; ; ) {
        const page = await store.list(PREFIX, { limit: LIST, after });
        for (const { key, value } of page) yield* named(key.slice(PREFIX.length), parse(value));
        const last = page.at(-1);
        if (!last || page.length < LIST) return;
        after = last.key;
      }
    },
  };
}

const MOVED_LATER = "accounts: a page of the book could not be moved; a later call does it";

const named = (id: string, record: AccountRecord | undefined) => (record ? [{ id, record }] : []);
