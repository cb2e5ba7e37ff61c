/** Rows of values under keys. */
import { z } from "zod";
import { rowsOf } from "../database/database.js";
import type { RowKey } from "../database/encryption.js";
import { FITS, runLocked } from "../wallet/at-once.js";
import type { WriteOptions } from "../wallet/fields.js";
import { EXPIRES_SOON, epoch, lifeMsOf, objectSize, timeText } from "../wallet/objects.js";
import { type ChangeStatement, nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";

export interface Name {
  ns: string;
  key: string;
}

export interface PutValue extends Name, WriteOptions {
  value: unknown;
}

export const VALUE_COLUMNS = `key, bytes, version::float8 as version, ${epoch("expires_at")} as "expiresAt"`;
export const headRow = z.object({ key: z.string(), bytes: z.int(), version: z.number(), expiresAt: timeText() });
export const valueRow = headRow.extend({ value: z.string() });
const foundRow = valueRow.extend({ fading: z.boolean() });
export type ValueHead = z.infer<typeof headRow>;

export async function find(scope: ReadScope, { ns, key }: Name) {
  const text = `select ${VALUE_COLUMNS}, value, ${EXPIRES_SOON} from @kv where wallet = $1 and ns = $3 and key = $4 and expires_at > ${nowParam(2)}`;
  const [found] = await rowsOf(scope, foundRow, text, [scope.wallet, scope.now, ns, key]);
  return found && { ...found, value: scope.encryption.decrypt(valueKey(scope, { ns, key }), found.value) };
}

export const valueKey = ({ wallet }: ReadScope, { ns, key }: Name): RowKey => ["kv", "value", wallet, ns, key];

export const sizeOfValue = ({ ns, key }: Name, json: string): number => objectSize(ns, key, json);

const WRITE = `planned as materialized (
      select $6::int - coalesce((select bytes from @kv where wallet = $1 and ns = $3 and key = $4), 0) as grown),
    written as (
      insert into @kv (wallet, ns, key, value, bytes, version, rolling, expires_at, updated_at)
      select $1, $3, $4, $5, $6::int, nextval('@versions'), $7::boolean, now + $8::float8 * interval '1 ms', now
        from opened, planned where ${FITS}
      on conflict (wallet, ns, key) do update set value = excluded.value, bytes = excluded.bytes,
        version = excluded.version, rolling = excluded.rolling, expires_at = excluded.expires_at,
        updated_at = excluded.updated_at
      returning ${VALUE_COLUMNS}),
    done as (select grown, row_to_json(written)::text as facts, null::text as more from written, planned)`;

/** Writes a value, whatever is kept under its key. */
export function writing(scope: ReadScope, { ns, key, value, ttlSeconds }: PutValue): ChangeStatement {
  const json = JSON.stringify(value);
  const sealed = scope.encryption.encrypt(valueKey(scope, { ns, key }), json);
  const bytes = sizeOfValue({ ns, key }, json);
  return { text: WRITE, values: [ns, key, sealed, bytes, ttlSeconds === undefined, lifeMsOf(ttlSeconds)] };
}

export const writeValue = async (scope: WriteScope, input: PutValue): Promise<ValueHead> =>
  headRow.parse(await runLocked(scope, writing(scope, input)));
