/** Payments in the database that holds the state of wallets: a crash between a settlement and its work forgets neither. */
import { lazy } from "../lib/lazy.js";
import type { PostgresPool } from "./postgres.js";
import type { Store } from "./store.js";

/** How that database keeps its texts: replies that were paid for hold what wallets keep. */
interface Encryption {
  encrypt(rowKey: readonly [table: string, column: string, key: string], text: string): string;
  decrypt(rowKey: readonly [table: string, column: string, key: string], written: string): string;
}

interface Beside {
  urgent: PostgresPool & { readonly encryption: Encryption };
  /** The last version that was given while another process had the database; 0 where others may have it now. */
  readonly orphanedVersion: number;
}

/** `open` makes the tables of payments before it says that they are there: what seals rows anew looks through them. */
export function storeBesideWallets(open: (makeTables: (db: PostgresPool) => Promise<void>) => Promise<Beside>): Store {
  const store = lazy(async () => {
    const { createPostgresStore, migrate } = await import("./postgres.js");
    const { urgent, orphanedVersion } = await open(migrate);
    return sealed(createPostgresStore(urgent), urgent.encryption, orphanedVersion);
  });
  return {
    shared: true,
    async opened() {
      await store();
    },
    get: async (key) => (await store()).get(key),
    put: async (key, value, options) => (await store()).put(key, value, options),
    remove: async (key, ifVersion) => (await store()).remove(key, ifVersion),
    increment: async (key, by, options) => (await store()).increment(key, by, options),
    due: async (now, limit) => (await store()).due(now, limit),
    list: async (prefix, options) => (await store()).list(prefix, options),
    // The database is closed by whoever opened it.
    async close() {},
  };
}

function sealed(store: Store, encryption: Encryption, orphanedVersion: number): Store {
  const rowKey = (key: string) => ["records", "value", key] as const;
  return {
    ...store,
    async get(key) {
      const found = await store.get(key);
      const orphan = found && found.version <= orphanedVersion ? { isOrphan: true as const } : {};
      return found && { ...found, ...orphan, value: encryption.decrypt(rowKey(key), found.value) };
    },
    // This database has room, and needs no leaner value.
    put: (key, value, { lean: _, ...options }) => store.put(key, encryption.encrypt(rowKey(key), value), options),
    async list(prefix, options) {
      const found = await store.list(prefix, options);
      return found.map((record) => ({ ...record, value: encryption.decrypt(rowKey(record.key), record.value) }));
    },
  };
}
