/** Rows of locks: they are among the words of all kinds, because the fence of any write names a lock. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { DAY_MS } from "../../lib/time.js";
import { rowsOf } from "../database/database.js";
import { SAMPLE_TOKEN } from "./fields.js";
import { epoch, timeText } from "./objects.js";
import type { WriteScope } from "./scope.js";

export interface Acquire {
  key: string;
  ttlSeconds: number;
  holder?: string | undefined;
}
export interface Held {
  key: string;
  token: string;
}

/** The row outlives its lock, so that fencing tokens never decrease. */
export const KEPT_MS = 90 * DAY_MS;

/** Only the hash of a token is stored, so that reading the database gives no lock. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

export const lockRow = z.object({ fencing: z.number(), expiresAt: timeText(), holder: z.string().nullable() });
export const LOCK_COLUMNS = `fencing::float8 as fencing, ${epoch("expires_at")} as "expiresAt", holder`;

/** Creates the row, or takes it over after its expiry; returns no row if the lock is taken. */
export async function take(scope: WriteScope, { key, ttlSeconds, holder, token }: Acquire & Held) {
  const until = scope.now.getTime() + ttlSeconds * 1000;
  const text = `insert into @locks as held (wallet, key, token_hash, fencing, holder, expires_at, kept_until)
    values ($1, $2, $3, nextval('@fencing'), $4, $5, $6)
    on conflict (wallet, key) do update set token_hash = excluded.token_hash, fencing = excluded.fencing,
      holder = excluded.holder, expires_at = excluded.expires_at, kept_until = excluded.kept_until
      where held.token_hash is null or held.expires_at <= $7
    returning ${LOCK_COLUMNS}`;
  const values = [scope.wallet, key, hashOf(token), holder ?? null, new Date(until), new Date(until + KEPT_MS)];
  return (await rowsOf(scope, lockRow, text, [...values, scope.now]))[0];
}

/** The sample lock of a trial. */
export async function putLock(scope: WriteScope): Promise<void> {
  await take(scope, { key: "nightly-report", ttlSeconds: 3600, holder: "sample", token: SAMPLE_TOKEN });
}
