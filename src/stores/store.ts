/**
 * Shared state behind one small interface: records with versions, and counters.
 *
 * Everything that must happen exactly once is built on `put` with `ifVersion`, a compare-and-set: a claim is a put of a
 * record that must not exist, a lease is taken over by a put on the newest version, and the former holder's version is
 * then outdated, so its late writes fail.
 *
 * @example
 * ```ts
 * const version = await store.put("job:1", "running", { ifVersion: 0, ttlMs: 60_000 });
 * if (version === undefined) return; // another process has it
 * ```
 */
export interface Store {
  /** True if several processes share the state; false for a memory store. */
  readonly shared: boolean;
  /** Characters that the records of one kind (`payment:1` is a payment) may have together; unset: no bound. */
  readonly room?: number | undefined;
  get(key: string): Promise<StoredRecord | undefined>;
  /**
   * Writes if the record is still at `ifVersion` (0: it must not exist) and returns the new version, otherwise
   * undefined. Versions come from one sequence for the whole store, so a record that was removed and created again
   * never repeats one.
   */
  put(key: string, value: string, options: PutOptions): Promise<number | undefined>;
  /** Removes the record if it is still at `ifVersion`; resolves to whether it did. */
  remove(key: string, ifVersion: number): Promise<boolean>;
  /**
   * Adds to a counter, which is never below zero and expires `ttlMs` after its first increment. Returns the new total;
   * undefined, without a change, if the total would exceed `max`.
   */
  increment(key: string, by: number, options: { ttlMs: number; max?: number }): Promise<number | undefined>;
  /** Keys of records whose `dueAt` is not after `now` (epoch milliseconds), oldest first. */
  due(now: number, limit: number): Promise<string[]>;
  /** Records whose keys start with `prefix`, in key order, `limit` at a time, after the key `after`. */
  list(prefix: string, options: { limit: number; after?: string }): Promise<ListedRecord[]>;
  /** Connections of this process to the store's database; only for stores whose client tells. */
  connections?(): StoreConnections | undefined;
  /** Resolves when the store is ready; only for stores that take long to open. */
  opened?(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreConnections {
  idle: number;
  used: number;
  /** Requests that wait for a connection. */
  waiting: number;
}

export interface StoredRecord {
  value: string;
  version: number;
  /** True if its writer is certainly dead, and its running work with it. */
  isOrphan?: true;
}

export interface ListedRecord extends StoredRecord {
  key: string;
}

export interface PutOptions {
  ifVersion: number;
  /** The record expires after this time, counted from this write. */
  ttlMs: number;
  /** When background work should look at the record again (epoch milliseconds). Unset: never. */
  dueAt?: number;
  /**
   * Shortens the value if room runs out; the store may replace the value at any time, keeping its version. Works only
   * for stores in this process. Unset: the value is never shortened.
   */
  compact?: (value: string) => string;
}
