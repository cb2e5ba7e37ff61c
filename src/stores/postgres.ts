import { randomInt } from "node:crypto";
import { z } from "zod";
import { lazy } from "../lib/lazy.js";
import { checkSchema, tablesAreNewer } from "../lib/migrations.js";
import { survive } from "../lib/pool-errors.js";
import { retry } from "../lib/retry.js";
import { checkIncrement, checkKey, checkPut, endOfPrefix } from "./checks.js";
import { type PostgresPool, type PostgresSource, poolOf } from "./postgres-clients.js";
import { type PostgresStoreOptions, postgresOptions } from "./postgres-options.js";
import { migrationSql } from "./postgres-schema.js";
import type { Store } from "./store.js";

export type { PostgresClient, PostgresPool, PostgresSource } from "./postgres-clients.js";
export type { PostgresStoreOptions } from "./postgres-options.js";

const DEFAULT_SCHEMA = "coinslot";
const versionRow = z.object({ version: z.coerce.number() });
const totalRow = z.object({ total: z.coerce.number() });
const keyRow = z.object({ key: z.string() });
const recordRow = z.object({
  key: z.string(),
  value: z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString("utf8")),
  version: z.coerce.number(),
});

// Number of writes between two prunings, which remove more rows than were added meanwhile.
const WRITES_PER_PRUNING = 64;
const ROWS_PER_PRUNING = 256;
const MAX_ATTEMPTS = 20;

/**
 * A store for several processes on the host's own pool, which only the host closes. It uses the database's clock.
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

  async function prune(table: "records" | "counters"): Promise<void> {
    // Locked rows are skipped, so pruning never waits and never deadlocks.
    await query(
      pool,
      `with dead as materialized (
         select key from ${schema}.${table} where expires_at <= now()
         order by expires_at limit $1 for update skip locked)
       delete from ${schema}.${table} where key in (select key from dead)`,
      [ROWS_PER_PRUNING],
    );
  }

  async function pruneSometimes(): Promise<void> {
    writes += 1;
    if (writes % WRITES_PER_PRUNING !== 0) return;
    // The write itself succeeded; the next pruning clears the rows.
    await Promise.all([prune("records"), prune("counters")]).catch(() => {});
  }

  return {
    shared: true,

    async get(key) {
      checkKey(key);
      const [record] = await rows(
        recordRow,
        `select key, value, version from ${schema}.records where key = $1 and expires_at > now()`,
        [key],
      );
      return record && { value: record.value, version: record.version };
    },

    async put(key, value, putOptions) {
      checkPut(key, value, putOptions);
      const { ifVersion, ttlMs, dueAt = null } = putOptions;
      const fields = [key, Buffer.from(value), ttlMs, dueAt];
      const [written] =
        ifVersion === 0
          ? await rows(versionRow, insertSql(schema), fields)
          : await rows(versionRow, updateSql(schema), [...fields, ifVersion]);
      await pruneSometimes();
      return written?.version;
    },

    async remove(key, ifVersion) {
      checkKey(key);
      const removed = await rows(
        keyRow,
        `delete from ${schema}.records where key = $1 and version = $2 and expires_at > now() returning key`,
        [key, ifVersion],
      );
      return removed.length === 1;
    },

    async increment(key, by, incrementOptions) {
      checkIncrement(key, by, incrementOptions);
      const { ttlMs, max = Number.MAX_SAFE_INTEGER } = incrementOptions;
      const [counter] = await rows(totalRow, incrementSql(schema), [key, by, ttlMs, max]);
      await pruneSometimes();
      return counter?.total;
    },

    async due(now, limit) {
      const found = await rows(
        keyRow,
        `select key from ${schema}.records where due_at <= $1 and expires_at > now() order by due_at, key limit $2`,
        [now, limit],
      );
      return found.map(({ key }) => key);
    },

    async list(prefix, { limit, after }) {
      return rows(
        recordRow,
        `select key, value, version from ${schema}.records
         where key >= $1 and ($2::text is null or key < $2) and ($3::text is null or key > $3) and expires_at > now()
         order by key limit $4`,
        [prefix, endOfPrefix(prefix) ?? null, after ?? null, limit],
      );
    },

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

// An expired row counts as absent, so a claim may take it over in place.
function insertSql(schema: string): string {
  return `insert into ${schema}.records as record (key, value, version, expires_at, due_at)
    values ($1, $2, nextval('${schema}.versions'), now() + $3 * interval '1 millisecond', $4)
    on conflict (key) do update set value = excluded.value, version = excluded.version,
      expires_at = excluded.expires_at, due_at = excluded.due_at
    where record.expires_at <= now()
    returning version`;
}

function updateSql(schema: string): string {
  return `update ${schema}.records set value = $2, version = nextval('${schema}.versions'),
      expires_at = now() + $3 * interval '1 millisecond', due_at = $4
    where key = $1 and version = $5 and expires_at > now()
    returning version`;
}

function incrementSql(schema: string): string {
  const total = "greatest(0, case when counter.expires_at > now() then counter.total else 0 end + $2::bigint)";
  return `insert into ${schema}.counters as counter (key, total, expires_at)
    select $1, greatest(0, $2::bigint), now() + $3 * interval '1 millisecond' where greatest(0, $2::bigint) <= $4
    on conflict (key) do update set total = ${total},
      expires_at = case when counter.expires_at > now() then counter.expires_at else excluded.expires_at end
    where ${total} <= $4
    returning total`;
}

/**
 * Each statement is its own transaction. If the server rolls it back for its isolation level (40001, only above "read
 * committed"), nothing was done and it is sent again. Deadlocks cannot occur: no statement here waits for a second row
 * while it holds a first.
 */
const query = (pool: PostgresPool, text: string, values?: unknown[]): Promise<{ rows: unknown[] }> =>
  retry(async () => pool.query(text, values), {
    attempts: MAX_ATTEMPTS,
    isPassing: (error) => error instanceof Error && "code" in error && error.code === "40001",
    pauseMs: (attempt) => randomInt(1, Math.min(100, 2 ** attempt) + 1),
  });
