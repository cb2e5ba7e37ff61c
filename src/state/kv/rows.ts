/** The rows of values under keys. */
import { z } from "zod";
import { rowsOf } from "../database/database.js";
import type { Place } from "../database/encryption.js";
import type { WriteOptions } from "../fields.js";
import { epoch, FADING, lifeOf, sizeOf, time } from "../objects.js";
import { type Account, at, type View } from "../scope.js";

export interface Name {
  ns: string;
  key: string;
}

export interface PutValue extends Name, WriteOptions {
  value: unknown;
}

export const COLUMNS = `key, bytes, version::float8 as version, ${epoch("expires_at")} as "expiresAt"`;
const headRow = z.object({ key: z.string(), bytes: z.int(), version: z.number(), expiresAt: time() });
export const valueRow = headRow.extend({ value: z.string() });
const foundRow = valueRow.extend({ fading: z.boolean() });
export type Head = z.infer<typeof headRow>;

export async function find(view: View, { ns, key }: Name) {
  const text = `select ${COLUMNS}, value, ${FADING} from @kv where wallet = $1 and ns = $3 and key = $4 and expires_at > ${at(2)}`;
  const [found] = await rowsOf(view, foundRow, text, [view.wallet, view.now, ns, key]);
  return found && { ...found, value: view.seal.open(placeOf(view, { ns, key }), found.value) };
}

export const placeOf = ({ wallet }: View, { ns, key }: Name): Place => ["kv", "value", wallet, ns, key];

export const sizeOfValue = ({ ns, key }: Name, json: string): number => sizeOf(ns, key, json);

export async function writeValue(
  account: Account,
  { ns, key, value, ttlSeconds }: PutValue,
  bytesBefore: number,
): Promise<Head> {
  const json = JSON.stringify(value);
  const bytes = sizeOfValue({ ns, key }, json);
  account.grow(bytes - bytesBefore);
  const { rolling, expiresAt } = lifeOf(account, ttlSeconds);
  const [row] = await rowsOf(
    account,
    headRow,
    `insert into @kv (wallet, ns, key, value, bytes, version, rolling, expires_at, updated_at)
     values ($1, $2, $3, $4, $5::int, nextval('@versions'), $6::boolean, $7, $8)
     on conflict (wallet, ns, key) do update set value = excluded.value, bytes = excluded.bytes,
       version = excluded.version, rolling = excluded.rolling, expires_at = excluded.expires_at,
       updated_at = excluded.updated_at
     returning ${COLUMNS}`,
    [
      ...[account.wallet, ns, key, account.seal.close(placeOf(account, { ns, key }), json)],
      ...[bytes, rolling, expiresAt, account.now],
    ],
  );
  if (!row) throw new Error("a value was written, and no row came back");
  return row;
}
