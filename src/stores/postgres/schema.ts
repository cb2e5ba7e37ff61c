import { type Migration, migrate } from "../../lib/migrations.js";

/**
 * The tables, one entry a version: never edit a released entry, append the next. Keys compare by bytes (collation "C"),
 * so that prefixes are ranges; values are bytes because a Postgres text cannot contain NUL. Versions stay within the
 * integers that a JavaScript number represents exactly.
 */
const MIGRATIONS: Migration[] = [
  (schema) => `
    create sequence if not exists ${schema}.versions maxvalue ${Number.MAX_SAFE_INTEGER};
    create table if not exists ${schema}.records (
      key text collate "C" primary key,
      value bytea not null,
      version bigint not null,
      expires_at timestamptz not null,
      due_at bigint
    );
    create index if not exists records_expiry on ${schema}.records (expires_at);
    create index if not exists records_due on ${schema}.records (due_at, key) where due_at is not null;
    create table if not exists ${schema}.counters (
      key text collate "C" primary key,
      total bigint not null,
      expires_at timestamptz not null
    );
    create index if not exists counters_expiry on ${schema}.counters (expires_at);`,
];

/** One statement that migrates a database from any version to the newest. */
export const migrationSql = (schema: string): string => migrate(schema, MIGRATIONS);
