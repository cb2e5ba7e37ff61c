import { checkIncrement, checkKey, checkPut, compareKeys } from "./checks.js";
import { ExpiringMap } from "./expiring-map.js";
import type { Store, StoredRecord } from "./store.js";
import { TimeQueue } from "./time-queue.js";

export interface MemoryStoreOptions {
  /** Default: the system clock. */
  clock?: () => Date;
  /** Records held at most, and counters held at most. Default 1,000,000. */
  maxRecords?: number;
  /** Text held at most, by two bytes a character, before new records are refused. Default 512 MB. */
  maxBytes?: number;
}

/**
 * The store of one process. A living record is never evicted: when there is no room left, writing a new key rejects
 * with "store is full", and callers fail closed.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  const { clock = () => new Date(), maxRecords = 1_000_000, maxBytes = 512 * 1024 * 1024 } = options;
  const now = () => clock().getTime();
  const dueTimes = new TimeQueue();
  const records = new ExpiringMap<StoredRecord>({ now, maxEntries: maxRecords, onRemove: forget });
  const counters = new ExpiringMap<{ total: number; expiresAt: number }>({ now, maxEntries: maxRecords });
  let lastVersion = 0;
  let bytes = 0;

  function forget(key: string, record: StoredRecord): void {
    dueTimes.delete(key);
    bytes -= sizeOf(key, record);
  }

  return {
    shared: false,

    async get(key) {
      checkKey(key);
      const record = records.get(key);
      return record && { ...record };
    },

    async put(key, value, options) {
      checkPut(key, value, options);
      const { ifVersion, ttlMs, dueAt } = options;
      const current = records.get(key);
      if ((current?.version ?? 0) !== ifVersion) return undefined;
      // A record that is there may still grow: whoever holds a claim can always save its outcome.
      if (!current && bytes >= maxBytes) throw new Error("store is full");

      const next = { value, version: lastVersion + 1 };
      records.set(key, next, now() + ttlMs);
      lastVersion = next.version;
      bytes += sizeOf(key, next) - (current ? sizeOf(key, current) : 0);
      if (dueAt === undefined) dueTimes.delete(key);
      else dueTimes.set(key, dueAt);
      return next.version;
    },

    async remove(key, ifVersion) {
      checkKey(key);
      if (records.get(key)?.version !== ifVersion) return false;
      records.delete(key);
      return true;
    },

    async increment(key, by, { ttlMs, max = Number.MAX_SAFE_INTEGER }) {
      checkIncrement(key, by, { ttlMs, max });
      const counter = counters.get(key) ?? { total: 0, expiresAt: now() + ttlMs };
      const total = Math.max(0, counter.total + by);
      if (total > max) return undefined;
      counters.set(key, { total, expiresAt: counter.expiresAt }, counter.expiresAt);
      return total;
    },

    async due(until, limit) {
      const found = [];
      for (let next = dueTimes.first(); next && next.at <= until && found.length < limit; next = dueTimes.first()) {
        dueTimes.delete(next.key);
        if (records.get(next.key)) found.push(next);
      }
      for (const { key, at } of found) dueTimes.set(key, at);
      return found.map(({ key }) => key);
    },

    // Looks at every key and sorts those that match: for reports and repairs, not for the path of a call.
    async list(prefix, { limit, after }) {
      const keys = [...records.keys()].filter(
        (key) => key.startsWith(prefix) && (after === undefined || compareKeys(key, after) > 0),
      );
      const living = keys.sort(compareKeys).flatMap((key) => {
        const record = records.get(key);
        return record ? [{ key, ...record }] : [];
      });
      return living.slice(0, limit);
    },

    // What is held goes with the store itself, so a handler that restarts in the same process finds its state again.
    async close() {},
  };
}

function sizeOf(key: string, record: StoredRecord): number {
  return 2 * (key.length + record.value.length);
}
