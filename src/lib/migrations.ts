/** Brings a schema of a Postgres from any version to the newest. */

/** What one version adds, in statements that each end with a semicolon. */
export type Migration = (schema: string) => string;

// Any constant that no other library uses ("coin" in ASCII): concurrent starts wait for one another on it.
const LOCK = 0x636f696e;

/** One statement; it needs no right to create where everything is there. */
export function migrate(schema: string, migrations: readonly Migration[]): string {
  const steps = migrations.map(
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

/** A name that may become part of statements, which take no parameters for names. Throws a TypeError. */
export function checkSchema(schema: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new TypeError(`"${schema}" is no plain name of a schema.`);
  return schema;
}
