import { randomInt } from "node:crypto";
import type { z } from "zod";
import { lazy } from "../../lib/lazy.js";
import { checkSchema, tablesAreNewer } from "../../lib/migrations.js";
import { onWorkers } from "../../lib/packages/platform.js";
import { survive } from "../../lib/pool-errors.js";
import { retry } from "../../lib/retry.js";
import { checkIncrement, checkKey, checkPut, endOfPrefix } from "../checks.js";
import type { Store } from "../store.js";
import { connectionsOf, type PostgresPool, type PostgresSource, poolOf } from "./clients.js";
import { keyRow, postgresOperations, recordRow } from "./operations.js";
import { type PostgresStoreOptions, postgresOptions } from "./options.js";
import { migrationSql } from "./schema.js";
import { dueSql, listSql, pruneSql, removeSql } from "./statements.js";

export type { PostgresClient, PostgresPool, PostgresSource } from "./clients.js";
export type { PostgresStoreOptions } from "./options.js";

const DEFAULT_SCHEMA = "coinslot";
// Number of writes between two prunings, which remove more rows than were added meanwhile.
const WRITES_PER_PRUNING = 64;
const ROWS_PER_PRUNING = 256;
const MAX_ATTEMPTS = 20;

/**
 * A store for several processes on the host's own pool, which only the host closes. It uses the database's clock;
 * what several calls read or write at one moment goes in one statement.
 * Rejects with PROVIDER_NOT_CONFIGURED if a newer release created the tables. On Cloudflare Workers a connection ends
 * with its request: give a function that makes a client, which is connected for one statement.
 *
 * @example
 * ```ts
 * const store = createPostgresStore(new pg.Pool({ connectionString: process.env.DATABASE_URL }));
 * ```
 */
export function createPostgresStore(source: PostgresSource, options: PostgresStoreOptions = {}): Store {
  postgresOptions("createPostgresStore options", options);
  const pool = poolOf("createPostgresStore", source);
  const schema = checkSchema(options.schema ?? DEFAULT_SCHEMA);
  const prepare = lazy(() => migrate(pool, { schema }));
  survive(pool);
  let writes = 0;

  async function rows<T>(row: z.ZodType<T>, text: string, values: unknown[]): Promise<T[]> {
    await prepare();
    const result = await query(pool, text, values);
    return result.rows.map((found) => row.parse(found));
  }

  const prune = (table: "records" | "counters") => query(pool, pruneSql(schema, table), [ROWS_PER_PRUNING]);

  async function pruneSometimes(): Promise<void> {
    writes += 1;
    if (writes % WRITES_PER_PRUNING !== 0) return;
    // The write itself succeeded; the next pruning clears the rows.
    await Promise.all([prune("records"), prune("counters")]).catch(() => {});
  }

  // On Workers what one request waits for ends with another one's answer, so none is sent with the others there.
  const operations = postgresOperations(rows, schema, typeof source !== "function" && !onWorkers());

  return {
    shared: true,

    async get(key) {
      checkKey(key);
      return operations.get(key);
    },

    async put(key, value, putOptions) {
      checkPut(key, value, putOptions);
      const { ifVersion, ttlMs, dueAt = null } = putOptions;
      const put = { key, value, ttlMs, dueAt, ifVersion };
      const version = await (ifVersion === 0 ? operations.insert(put) : operations.update(put));
      await pruneSometimes();
      return version;
    },

    async remove(key, ifVersion) {
      checkKey(key);
      return (await rows(keyRow, removeSql(schema), [key, ifVersion])).length === 1;
    },

    async increment(key, by, incrementOptions) {
      checkIncrement(key, by, incrementOptions);
      const { ttlMs, max = Number.MAX_SAFE_INTEGER } = incrementOptions;
      const total = await operations.increment({ key, by, ttlMs, max });
      await pruneSometimes();
      return total;
    },

    async due(now, limit) {
      const found = await rows(keyRow, dueSql(schema), [now, limit]);
      return found.map(({ key }) => key);
    },

    async list(prefix, { limit, after }) {
      return rows(recordRow, listSql(schema), [prefix, endOfPrefix(prefix) ?? null, after ?? null, limit]);
    },

    connections: () => connectionsOf(pool),
    async close() {},
  };
}

/**
 * Creates the tables, or migrates them to this release's version. A store does so by itself on first use. Rejects with
 * PROVIDER_NOT_CONFIGURED, and changes nothing, if a newer release created them.
 *
 * @example
 * ```ts
 * await migrate(pool); // once, in a deployment step, by a role that may create tables
 * ```
 */
export async function migrate(source: PostgresSource, options: PostgresStoreOptions = {}): Promise<void> {
  const pool = poolOf("migrate", source);
  const sql = migrationSql(checkSchema(options.schema ?? DEFAULT_SCHEMA));
  await query(pool, sql).catch((error: unknown) => {
    throw tablesAreNewer(error) ?? error;
  });
}

/**
 * If the server rolls a statement back for its isolation level (40001, only above "read committed"), nothing was done and
 * it is sent again.
 */
const query = (pool: PostgresPool, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> =>
  retry(async () => pool.query(text, values), {
    attempts: MAX_ATTEMPTS,
    isPassing: (error) => error instanceof Error && "code" in error && error.code === "40001",
    pauseMs: (attempt) => randomInt(1, Math.min(100, 2 ** attempt) + 1),
  });
