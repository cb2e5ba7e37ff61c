/** Stores accounts: every change is a compare-and-set, and full pages of the book are moved out of the record. */
import { CapabilityError } from "../../errors.js";
import type { Logger } from "../../lib/logger.js";
import type { Store } from "../../stores/store.js";
import { type Codec, updateWith } from "../../stores/update.js";
import type { Ledger } from "../ledger/ledger.js";
import type { OwnAccounts } from "../record/own-accounts.js";
import { accountPrefix, accountKey as keyOf } from "./account-key.js";
import { dueAtOf } from "./grants/grants.js";
import { endExpired } from "./holds.js";
import type { Billing } from "./invoices/invoices.js";
import { createPages } from "./pages.js";
import { FOREVER_MS } from "./record/forever.js";
import type { UntoldEvent } from "./record/grant-record.js";
import { type AccountRecord, type BalanceEntry, newAccount, PAGE, parseAccountRecord, write } from "./record/record.js";
import { createTexts, sharedReads } from "./texts.js";

/** A full page is moved after the answer; a record with so many entries is made shorter before. */
const MOST_RECENT = 5 * PAGE;
const MOST_MOVED = 10;
const LIST = 500;

export interface AccountRecordsOptions {
  store: Store;
  ledger: Pick<Ledger, "book">;
  own: OwnAccounts;
  now: () => number;
  logger: Logger;
  /** Stores an event for the host, the same one however often it is repeated. Absent without webhooks. */
  tell?: ((account: string, event: UntoldEvent) => Promise<void>) | undefined;
  /** Issues an invoice, the same one however often it is repeated. Absent for a host that issues none. */
  bill?: ((billing: Billing) => Promise<void>) | undefined;
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
  /** Changes an account, all of it or nothing. `edit` may run more than once, and may throw before it changes anything. */
  change<T>(id: string, edit: (record: AccountRecord) => T, options?: ChangeOptions<T>): Promise<T>;
  /**
   * Adds the entry of a reference once, whoever repeats it on whatever instance; resolves to the entry that is there.
   */
  addOnce(
    id: string,
    reference: string,
    add: (record: AccountRecord) => BalanceEntry,
    options?: OnceOptions,
  ): Promise<BalanceEntry>;
  /** Entries from a number on. Rejects with NOT_FOUND. */
  entriesFrom(id: string, seq: number, limit: number): Promise<BalanceEntry[]>;
  /** Writes what has ended by now, and tells it. Resolves to whether the account is this host's. */
  tend(id: string): Promise<boolean>;
  /** Deletes a closed account whose keeping is over; false if it is not so. */
  erase(id: string): Promise<boolean>;
  /** All accounts of this host, in the order of their ids, for reports; those after an id, or whose ids begin so. */
  all(options?: { after?: string | undefined; prefix?: string }): AsyncIterable<{ id: string; record: AccountRecord }>;
}

/** An account as it was found; without a record one that is not there, or that is another host's. */
interface Found {
  there: boolean;
  record: AccountRecord | undefined;
  /** True if something of it has ended since it was written. */
  ended?: boolean;
}

