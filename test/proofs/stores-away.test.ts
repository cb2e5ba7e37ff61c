/** A store whose server goes away ends no host: nobody but us listens for what breaks between two calls. */
import pg from "pg";
import { createClient } from "redis";
import { expect, it } from "vitest";
import { createPostgresStore } from "../../src/stores/postgres/index.js";
import { createRedisStore } from "../../src/stores/redis/index.js";
import { startPostgres } from "../support/postgres.js";
import { startRedis } from "../support/redis.js";
import { announceSkip } from "../support/server.js";

const redis = await startRedis();
if (!redis) announceSkip("Redis going away", "no redis-server on this machine");
const postgres = await startPostgres();
if (!postgres) announceSkip("Postgres going away", "no Postgres on this machine");
const later = () => new Promise((resolve) => setTimeout(resolve, 300));

it.skipIf(!redis)("node-redis", async () => {
  const client = createClient({
    url: redis?.url ?? "",
    socket: { reconnectStrategy: false },
    disableOfflineQueue: true,
  });
  const store = createRedisStore(client);
  await client.connect();
  await store.put("key", "value", { ifVersion: 0, ttlMs: 1000 });
  await redis?.stop();
  await later();
  await expect(store.get("key")).rejects.toThrow();
});

it.skipIf(!postgres)("a pool of pg", async () => {
  const pool = new pg.Pool({ connectionString: postgres?.url ?? "" });
  const store = createPostgresStore(pool);
  await store.put("key", "value", { ifVersion: 0, ttlMs: 1000 });
  await postgres?.stop();
  await later();
  await expect(store.get("key")).rejects.toThrow();
  await pool.end();
});
