/** Payments in the database that holds the state of wallets: a crash between a settlement and its work forgets neither. */
import { lazy } from "../lib/lazy.js";
import type { PostgresPool } from "./postgres.js";
import type { Store } from "./store.js";

export function storeBesideWallets(open: () => Promise<PostgresPool>): Store {
  const store = lazy(async () => {
    const [{ createPostgresStore }, database] = await Promise.all([import("./postgres.js"), open()]);
    return createPostgresStore(database);
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
