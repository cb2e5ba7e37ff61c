/** Shared by all kinds of objects: life and size. */
import { z } from "zod";
import { DAY_MS } from "../../lib/time.js";
import { nowParam, type ReadScope, type WriteScope } from "./scope.js";

/** The tables of objects, with the column that names one within its namespace. */
export const NAMES = { kv: "key", docs: "id", blobs: "key", vectors: "id" } as const;
export type ObjectKind = keyof typeof NAMES;

/** Approximate cost of a row beside its content. */
const OBJECT_BYTES = 200;
const LIFE_MS = 90 * DAY_MS;

/** Size of an object: its names and contents in UTF-8, and the row. */
export const objectSize = (...texts: string[]): number =>
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
export const timeText = () => z.coerce.number().transform((ms) => new Date(Math.round(ms)).toISOString());

/** In a select whose `$2` is the scope's now: whether a read extends its life, see `extendTtl`. */
export const EXPIRES_SOON = `rolling and expires_at < ${nowParam(2)} + interval '89 days' as fading`;

const atRow = z.object({ at: timeText() });

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

/** In the `returning` of a write whose `$1` to `$3` name an object: the bytes that it replaces, even of an expired one. */
export const bytesBefore = (kind: ObjectKind): string =>
  `coalesce((select bytes from @${kind} where wallet = $1 and ns = $2 and ${NAMES[kind]} = $3), 0) as before`;
