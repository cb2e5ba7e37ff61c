/** What the kinds of objects have in common: how long they live, what they count, and what a write may demand. */
import { z } from "zod";
import { DAY_MS } from "../lib/time.js";
import type { WriteOptions } from "./fields.js";
import { type Account, at, type View } from "./view.js";

/** About what a row costs besides what is in it. */
const OBJECT_BYTES = 200;
const LIFE_MS = 90 * DAY_MS;

/** What an object counts: its names and its contents in UTF-8, and the row. */
export const sizeOf = (...texts: string[]): number =>
  texts.reduce((sum, text) => sum + Buffer.byteLength(text), OBJECT_BYTES);

/** Without a time of its own, 90 days from the last write or read. */
export function lifeOf({ now }: Account, ttlSeconds: number | undefined): { rolling: boolean; expiresAt: Date } {
  const ms = ttlSeconds === undefined ? LIFE_MS : ttlSeconds * 1000;
  return { rolling: ttlSeconds === undefined, expiresAt: new Date(now.getTime() + ms) };
}

/** A timestamp of the database as `epoch` in a select: the drivers disagree on dates. */
export const epoch = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

/** Such a one as callers read it. */
export const time = () => z.coerce.number().transform((ms) => new Date(Math.round(ms)).toISOString());

/** Prolongs by 90 days from now, where that gains a day, the lives that depend on being read. `where` begins at `$3`. */
export async function touch(view: View, table: string, where: string, values: unknown[]): Promise<string | undefined> {
  const { rows } = await view.query(
    `update @${table} set expires_at = ${at(2)} + interval '90 days'
      where wallet = $1 and ${where} and rolling and expires_at > ${at(2)} and expires_at < ${at(2)} + interval '89 days'
      returning ${epoch("expires_at")} as at`,
    [view.wallet, view.now, ...values],
  );
  return rows.length === 0 ? undefined : z.object({ at: time() }).parse(rows[0]).at;
}

export type Refusal = { reason: "version" | "fenced" };

/** Why a write does not happen, judged under the wallet's lock. `version` is 0 where there is nothing. */
export async function objectionTo(
  account: Account,
  version: number,
  { ifVersion, fence }: Pick<WriteOptions, "ifVersion" | "fence">,
): Promise<Refusal | undefined> {
  if (ifVersion !== undefined && ifVersion !== version) return { reason: "version" };
  if (!fence) return undefined;
  const { rows } = await account.query(
    "select from @locks where wallet = $1 and key = $2 and fencing = $3::bigint and token_hash is not null and expires_at > $4",
    [account.wallet, fence.key, fence.fencingToken, account.now],
  );
  return rows.length > 0 ? undefined : { reason: "fenced" };
}
