// Where the service keeps its state, and that of wallets: in a folder, or where REDIS_URL or DATABASE_URL says.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresStore } from "coinslot/stores/postgres";
import { createRedisStore } from "coinslot/stores/redis";

/** @typedef {{ options: Pick<import("coinslot").HandlerOptions, "store" | "wallets">, says: string, close: () => Promise<unknown> }} State */

/**
 * Throws where both are set. Rejects where nobody answers there.
 * @param {{ REDIS_URL?: string, DATABASE_URL?: string }} env
 * @returns {Promise<State>}
 */
export async function openState({ REDIS_URL, DATABASE_URL }) {
  if (REDIS_URL && DATABASE_URL) throw new Error("REDIS_URL and DATABASE_URL are both set: the state lives in one.");
  if (REDIS_URL) return openRedis(REDIS_URL);
  if (DATABASE_URL) return openPostgres(DATABASE_URL);
  return { options: { wallets: {} }, says: "in a folder of your cache: for one process", close: async () => {} };
}

/**
 * For play money: what is in a folder goes with it.
 * @param {State} state
 * @returns {Promise<State>}
 */
export async function forPlay(state) {
  if (state.options.wallets !== undefined && "db" in Object(state.options.wallets)) return state;
  const dataDir = await mkdtemp(join(tmpdir(), "coinslot-"));
  const close = async () => {
    await state.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  const says = state.options.store ? state.says : "in a folder of this process, gone when it stops";
  return { options: { ...state.options, wallets: { dataDir } }, says, close };
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
  return {
    options: { store: createRedisStore(client), wallets: {} },
    says: "in Redis, that of wallets in a folder",
    close: () => client.quit(),
  };
}

/** @param {string} url */
async function openPostgres(url) {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: url });
  await pool.query("select 1").catch(async (/** @type {Error} */ error) => {
    await pool.end();
    throw new Error(`DATABASE_URL: ${error.message || "nobody answers there"}`);
  });
  return {
    options: { store: createPostgresStore(pool), wallets: { db: pool } },
    says: "in Postgres",
    close: () => pool.end(),
  };
}
