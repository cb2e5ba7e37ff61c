/**
 * Shared state behind one small interface: records with versions, and counters.
 *
 * Everything that must happen exactly once is built on `put` with `ifVersion`, a compare-and-set: a claim is a put
 * where nothing may exist yet, a lease is taken over by whoever knows the newest version, and a holder that was
 * overtaken finds its own version outdated, so its late writes are fenced off.
 */
export interface Store {
  /** True when several processes see the same state; a store in memory says false. */
  readonly shared: boolean;
  get(key: string): Promise<StoredRecord | undefined>;
  /**
   * Writes if the record is still at `ifVersion` (0: it must not exist) and returns the new version, else undefined.
   * Versions come from one sequence for the whole store, so a record that was removed and made anew never repeats one.
   */
  put(key: string, value: string, options: PutOptions): Promise<number | undefined>;
  /** Removes the record if it is still at `ifVersion`; says whether it did. */
  remove(key: string, ifVersion: number): Promise<boolean>;
  /**
   * Counters never fall below zero. Adds to a counter that vanishes `ttlMs` after its first increment and returns the new total;
   * undefined, and nothing changed, when the total would exceed `max`.
   */
  increment(key: string, by: number, options: { ttlMs: number; max?: number }): Promise<number | undefined>;
  /** Keys of records whose `dueAt` is not after `now` (epoch milliseconds), oldest first. */
  due(now: number, limit: number): Promise<string[]>;
  /** Records whose keys start with `prefix`, in key order, `limit` at a time, after the key `after`. */
  list(prefix: string, options: { limit: number; after?: string }): Promise<ListedRecord[]>;
  /** Resolves when it can be asked; only of one that takes long to open. */
  opened?(): Promise<void>;
  close(): Promise<void>;
}

export interface StoredRecord {
  value: string;
  version: number;
  /** Whoever wrote it is dead for sure, and with it whatever it had under way here. */
  isOrphan?: true;
}

export interface ListedRecord extends StoredRecord {
  key: string;
}

export interface PutOptions {
  ifVersion: number;
  /** The record vanishes after this long, counted from this write. */
  ttlMs: number;
  /** When background work should look at the record again (epoch milliseconds). Unset: never. */
  dueAt?: number;
  /**
   * What a store whose room runs out may make of the value at any time, to put in its place; its version stays. Only a
   * store in this process can. Unset: nothing.
   */
  lean?: (value: string) => string;
}
