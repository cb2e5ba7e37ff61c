/** Migrates a Postgres schema from any version to the newest, and leaves one of a newer release unchanged. */
import { CapabilityError } from "../errors.js";

/** The changes of one version, in statements that each end with a semicolon. */
export type Migration = (schema: string) => string;

// A constant that no other library uses ("coin" in ASCII), on which concurrent starts wait for one another.
const LOCK = 0x636f696e;

/** Our own SQLSTATE: the tables are of a later version than this release knows. */
const NEWER = "CSNEW";

/** The error for a host whose tables are newer than its code. Undefined if the statement failed for another reason. */
export function tablesAreNewer(error: unknown): CapabilityError | undefined {
  const { code, message } = error as { code?: unknown; message?: string };
  return code === NEWER ? new CapabilityError("PROVIDER_NOT_CONFIGURED", message ?? "", { cause: error }) : undefined;
}

/**
 * One statement; it needs no right to create if everything exists. Fails with NEWER, and changes nothing, if the schema
 * is of a newer release.
 */
export function migrate(schema: string, migrations: readonly Migration[]): string {
  const steps = migrations.map(
    (migration, index) => `
  if not exists (select from ${schema}.migrations where version = ${index + 1}) then
    ${migration(schema)}
    insert into ${schema}.migrations (version) values (${index + 1}) on conflict do nothing;
  end if;`,
  );
  return `do $migration$
declare
  newest int;
begin
  perform pg_advisory_xact_lock(${LOCK});
  if to_regnamespace('${schema}') is null then
    create schema if not exists ${schema};
  end if;
  if to_regclass('${schema}.migrations') is null then
    create table if not exists ${schema}.migrations (version int primary key, applied_at timestamptz default now());
  end if;
  select max(version) into newest from ${schema}.migrations;
  if newest > ${migrations.length} then
    raise exception using errcode = '${NEWER}', message = format(
      'The tables in the schema "${schema}" are of version %s, and this release of Coinslot knows them up to ${migrations.length}: run the release that made them, or a later one.', newest);
  end if;
${steps.join("\n")}
end
$migration$`;
}

/** Checks a name that becomes part of statements, because names cannot be parameters. Throws a TypeError. */
export function checkSchema(schema: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new TypeError(`"${schema}" is not a plain schema name: use lower-case letters, digits and _.`);
  return schema;
}
