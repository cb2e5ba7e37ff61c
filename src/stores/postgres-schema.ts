/**
 * The tables, one entry a version: never edit an entry that was released, append the next.
 * Keys compare by their bytes (collation "C"), so that prefixes are ranges; values are bytes because a Postgres text
 * cannot hold NUL. Versions stay within what a JavaScript number can tell apart.
 */
const MIGRATIONS: ((schema: string) => string)[] = [
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

// Any constant that no other library uses ("coin" in ASCII): concurrent starts wait for one another on it.
const LOCK = 0x636f696e;

/** One statement that brings a database from any version to the newest; it needs no right to create when it is there. */
export function migrationSql(schema: string): string {
  const steps = MIGRATIONS.map(
    (migration, index) => `
  if not exists (select from ${schema}.migrations where version = ${index + 1}) then
    ${migration(schema)}
    insert into ${schema}.migrations (version) values (${index + 1}) on conflict do nothing;
  end if;`,
  );
  return `do $migration$
begin
  perform pg_advisory_xact_lock(${LOCK});
  if to_regnamespace('${schema}') is null then
    create schema if not exists ${schema};
  end if;
  if to_regclass('${schema}.migrations') is null then
    create table if not exists ${schema}.migrations (version int primary key, applied_at timestamptz default now());
  end if;
${steps.join("\n")}
end
$migration$`;
}
