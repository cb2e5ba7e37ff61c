/** Shared by all kinds of objects: life, size, and the conditions of a write. */
import { z } from "zod";
import { DAY_MS } from "../lib/time.js";
import { rowsOf } from "./database/database.js";
import type { WriteOptions } from "./fields.js";
import { nowParam, type ReadScope, type WriteScope } from "./scope.js";

/** The tables of objects, with the column that names one within its namespace. */
export const NAMES = { kv: "key", docs: "id", blobs: "key", vectors: "id" } as const;
export type ObjectKind = keyof typeof NAMES;

/** Approximate cost of a row beside its content. */
const OBJECT_BYTES = 200;
const LIFE_MS = 90 * DAY_MS;

/** Size of an object: its names and contents in UTF-8, and the row. */
export const sizeOf = (...texts: string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), OBJECT_BYTES);

/** Without `ttlSeconds`, an object lives 90 days from its last write or read. */
export const lifeMsOf = (ttlSeconds: number | undefined): number =>
  ttlSeconds === undefined ? LIFE_MS : ttlSeconds * 1000;

export const lifeOf = ({ now }: WriteScope, ttlSeconds: number | undefined): { rolling: boolean; expiresAt: Date } => ({
  rolling: ttlSeconds === undefined,
  expiresAt: new Date(now.getTime() + lifeMsOf(ttlSeconds)),
});

/** A timestamp of the database as epoch milliseconds in a select, because the drivers return dates differently. */
export const epoch = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

/** Parses such a value to an ISO 8601 time. */
export const time = () => z.coerce.number().transform((ms) => new Date(Math.round(ms)).toISOString());

/** In a select whose `$2` is the scope's now: whether a read extends its life, see `extendTtl`. */
export const EXPIRES_SOON = `rolling and expires_at < ${nowParam(2)} + interval '89 days' as fading`;

const atRow = z.object({ at: time() });

/** Extends lives that depend on reads to 90 days from now, if that gains a day. `where` begins at `$3`. */
export async function extendTtl(
  scope: ReadScope,
  table: string,
  where: string,
  values: unknown[],
): Promise<string | undefined> {
  const { rows } = await scope.query(
    `update @${table} set expires_at = ${nowParam(2)} + interval '90 days'
      where wallet = $1 and ${where} and rolling and expires_at > ${nowParam(2)} and expires_at < ${nowParam(2)} + interval '89 days'
      returning ${epoch("expires_at")} as at`,
    [scope.wallet, scope.now, ...values],
  );
  return rows.length === 0 ? undefined : atRow.parse(rows[0]).at;
}

export type Refusal = { reason: "version" | "fenced" };

/** Why a write is refused, checked under the wallet's lock. `version` is 0 for a missing object. */
async function objectionTo(
  scope: WriteScope,
  version: number,
  { ifVersion, fence }: Pick<WriteOptions, "ifVersion" | "fence">,
): Promise<Refusal | undefined> {
  if (ifVersion !== undefined && ifVersion !== version) return { reason: "version" };
  if (!fence) return undefined;
  await scope.sample?.("locks");
  const { rows } = await scope.query(
    "select from @locks where wallet = $1 and key = $2 and fencing = $3::bigint and token_hash is not null and expires_at > $4",
    [scope.wallet, fence.key, fence.fencingToken, scope.now],
  );
  return rows.length > 0 ? undefined : { reason: "fenced" };
}

const standingRow = z.object({ bytes: z.int(), version: z.number(), lives: z.boolean() });

/** In the `returning` of a write whose `$1` to `$3` name an object: the bytes that it replaces, even of an expired one. */
export const bytesBefore = (kind: ObjectKind): string =>
  `coalesce((select bytes from @${kind} where wallet = $1 and ns = $2 and ${NAMES[kind]} = $3), 0) as before`;

/** The row under a name, even an expired one, whose size is released by its deletion. */
async function currentVersion(scope: WriteScope, kind: ObjectKind, [ns, name]: [string, string]) {
  const text = `select bytes, version::float8 as version, expires_at > $4 as lives
    from @${kind} where wallet = $1 and ns = $2 and ${NAMES[kind]} = $3`;
  const [found] = await rowsOf(scope, standingRow, text, [scope.wallet, ns, name, scope.now]);
  return { bytes: found?.bytes ?? 0, version: found?.lives ? found.version : 0 };
}

/** Why a write is refused, and the version that prevents it. */
export async function refusalOf(
  scope: WriteScope,
  version: number,
  demands: Pick<WriteOptions, "ifVersion" | "fence">,
): Promise<({ stored: false; version?: number } & Refusal) | undefined> {
  const refused = await objectionTo(scope, version, demands);
  return refused && { stored: false, ...refused, ...(version > 0 ? { version } : {}) };
}

export const hasDemands = ({ ifVersion, fence }: Pick<WriteOptions, "ifVersion" | "fence">): boolean =>
  ifVersion !== undefined || fence !== undefined;

/** The same for the object under a name, which is looked at only if a write makes demands. */
export async function refusalAt(
  scope: WriteScope,
  kind: ObjectKind,
  name: [ns: string, name: string],
  demands: Pick<WriteOptions, "ifVersion" | "fence">,
) {
  if (!hasDemands(demands)) return undefined;
  return refusalOf(scope, (await currentVersion(scope, kind, name)).version, demands);
}

export type Deleted = { deleted: boolean } & Partial<Refusal>;

/** Deletes an object if the conditions are met; a missing one is not an error. */
export async function removeObject(
  scope: WriteScope,
  kind: ObjectKind,
  name: [ns: string, name: string],
  demands: Pick<WriteOptions, "ifVersion" | "fence"> = {},
): Promise<Deleted> {
  const before = await currentVersion(scope, kind, name);
  const refused = await objectionTo(scope, before.version, demands);
  if (refused) return { deleted: false, ...refused };
  await scope.query(`delete from @${kind} where wallet = $1 and ns = $2 and ${NAMES[kind]} = $3`, [
    scope.wallet,
    ...name,
  ]);
  scope.grow(-before.bytes);
  return { deleted: before.version > 0 };
}
