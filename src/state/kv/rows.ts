/** Rows of values under keys. */
import { z } from "zod";
import { rowsOf } from "../database/database.js";
import type { RowKey } from "../database/encryption.js";
import type { WriteOptions } from "../fields.js";
import { bytesBefore, EXPIRES_SOON, epoch, lifeMsOf, sizeOf, time } from "../objects.js";
import { clockParam, nowParam, type ReadScope, type WriteScope } from "../scope.js";

export interface Name {
  ns: string;
  key: string;
}

export interface PutValue extends Name, WriteOptions {
  value: unknown;
}

export const VALUE_COLUMNS = `key, bytes, version::float8 as version, ${epoch("expires_at")} as "expiresAt"`;
const headRow = z.object({ key: z.string(), bytes: z.int(), version: z.number(), expiresAt: time() });
export const valueRow = headRow.extend({ value: z.string() });
const foundRow = valueRow.extend({ fading: z.boolean() });
export type ValueHead = z.infer<typeof headRow>;

export async function find(scope: ReadScope, { ns, key }: Name) {
  const text = `select ${VALUE_COLUMNS}, value, ${EXPIRES_SOON} from @kv where wallet = $1 and ns = $3 and key = $4 and expires_at > ${nowParam(2)}`;
  const [found] = await rowsOf(scope, foundRow, text, [scope.wallet, scope.now, ns, key]);
  return found && { ...found, value: scope.encryption.decrypt(valueKey(scope, { ns, key }), found.value) };
}

export const valueKey = ({ wallet }: ReadScope, { ns, key }: Name): RowKey => ["kv", "value", wallet, ns, key];

export const sizeOfValue = ({ ns, key }: Name, json: string): number => sizeOf(ns, key, json);

const writtenRow = headRow.extend({ before: z.int() });

export async function writeValue(
  scope: ReadScope & Pick<WriteScope, "grow">,
  { ns, key, value, ttlSeconds }: PutValue,
): Promise<ValueHead> {
  const json = JSON.stringify(value);
  const bytes = sizeOfValue({ ns, key }, json);
  const [row] = await rowsOf(
    scope,
    writtenRow,
    `insert into @kv (wallet, ns, key, value, bytes, version, rolling, expires_at, updated_at)
     select $1, $2, $3, $4, $5::int, nextval('@versions'), $6::boolean, now + $7::float8 * interval '1 ms', now
       from ${clockParam(8)} as clock(now)
     on conflict (wallet, ns, key) do update set value = excluded.value, bytes = excluded.bytes,
       version = excluded.version, rolling = excluded.rolling, expires_at = excluded.expires_at,
       updated_at = excluded.updated_at
     returning ${VALUE_COLUMNS},
       ${bytesBefore("kv")}`,
    [
      scope.wallet,
      ns,
      key,
      scope.encryption.encrypt(valueKey(scope, { ns, key }), json),
      bytes,
      ttlSeconds === undefined,
      lifeMsOf(ttlSeconds),
      scope.now,
    ],
  );
  if (!row) throw new Error("a value was written, and no row came back");
  const { before, ...head } = row;
  scope.grow(bytes - before);
  return head;
}
