/** Records and counters of a store in SQLite, as a Durable Object has it: synchronous, and nobody else writes meanwhile. */
import { endOfPrefix } from "../checks.js";
import type { ListedRecord, PutOptions, StoredRecord } from "../store.js";

type SqlValue = ArrayBuffer | string | number | null;

/** The storage of a Durable Object, as far as it is used. */
export interface SqliteStorage {
  sql: { exec(query: string, ...bindings: SqlValue[]): { toArray(): Record<string, SqlValue>[] } };
  transactionSync<T>(work: () => T): T;
}

export type PutFields = Omit<PutOptions, "compact">;

/** A row takes 2 MB, and a value may be larger. */
const PIECE_BYTES = 1_000_000;
/** Rows that a write clears of those that have expired: more than it adds. */
const ROWS_PER_PRUNING = 4;

/** Keys are compared by bytes, as SQLite does without being told. */
const TABLES = `
  create table if not exists records (
    key text primary key, version integer not null, expires_at integer not null, due_at integer
  ) without rowid;
  create index if not exists records_expiry on records (expires_at);
  create index if not exists records_due on records (due_at, key) where due_at is not null;
  create table if not exists pieces (
    key text not null, part integer not null, bytes blob not null, primary key (key, part)
  );
  create table if not exists counters (
    key text primary key, total integer not null, expires_at integer not null
  ) without rowid;
  create index if not exists counters_expiry on counters (expires_at);
  create table if not exists versions (id integer primary key check (id = 1), last integer not null);
  insert or ignore into versions values (1, 0);`;

const encoder = new TextEncoder();
/** A byte order mark belongs to the value. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class SqliteRecords {
  readonly #storage: SqliteStorage;
  readonly #now: () => number;

  constructor(storage: SqliteStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    storage.transactionSync(() => storage.sql.exec(TABLES));
  }

  get(key: string): StoredRecord | undefined {
    const version = this.#versionOf(key);
    return version === 0 ? undefined : { value: this.#valueOf(key), version };
  }

  put(key: string, value: string, { ifVersion, ttlMs, dueAt }: PutFields): number | undefined {
    return this.#storage.transactionSync(() => {
      if (this.#versionOf(key) !== ifVersion) return undefined;
      this.#prune();
      const [row] = this.#rows("update versions set last = last + 1 returning last");
      const version = Number(row?.last);
      const fields = [key, version, this.#now() + ttlMs, dueAt ?? null];
      this.#rows("insert or replace into records (key, version, expires_at, due_at) values (?, ?, ?, ?)", ...fields);
      this.#writeValue(key, value);
      return version;
    });
  }

  remove(key: string, ifVersion: number): boolean {
    return this.#storage.transactionSync(() => {
      if (ifVersion === 0 || this.#versionOf(key) !== ifVersion) return false;
      this.#delete(key);
      return true;
    });
  }

  increment(key: string, by: number, { ttlMs, max = Number.MAX_SAFE_INTEGER }: { ttlMs: number; max?: number }) {
    return this.#storage.transactionSync(() => {
      const now = this.#now();
      const [found] = this.#rows("select total, expires_at from counters where key = ? and expires_at > ?", key, now);
      const total = Math.max(0, Number(found?.total ?? 0) + by);
      if (total > max) return undefined;
      this.#prune();
      const expiresAt = found?.expires_at ?? now + ttlMs;
      this.#rows("insert or replace into counters (key, total, expires_at) values (?, ?, ?)", key, total, expiresAt);
      return total;
    });
  }

  due(now: number, limit: number): string[] {
    const query = "select key from records where due_at <= ? and expires_at > ? order by due_at, key limit ?";
    return this.#rows(query, now, this.#now(), limit).map(({ key }) => String(key));
  }

  list(prefix: string, { limit, after }: { limit: number; after?: string }): ListedRecord[] {
    const end = endOfPrefix(prefix);
    const bounds = [
      { sql: "key >= ?", at: prefix },
      ...(end === undefined ? [] : [{ sql: "key < ?", at: end }]),
      ...(after === undefined ? [] : [{ sql: "key > ?", at: after }]),
    ];
    const query = `select key, version from records where ${bounds.map(({ sql }) => sql).join(" and ")} and expires_at > ?
      order by key limit ?`;
    const found = this.#rows(query, ...bounds.map(({ at }) => at), this.#now(), limit);
    return found.map(({ key, version }) => ({
      key: String(key),
      value: this.#valueOf(String(key)),
      version: Number(version),
    }));
  }

  /** 0 for a record that is not there, or has expired. */
  #versionOf(key: string): number {
    const [row] = this.#rows("select version from records where key = ? and expires_at > ?", key, this.#now());
    return Number(row?.version ?? 0);
  }

  #valueOf(key: string): string {
    const pieces = this.#rows("select bytes from pieces where key = ? order by part", key);
    return decoder.decode(Buffer.concat(pieces.map(({ bytes }) => new Uint8Array(bytes as ArrayBuffer))));
  }

  #writeValue(key: string, value: string): void {
    const bytes = encoder.encode(value);
    const parts = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES));
    this.#rows("delete from pieces where key = ? and part >= ?", key, parts);
    for (let part = 0; part < parts; part++) {
      const piece = bytes.slice(part * PIECE_BYTES, (part + 1) * PIECE_BYTES).buffer;
      this.#rows("insert or replace into pieces (key, part, bytes) values (?, ?, ?)", key, part, piece);
    }
  }

  #delete(key: string): void {
    this.#rows("delete from pieces where key = ?", key);
    this.#rows("delete from records where key = ?", key);
  }

  #prune(): void {
    const dead = [this.#now(), ROWS_PER_PRUNING];
    for (const { key } of this.#rows("select key from records where expires_at <= ? limit ?", ...dead))
      this.#delete(String(key));
    this.#rows("delete from counters where key in (select key from counters where expires_at <= ? limit ?)", ...dead);
  }

  #rows(query: string, ...bindings: SqlValue[]): Record<string, SqlValue>[] {
    return this.#storage.sql.exec(query, ...bindings).toArray();
  }
}
