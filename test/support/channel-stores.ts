/**
 * The store behind the tests of channels: `CHANNEL_STORE` is memory, redis or postgres; `npm run proofs` runs them on each.
 * The files of one process share the server, which ends with it.
 */
import { Redis } from "ioredis";
import pg from "pg";
import { createMemoryStore } from "../../src/stores/memory/memory.js";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import type { Store } from "../../src/stores/store.js";
import { startRedis } from "./redis.js";
import { openPostgres } from "./run-postgres.js";
import { announceSkip } from "./server.js";

type Make = (ahead: { ms: number }) => Store;
let made = 0;

const inMemory: Make = (ahead) => ({
  ...createMemoryStore({ clock: () => new Date(Date.now() + ahead.ms) }),
  shared: true,
});

/**
 * A server keeps its own time, so a process that died would hold its leases while a test's clock jumps ahead. Here the signs
 * of life that processes leave in the store expire by that clock, too.
 */
function withAgingSigns(store: Store, ahead: { ms: number }): Store {
  const ends = new Map<string, number>();
  async function expire(key: string): Promise<void> {
    const end = ends.get(key);
    if (end === undefined || Date.now() + ahead.ms < end) return;
    ends.delete(key);
    const found = await store.get(key);
    if (found) await store.remove(key, found.version);
  }
  return {
    ...store,
    async get(key) {
      await expire(key);
      return store.get(key);
    },
    async put(key, value, options) {
      await expire(key);
      if (key.startsWith("owner:")) ends.set(key, Date.now() + ahead.ms + options.ttlMs);
      return store.put(key, value, options);
    },
  };
}

async function onRedis(): Promise<Make | undefined> {
  const server = await startRedis();
  if (!server) return undefined;
  const client = new Redis(server.url);
  client.setMaxListeners(0);
  return (ahead) => withAgingSigns(createRedisStore(client, { prefix: `{channels-${++made}}:` }), ahead);
}

async function onPostgres(): Promise<Make | undefined> {
  const server = await openPostgres();
  if (!server) return undefined;
  const pool = new pg.Pool({ connectionString: server.url, max: 8 });
  pool.setMaxListeners(0);
  return (ahead) => withAgingSigns(createPostgresStore(pool, { schema: `channels_${++made}` }), ahead);
}

async function choose(): Promise<Make> {
  const { CHANNEL_STORE: kind = "memory" } = process.env;
  if (kind === "memory") return inMemory;
  const chosen = await (kind === "redis" ? onRedis() : onPostgres());
  if (!chosen) announceSkip(`channels on ${kind}`, "there is none on this machine; they run in memory");
  return chosen ?? inMemory;
}

/** An empty store for instances in this process; one in memory says that it is shared. */
export const openStore: Make = await choose();
