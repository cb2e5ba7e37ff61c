/**
 * The statements of a Postgres store. Each is its own transaction. Those of a batch take all operations as one JSON text,
 * which every driver sends alike.
 *
 * Deadlocks cannot occur. Batches of inserts and of counters lock their rows in the order of keys; a batch of updates and a
 * pruning skip rows that are locked; all others lock one row.
 */

export const selectSql = (schema: string): string =>
  `select key, value, version from ${schema}.records where key = $1 and expires_at > now()`;

export const selectManySql = (schema: string): string =>
  `select key, value, version from ${schema}.records
   where key = any(array(select json_array_elements_text($1::text::json))) and expires_at > now()`;

export const removeSql = (schema: string): string =>
  `delete from ${schema}.records where key = $1 and version = $2 and expires_at > now() returning key`;

export const dueSql = (schema: string): string =>
  `select key from ${schema}.records where due_at <= $1 and expires_at > now() order by due_at, key limit $2`;

export const listSql = (schema: string): string =>
  `select key, value, version from ${schema}.records
   where key >= $1 and ($2::text is null or key < $2) and ($3::text is null or key > $3) and expires_at > now()
   order by key limit $4`;

export const pruneSql = (schema: string, table: "records" | "counters"): string =>
  `with dead as materialized (
     select key from ${schema}.${table} where expires_at <= now()
     order by expires_at limit $1 for update skip locked)
   delete from ${schema}.${table} where key in (select key from dead)`;

// An expired row counts as absent, so a claim may take it over in place.
const TAKE_OVER = `on conflict (key) do update set value = excluded.value, version = excluded.version,
    expires_at = excluded.expires_at, due_at = excluded.due_at
  where record.expires_at <= now()`;

export const insertSql = (schema: string): string =>
  `insert into ${schema}.records as record (key, value, version, expires_at, due_at)
   values ($1, $2, nextval('${schema}.versions'), now() + $3 * interval '1 millisecond', $4)
   ${TAKE_OVER} returning version`;

const PUTS = `json_to_recordset($1::text::json) as input (key text, value text, "ttlMs" bigint, "dueAt" bigint, "ifVersion" bigint)`;

export const insertManySql = (schema: string): string =>
  `insert into ${schema}.records as record (key, value, version, expires_at, due_at)
   select key, convert_to(value, 'UTF8'), nextval('${schema}.versions'), now() + "ttlMs" * interval '1 millisecond', "dueAt"
   from ${PUTS} order by key collate "C"
   ${TAKE_OVER} returning key, version`;

export const updateSql = (schema: string): string =>
  `update ${schema}.records set value = $2, version = nextval('${schema}.versions'),
     expires_at = now() + $3 * interval '1 millisecond', due_at = $4
   where key = $1 and version = $5 and expires_at > now()
   returning version`;

/** Leaves out rows that another transaction holds, so one of them does not hold up the others. */
// guard: a batch: a record that somebody holds does not hold up the others | record skip locked -> record | BATCHES
// guard: a batch: an update is compared with its version | - version = input."ifVersion" and record. | BATCHES
export const updateManySql = (schema: string): string =>
  `with input as materialized (select * from ${PUTS}),
   held as materialized (
     select record.key from ${schema}.records as record join input on record.key = input.key
     where record.version = input."ifVersion" and record.expires_at > now()
     for update of record skip locked)
   update ${schema}.records as record set value = convert_to(input.value, 'UTF8'), version = nextval('${schema}.versions'),
     expires_at = now() + input."ttlMs" * interval '1 millisecond', due_at = input."dueAt"
   from held join input on held.key = input.key
   where record.key = held.key
   returning record.key, record.version`;

const totalOf = (by: string): string =>
  `greatest(0, case when counter.expires_at > now() then counter.total else 0 end + ${by})`;

const count = (by: string, max: string): string =>
  `on conflict (key) do update set total = ${totalOf(by)},
     expires_at = case when counter.expires_at > now() then counter.expires_at else excluded.expires_at end
   where ${totalOf(by)} <= ${max}`;

export const incrementSql = (schema: string): string =>
  `insert into ${schema}.counters as counter (key, total, expires_at)
   select $1, greatest(0, $2::bigint), now() + $3 * interval '1 millisecond' where greatest(0, $2::bigint) <= $4
   ${count("$2::bigint", "$4")} returning total`;

export const incrementManySql = (schema: string): string => {
  const own = (field: string) => `(select input.${field} from input where input.key = counter.key)`;
  return `with input as materialized (
     select * from json_to_recordset($1::text::json) as input (key text, by bigint, "ttlMs" bigint, max bigint))
   insert into ${schema}.counters as counter (key, total, expires_at)
   select key, greatest(0, by), now() + "ttlMs" * interval '1 millisecond' from input
   where greatest(0, by) <= max order by key collate "C"
   ${count(own("by"), own("max"))} returning key, total`;
};
