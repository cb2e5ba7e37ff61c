import { shape } from "../../lib/options/check.js";
import { clock as aClock, count } from "../../lib/options/kinds.js";
import { checkIncrement, checkKey, checkPut, compareKeys } from "../checks.js";
import type { ListedRecord, Store } from "../store.js";
import { BoundedRecords } from "./bounded-records.js";
import { ExpiringMap } from "./expiring-map.js";
import { TimeQueue } from "./time-queue.js";

export interface MemoryStoreOptions {
  /** Default: the system clock. */
  clock?: () => Date;
  /** Maximum number of records, and of counters, of each kind. Default 1,000,000. */
  maxRecords?: number;
  /**
   * Maximum text of each kind in bytes, at two bytes a character. Beyond it stored replies are dropped, the oldest
   * first, and then new records are refused. Default 256 MB.
   */
  maxBytes?: number;
}

export const memoryOptions = shape<MemoryStoreOptions>({ clock: aClock, maxRecords: count(1), maxBytes: count(1) });

/** The first keys of several rooms from `start` on, in order. */
function keysOf(rooms: BoundedRecords[], start: string, count: number): string[] {
  const found = rooms.map((records) => records.keysFrom(start, count));
  const [only = []] = found;
  return found.length <= 1 ? only : found.flat().sort(compareKeys).slice(0, count);
}

interface KeyRange {
  prefix: string;
  /** The key to begin after. */
  after: string | undefined;
}

/** Keys of a range in order, in pages of as many as are `missing`. Some may have expired. */
function* keysFrom(rooms: BoundedRecords[], { prefix, after }: KeyRange, missing: () => number): Generator<string> {
  for (let from = after; missing() > 0; ) {
    // The last key of the previous page is read again.
    const wanted = missing() + 1;
    const page = keysOf(rooms, from ?? prefix, wanted);
    for (const key of page) {
      if (!key.startsWith(prefix)) return;
      if (key !== from && missing() > 0) yield key;
    }
    if (page.length < wanted) return;
    from = page.at(-1);
  }
}

/** The kind of a key: "payment:1" is a payment. Each kind has its own room, so that none displaces another. */
// guard: each kind of record has room of its own in a store in memory | returns key.slice(0, 0) | stores/memory
const kindOf = (key: string): string => key.slice(0, key.indexOf(":") + 1);

/**
 * The store of one process. An unexpired record is never evicted: without room, writing a new key rejects with "store
 * is full", and callers fail closed. Dispensable parts of records are dropped before that; see PutOptions.
 *
 * @example
 * ```ts
 * const store = createMemoryStore({ maxBytes: 64 * 1024 * 1024 });
 * ```
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  memoryOptions("createMemoryStore options", options);
  const { clock = () => new Date(), maxRecords = 1_000_000, maxBytes = 256 * 1024 * 1024 } = options;
  const now = () => clock().getTime();
  const dueTimes = new TimeQueue();
  const rooms = new Map<string, BoundedRecords>();
  const counters = new Map<string, ExpiringMap<{ total: number; expiresAt: number }>>();
  let lastVersion = 0;

  const find = (key: string) => rooms.get(kindOf(key))?.get(key);

  const onRemove = (key: string) => dueTimes.delete(key);

  function roomOf(key: string): BoundedRecords {
    const kind = kindOf(key);
    const records = rooms.get(kind) ?? new BoundedRecords({ now, maxEntries: maxRecords, maxBytes, onRemove });
    rooms.set(kind, records);
    return records;
  }

  /** The rooms of a prefix: one, or several if it ends before the kind does. */
  function roomsOf(prefix: string): BoundedRecords[] {
    const kind = kindOf(prefix);
    return [...rooms].flatMap(([name, records]) =>
      (kind === "" ? name === "" || name.startsWith(prefix) : name === kind) ? [records] : [],
    );
  }

  function countersOf(key: string) {
    const kind = kindOf(key);
    const found = counters.get(kind) ?? new ExpiringMap({ now, maxEntries: maxRecords });
    counters.set(kind, found);
    return found;
  }

  return {
    shared: false,
    room: Math.floor(maxBytes / 2),

    async get(key) {
      checkKey(key);
      return find(key);
    },

    async put(key, value, options) {
      checkPut(key, value, options);
      const { ifVersion, ttlMs, dueAt, compact } = options;
      const records = roomOf(key);
      if ((records.get(key)?.version ?? 0) !== ifVersion) return undefined;

      records.set(key, { value, version: lastVersion + 1, compact }, now() + ttlMs);
      lastVersion += 1;
      if (dueAt === undefined) dueTimes.delete(key);
      else dueTimes.set(key, dueAt);
      return lastVersion;
    },

    async remove(key, ifVersion) {
      checkKey(key);
      if (find(key)?.version !== ifVersion) return false;
      roomOf(key).delete(key);
      return true;
    },

    async increment(key, by, { ttlMs, max = Number.MAX_SAFE_INTEGER }) {
      checkIncrement(key, by, { ttlMs, max });
      const held = countersOf(key);
      const counter = held.get(key) ?? { total: 0, expiresAt: now() + ttlMs };
      const total = Math.max(0, counter.total + by);
      if (total > max) return undefined;
      held.set(key, { total, expiresAt: counter.expiresAt }, counter.expiresAt);
      return total;
    },

    async due(until, limit) {
      const found = [];
      for (let next = dueTimes.first(); next && next.at <= until && found.length < limit; next = dueTimes.first()) {
        dueTimes.delete(next.key);
        if (find(next.key)) found.push(next);
      }
      for (const { key, at } of found) dueTimes.set(key, at);
      return found.map(({ key }) => key);
    },

    async list(prefix, { limit, after }) {
      const found: ListedRecord[] = [];
      const last = after !== undefined && compareKeys(after, prefix) >= 0 ? after : undefined;
      for (const key of keysFrom(roomsOf(prefix), { prefix, after: last }, () => limit - found.length)) {
        const record = find(key);
        if (record) found.push({ key, ...record });
      }
      return found;
    },

    // Keeps the records, so that a handler that restarts in the same process finds its state again.
    async close() {},
  };
}
