/**
 * Keeps payments in the database of the state of wallets, so that a crash between a settlement and its work loses
 * neither.
 */
import { lazy } from "../../lib/lazy.js";
import type { Store } from "../store.js";
import type { PostgresPool } from "./index.js";

/** Encryption of that database, because paid replies contain wallets' data. */
interface Encryption {
  encrypt(rowKey: readonly [table: string, column: string, key: string], text: string): string;
  decrypt(rowKey: readonly [table: string, column: string, key: string], written: string): string;
}

interface Beside {
  urgent: PostgresPool & { readonly encryption: Encryption };
  /** The last version written while another process had the database; 0 if other processes may still use it. */
  readonly orphanedVersion: number;
}

/** `open` creates the tables of payments before it resolves, because re-encryption reads them. */
export function storeBesideWallets(open: (makeTables: (db: PostgresPool) => Promise<void>) => Promise<Beside>): Store {
  const store = lazy(async () => {
    const { createPostgresStore, migrate } = await import("./index.js");
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
    // The database is closed by its opener.
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
    // The database has room, so values are not shortened.
    put: (key, value, { compact: _, ...options }) => store.put(key, encryption.encrypt(rowKey(key), value), options),
    async list(prefix, options) {
      const found = await store.list(prefix, options);
      return found.map((record) => ({ ...record, value: encryption.decrypt(rowKey(record.key), record.value) }));
    },
  };
}
