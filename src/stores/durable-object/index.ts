import { DurableObject } from "cloudflare:workers";
import { type PutFields, SqliteRecords, type SqliteStorage } from "./sqlite-records.js";

export {
  createDurableObjectStore,
  type DurableObjectStoreOptions,
  type StoreNamespace,
} from "./store.js";

/**
 * The class of the Durable Object that keeps the state. A Worker exports it under this name, and binds it in wrangler.jsonc.
 *
 * @example
 * ```ts
 * export { CoinslotStore } from "coinslot/stores/durable-object"; // in the Worker's main module
 * ```
 */
export class CoinslotStore extends DurableObject {
  readonly #records: SqliteRecords;

  constructor(ctx: { storage: unknown }, env: unknown) {
    super(ctx, env);
    this.#records = new SqliteRecords(ctx.storage as SqliteStorage, Date.now);
  }

  get(key: string) {
    return this.#records.get(key);
  }

  put(key: string, value: string, options: PutFields) {
    return this.#records.put(key, value, options);
  }

  remove(key: string, ifVersion: number) {
    return this.#records.remove(key, ifVersion);
  }

  increment(key: string, by: number, options: { ttlMs: number; max?: number }) {
    return this.#records.increment(key, by, options);
  }

  due(now: number, limit: number) {
    return this.#records.due(now, limit);
  }

  list(prefix: string, options: { limit: number; after?: string }) {
    return this.#records.list(prefix, options);
  }
}
