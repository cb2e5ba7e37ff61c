import { has } from "../../lib/options/kinds.js";
import { onWorkers } from "../../lib/packages/platform.js";
import { checkIncrement, checkKey, checkPut, compareKeys, endOfPrefix } from "../checks.js";
import type { ListedRecord, Store, StoredRecord } from "../store.js";
import { type RedisStoreOptions, redisOptions } from "./options.js";
import { DUE, INCREMENT, PUT, REMOVE, type Script } from "./scripts.js";

/** A connected ioredis client (or cluster), or a node-redis client. */
export type RedisClient = IoRedisClient | NodeRedisClient;

interface WithErrors {
  on?(event: "error", listener: (error: Error) => void): unknown;
}

interface IoRedisClient extends WithErrors {
  call(...command: [name: string, ...args: string[]]): Promise<unknown>;
}

interface NodeRedisClient extends WithErrors {
  sendCommand(command: string[]): Promise<unknown>;
}

export type { RedisStoreOptions } from "./options.js";

// Expired keys before the due ones are removed in steps that do not block the server.
const DUE_STEP = 100;

/**
 * A store for several processes on the host's own client, which only the host closes. It needs Redis 6 or newer and
 * uses its clock. Redis must not evict (`maxmemory-policy noeviction`), because a claim lasts only as long as its
 * record.
 *
 * @example
 * ```ts
 * const store = createRedisStore(new Redis(process.env.REDIS_URL));
 * ```
 */
export function createRedisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  redisOptions("createRedisStore options", options);
  if (!has(client, ["call"]) && !has(client, ["sendCommand"]))
    throw new TypeError(
      "createRedisStore: the first argument must be a connected client of ioredis or redis, such as new Redis(process.env.REDIS_URL).",
    );
  // guard: Workers: a connected client of Redis is refused | has(client, ["connect"]) -> !client | on-workers
  if (onWorkers() && has(client, ["connect"]))
    throw new TypeError(
      "createRedisStore: on Cloudflare Workers a connection belongs to the request that opened it, so the next request waits for ever. Use coinslot/stores/durable-object, or coinslot/stores/postgres behind Hyperdrive.",
    );
  const { prefix = "{coinslot}:" } = options;
  const recordKey = (key: string) => `${prefix}record:${key}`;
  // Without a listener node-redis ends the process when the connection breaks; the next command reports the error.
  client.on?.("error", () => {});
  const versions = `${prefix}versions`;
  const byKey = `${prefix}index:key`;
  const indexes = [byKey, `${prefix}index:expiry`, `${prefix}index:due`];

  async function send(name: string, ...args: (string | number)[]): Promise<unknown> {
    const texts = args.map(String);
    return "call" in client ? client.call(name, ...texts) : client.sendCommand([name, ...texts]);
  }

  async function run(script: Script, keys: string[], args: (string | number)[]): Promise<unknown> {
    try {
      return await send("EVALSHA", script.sha1, keys.length, ...keys, ...args);
    } catch (error) {
      // Redis forgets scripts when it restarts or fails over.
      if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
      return send("EVAL", script.source, keys.length, ...keys, ...args);
    }
  }

  async function read(key: string): Promise<StoredRecord | undefined> {
    const [value, version] = toArray(await send("HMGET", recordKey(key), "value", "version"));
    return version === null ? undefined : { value: String(value), version: Number(version) };
  }

  /** The index may still contain keys of expired records. */
  async function readAll(keys: readonly string[]): Promise<ListedRecord[]> {
    const found = await Promise.all(keys.map(async (key) => ({ key, record: await read(key) })));
    return found.flatMap(({ key, record }) => (record ? [{ key, ...record }] : []));
  }

  return {
    shared: true,

    async get(key) {
      checkKey(key);
      return read(key);
    },

    async put(key, value, putOptions) {
      checkPut(key, value, putOptions);
      const { ifVersion, ttlMs, dueAt = "" } = putOptions;
      const keys = [recordKey(key), versions, ...indexes];
      return toNumber(await run(PUT, keys, [key, value, ifVersion, ttlMs, dueAt]));
    },

    async remove(key, ifVersion) {
      checkKey(key);
      return toNumber(await run(REMOVE, [recordKey(key), ...indexes], [key, ifVersion])) === 1;
    },

    async increment(key, by, incrementOptions) {
      checkIncrement(key, by, incrementOptions);
      const { ttlMs, max = Number.MAX_SAFE_INTEGER } = incrementOptions;
      return toNumber(await run(INCREMENT, [`${prefix}counter:${key}`], [by, ttlMs, max]));
    },

    async due(now, limit) {
      for (;;) {
        const [cleared, ...keys] = toArray(await run(DUE, indexes, [now, Math.max(limit, DUE_STEP)]));
        if (keys.length >= limit || toNumber(cleared) === 0) return keys.slice(0, limit).map(String);
      }
    },

    async list(listPrefix, { limit, after }) {
      const end = endOfPrefix(listPrefix);
      const records: ListedRecord[] = [];
      let start = after !== undefined && compareKeys(after, listPrefix) >= 0 ? `(${after}` : `[${listPrefix}`;
      while (records.length < limit) {
        const range = [byKey, start, end === undefined ? "+" : `(${end}`];
        const keys = toArray(await send("ZRANGEBYLEX", ...range, "LIMIT", 0, limit - records.length)).map(String);
        if (keys.length === 0) break;
        records.push(...(await readAll(keys)));
        start = `(${keys.at(-1)}`;
      }
      return records;
    },

    async close() {},
  };
}

function toNumber(reply: unknown): number | undefined {
  return reply === null ? undefined : Number(reply);
}

function toArray(reply: unknown): unknown[] {
  if (!Array.isArray(reply)) throw new TypeError("Redis answered with something other than a list.");
  return reply;
}
