/** The store over a namespace of Durable Objects: each operation is one call of one object. */
import { shape } from "../../lib/options/check.js";
import { has, text } from "../../lib/options/kinds.js";
import { checkIncrement, checkKey, checkPut } from "../checks.js";
import type { Store } from "../store.js";
import type { PutFields, SqliteRecords } from "./sqlite-records.js";

/** The operations of the object, as its namespace offers them: each answers with a promise. */
type ObjectStub = {
  [Name in keyof SqliteRecords]: SqliteRecords[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result>
    : never;
};

/** The Worker's binding of the class `CoinslotStore`. */
export interface StoreNamespace {
  idFromName(name: string): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: Cloudflare's own type of the id is a class of its global types.
  get(id: any): unknown;
}

export interface DurableObjectStoreOptions {
  /** Which object of the class keeps the state. Default `coinslot`. */
  name?: string;
}

export const durableObjectOptions = shape<DurableObjectStoreOptions>({
  name: text("the name of one object, which all share that sell together"),
});

/**
 * A store for all isolates of a Worker, in one Durable Object with SQLite, which does one operation after another.
 *
 * @example
 * ```ts
 * import { env } from "cloudflare:workers";
 * export { CoinslotStore } from "coinslot/stores/durable-object"; // the class that wrangler.jsonc binds
 * const store = createDurableObjectStore(env.COINSLOT);
 * ```
 */
export function createDurableObjectStore(namespace: StoreNamespace, options: DurableObjectStoreOptions = {}): Store {
  durableObjectOptions("createDurableObjectStore options", options);
  if (!has(namespace, ["idFromName", "get"]))
    throw new TypeError(
      "createDurableObjectStore: the first argument must be a binding of Durable Objects, such as env.COINSLOT, whose class CoinslotStore the Worker exports and wrangler.jsonc names.",
    );
  const { name = "coinslot" } = options;
  // Asked for anew each time, because a connection to an object belongs to the request that made it.
  const object = () => namespace.get(namespace.idFromName(name)) as ObjectStub;

  return {
    shared: true,
    async get(key) {
      checkKey(key);
      return object().get(key);
    },
    async put(key, value, putOptions) {
      checkPut(key, value, putOptions);
      const { ifVersion, ttlMs, dueAt } = putOptions;
      const fields: PutFields = dueAt === undefined ? { ifVersion, ttlMs } : { ifVersion, ttlMs, dueAt };
      return object().put(key, value, fields);
    },
    async remove(key, ifVersion) {
      checkKey(key);
      return object().remove(key, ifVersion);
    },
    async increment(key, by, incrementOptions) {
      checkIncrement(key, by, incrementOptions);
      return object().increment(key, by, incrementOptions);
    },
    due: async (now, limit) => object().due(now, limit),
    list: async (prefix, listOptions) => object().list(prefix, listOptions),
    async close() {},
  };
}
