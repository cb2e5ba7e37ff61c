// Where the service keeps its state: in memory, or where REDIS_URL or DATABASE_URL says.
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";

/** @typedef {{ options: Pick<import("coinslot").HandlerOptions, "store">, says: string, close: () => Promise<unknown> }} State */

/**
 * Throws where both are set. Rejects where nobody answers there.
 * @param {{ REDIS_URL?: string, DATABASE_URL?: string }} env
 * @returns {Promise<State>}
 */
export async function openState({ REDIS_URL, DATABASE_URL }) {
  if (REDIS_URL && DATABASE_URL) throw new Error("REDIS_URL and DATABASE_URL are both set: the state lives in one.");
  if (REDIS_URL) return openRedis(REDIS_URL);
  if (DATABASE_URL) return openPostgres(DATABASE_URL);
  return { options: {}, says: "in memory: one process, forgotten when it stops", close: async () => {} };
}

/** @param {string} url */
async function openRedis(url) {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  client.on("error", () => {});
  const failed = (/** @type {Error} */ error) => {
    client.disconnect();
    throw new Error(`REDIS_URL: ${error.message}`);
  };
  await client.connect().catch(failed);
  return { options: { store: createRedisStore(client) }, says: "in Redis", close: () => client.quit() };
}

/** @param {string} url */
async function openPostgres(url) {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: url });
  await pool.query("select 1").catch(async (/** @type {Error} */ error) => {
    await pool.end();
    throw new Error(`DATABASE_URL: ${error.message || "nobody answers there"}`);
  });
  return { options: { store: createPostgresStore(pool) }, says: "in Postgres", close: () => pool.end() };
}