export function createAccountRecords(options: AccountRecordsOptions): AccountRecords {
  const { store, ledger, own, now, logger, tell, bill } = options;
  const pages = createPages({ store, ledger, own });
  /** Accounts whose pages this process is moving. */
  const moving = new Map<string, Promise<void>>();
  /** Those whose invoices it is issuing. */
  const billing = new Map<string, Promise<void>>();

  function parse(text: string): AccountRecord | undefined {
    const record = parseAccountRecord(text);
    // guard: accounts: another host's account on the same store is not this host's | always | book
    return own.hasId(record.host) ? record : undefined;
  }

  const texts = createTexts(parse);
  /** Not a copy: for what looks at it at once. */
  const read = sharedReads(async (id: string): Promise<AccountRecord | undefined> => {
    const found = await store.get(keyOf(id));
    return found && texts.read(id, found.value);
  });

  const codecOf = (id: string): Codec<Found> => ({
    read(text) {
      const record = text === undefined ? undefined : texts.read(id, text);
      const ended = record !== undefined && endExpired(record, now());
      // The store has another one.
      if (ended) texts.forget(id);
      return { there: text !== undefined, record, ended };
    },
    write({ record }) {
      if (!tell) delete record?.untold;
      const text = write(record as AccountRecord);
      texts.keep(id, text, record as AccountRecord);
      return text;
    },
    // Purchases that nobody bills now are kept for a host that does.
    dueAt: ({ record }) => record && dueAtOf(bill ? record : { ...record, unbilled: [] }),
  });
  const stored = (id: string) => ({ key: keyOf(id), ttlMs: FOREVER_MS, codec: codecOf(id) });

  function existing(id: string, { there, record }: Found): AccountRecord {
    if (record) return record;
    throw new CapabilityError(
      "NOT_FOUND",
      there
        ? `The account "${id}" belongs to another service on the same store.`
        : `The account "${id}" is not known here; topUp and createKey open one.`,
    );
  }

  const change: AccountRecords["change"] = async (id, edit, { create = false, writes = () => true } = {}) => {
    const { result, length, untold, owes } = await updateWith(store, stored(id), (found: Found) => {
      const record = create && !found.there ? newAccount(own.on(undefined)) : existing(id, found);
      const result = edit(record);
      const isWritten = writes(result);
      if (isWritten) Object.assign(found, { there: true, record });
      const { recent, untold, unbilled } = record;
      const told = isWritten ? { untold, owes: unbilled !== undefined } : { untold: undefined, owes: false };
      return { writes: isWritten, result: { result, length: recent.length, ...told } };
    });
    // Not awaited: until it is told it stands in the record, which is due for that.
    if (untold?.length) tellAll(id, untold).catch((error: unknown) => logger.warn({ account: id, error }, TOLD_LATER));
    if (owes) billAll(id).catch((error: unknown) => logger.warn({ account: id, error }, BILLED_LATER));
    if (length >= MOST_RECENT) await movePages(id);
    else if (length >= PAGE) movePages(id).catch((error: unknown) => logger.warn({ account: id, error }, MOVED_LATER));
    return result;
  };

  /** An event leaves the record once it is stored. */
  async function tellAll(id: string, events: readonly UntoldEvent[]): Promise<void> {
    // guard: grants: an event is told before it is noted as told | gone | accounts/grant-events
    for (const event of [...events]) await tell?.(id, event);
    const told = new Set(events.map(nameOfEvent));
    await updateWith(store, stored(id), (found: Found) => {
      const there = existing(id, found);
      const left = (there.untold ?? []).filter((event) => !told.has(nameOfEvent(event)));
      if (left.length === there.untold?.length) return { writes: false, result: undefined };
      if (left.length > 0) there.untold = left;
      else delete there.untold;
      return { writes: true, result: undefined };
    });
  }

  function billAll(id: string): Promise<void> {
    const running = billing.get(id) ?? billSome(id).finally(() => billing.delete(id));
    if (bill) billing.set(id, running);
    return running;
  }

  /** A purchase that has its invoice leaves the record, in the order in which it came. */
  async function billSome(id: string): Promise<void> {
    if (!bill) return;
    const { unbilled = [], buyer } = (await read(id)) ?? {};
    // guard: invoices: a purchase has its invoice before it is noted as billed | gone | invoices/invoice-crashes
    for (const one of [...unbilled]) await bill({ account: id, ...one, buyer });
    const done = new Set(unbilled.map(({ name }) => name));
    await updateWith(store, stored(id), ({ record }: Found) => {
      const left = (record?.unbilled ?? []).filter(({ name }) => !done.has(name));
      if (!record || left.length === record.unbilled?.length) return { writes: false, result: undefined };
      if (left.length > 0) record.unbilled = left;
      else delete record.unbilled;
      return { writes: true, result: undefined };
    });
  }

  function movePages(id: string): Promise<void> {
    const running = moving.get(id) ?? move(id).finally(() => moving.delete(id));
    moving.set(id, running);
    return running;
  }

  async function move(id: string): Promise<void> {
    // A copy of its own, since only what is stored may move to a page.
    const readStored = async () => {
      const found = await store.get(keyOf(id));
      return found && parse(found.value);
    };
    for (let record = await readStored(); record && record.recent.length >= PAGE; record = await readStored()) {
      const { pages: page, recent } = record;
      // Several at once, because a busy account fills many between two writes of its record.
      const full = Math.min(Math.floor(recent.length / PAGE), MOST_MOVED);
      const entriesOf = (i: number) => recent.slice(i * PAGE, (i + 1) * PAGE);
      await Promise.all(Array.from({ length: full }, (_, i) => pages.write(id, page + i, entriesOf(i))));
      await updateWith(store, stored(id), (found: Found) => {
        const there = existing(id, found);
        if (there.pages !== page) return { writes: false, result: undefined };
        there.pages += full;
        there.recent.splice(0, full * PAGE);
        return { writes: true, result: undefined };
      });
    }
  }

  async function addOnce(
    id: string,
    reference: string,
    add: (record: AccountRecord) => BalanceEntry,
    { create = false, since }: OnceOptions = {},
  ): Promise<BalanceEntry> {
    for (let known = since; ; known = undefined) {
      // Read before the references: an entry that left the record until now is noted among them.
      const count = known ?? (await read(id))?.pages ?? 0;
      // guard: accounts: a reference is known after its entry has moved to a page | never | book --accounts
      const moved = known === undefined ? await pages.find(id, reference) : undefined;
      if (moved) return moved;
      const edit = (record: AccountRecord) => {
        if (record.pages !== count) return undefined;
        // guard: accounts: the entry of a reference that is there already is not booked again |
        //   = undefined | book --accounts
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
      const text = found?.value;
      const record = existing(id, { there: text !== undefined, record: text === undefined ? undefined : parse(text) });
      const entries: BalanceEntry[] = [];
      for (let page = Math.floor(seq / PAGE); page < record.pages && entries.length < limit + PAGE; page++)
        entries.push(...(await pages.read(id, page)));
      return [...entries, ...record.recent].filter((entry) => entry.seq >= seq).slice(0, limit);
    },
    async tend(id) {
      const found = await updateWith(store, stored(id), ({ record, ended = false }: Found) => {
        if (!record) return { writes: false, result: undefined };
        const { untold = [], unbilled = [] } = record;
        // Without webhooks nobody would take an event out, and the record would stay due; it does so without invoices.
        const isIdle = (untold.length > 0 && !tell) || (unbilled.length > 0 && !bill);
        return { writes: ended || isIdle, result: { untold: [...untold], owes: unbilled.length > 0 } };
      });
      if (found?.untold.length) await tellAll(id, found.untold);
      if (found?.owes) await billAll(id);
      return found !== undefined;
    },
    async erase(id) {
      const found = await store.get(keyOf(id));
      const record = found && parse(found.value);
      if (!found || !record?.closed || record.closed.keptUntil > now()) return false;
      for (let page = 0; page < record.pages; page++) await pages.remove(id, page);
      await store.remove(keyOf(id), found.version);
      return true;
    },
    async *all({ after: first = "", prefix = "" } = {}) {
      for (let after = accountPrefix + first; ; ) {
        const page = await store.list(accountPrefix + prefix, { limit: LIST, after });
        for (const { key, value } of page) yield* named(key.slice(accountPrefix.length), parse(value));
        const last = page.at(-1);
        if (!last || page.length < LIST) return;
        after = last.key;
      }
    },
  };
}

const BILLED_LATER = "accounts: an invoice is not issued yet; the background issues it";
const TOLD_LATER = "accounts: an event of a grant is not stored yet; the background stores it";
const nameOfEvent = (event: UntoldEvent): string => `${event.type} ${"grant" in event ? event.grant.id : event.at}`;

const MOVED_LATER = "accounts: a page of the book could not be moved; a later call does it";

const named = (id: string, record: AccountRecord | undefined) => (record ? [{ id, record }] : []);
