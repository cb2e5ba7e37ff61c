/** How much room a wallet's things take, and the end of those whose time is past. */
import { z } from "zod";
import { CapabilityError } from "../errors.js";
import { type Queryable, rowsOf } from "./database.js";
import { type Kind, NAMES } from "./objects.js";
import { type Account, at, type View } from "./view.js";

export const DEFAULT_MAX_BYTES = 50 * 1024 * 1024;

interface Scope extends Queryable {
  readonly wallet: string;
  readonly now: Date | null;
  readonly vectors: boolean;
}

/** What counts towards a wallet's bytes: every table of these has `wallet`, `bytes` and `expires_at`. */
export const kindsOf = ({ vectors }: { vectors: boolean }): string[] => [
  ...["kv", "docs", "blobs", "messages"],
  ...(vectors ? ["vectors"] : []),
];

const sumRow = z.object({ bytes: z.coerce.number() });

/** The bytes of all that is not past its time. */
async function liveBytes(scope: Scope): Promise<number> {
  const kinds = kindsOf(scope).map(
    (kind) =>
      `(select coalesce(sum(bytes), 0) from @${kind} where wallet = $1 and expires_at > coalesce($2::timestamptz, now()))`,
  );
  const text = `select (${kinds.join(" + ")})::float8 as bytes`;
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet, scope.now]);
  return row?.bytes ?? 0;
}

/** Deletes what is past its time, under the lock of its wallet; says how many bytes that gives back. */
async function sweep(scope: Scope & { now: Date }): Promise<number> {
  const kinds = kindsOf(scope);
  const parts = kinds.map(
    (kind) => `${kind}_gone as (delete from @${kind} where wallet = $1 and expires_at <= $2 returning bytes)`,
  );
  const all = kinds.map((kind) => `select bytes from ${kind}_gone`).join(" union all ");
  const text = `with ${parts.join(", ")} select coalesce(sum(bytes), 0)::float8 as bytes from (${all}) as gone`;
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet, scope.now]);
  return row?.bytes ?? 0;
}

/** What a wallet has after a change. What is no more does not count: where there is too little room it is cleared away. */
export async function bytesAfter(account: Account, before: number, grown: number): Promise<number> {
  const bytes = before + grown;
  if (grown <= 0 || bytes <= account.maxBytes) return bytes;
  const swept = bytes - (await sweep(account));
  if (swept > account.maxBytes) throw quotaExceeded(account.maxBytes, swept - grown);
  return swept;
}

/** Refuses, before money moves, what will not fit. Bytes that are given back by it do not count. */
export async function assertRoom(view: View, bytes: number): Promise<void> {
  if (bytes <= 0) return;
  const text = "select bytes::float8 from @wallets where wallet = $1";
  const [row] = await rowsOf(view, sumRow, text, [view.wallet]);
  await assertFits(view, row?.bytes ?? 0, bytes);
}

const placeRow = z.object({ used: z.coerce.number(), before: z.coerce.number() });

/** The same for an object of `bytes`, which takes the place of what there is under its name. */
export async function assertPlace(view: View, kind: Kind, [ns, name]: [string, string], bytes: number): Promise<void> {
  const text = `select coalesce((select bytes from @wallets where wallet = $1), 0)::float8 as used,
    coalesce((select bytes from @${kind} where wallet = $1 and ns = $3 and ${NAMES[kind]} = $4 and expires_at > ${at(2)}), 0)::float8 as before`;
  const [row] = await rowsOf(view, placeRow, text, [view.wallet, view.now, ns, name]);
  await assertFits(view, row?.used ?? 0, bytes - (row?.before ?? 0));
}

/** What is past its time still counts in `used`, so it is counted anew before anything is refused. */
async function assertFits(view: View, used: number, bytes: number): Promise<void> {
  if (bytes <= 0 || used + bytes <= view.maxBytes) return;
  const live = await liveBytes(view);
  if (live + bytes > view.maxBytes) throw quotaExceeded(view.maxBytes, live);
}

const quotaExceeded = (limit: number, used: number): CapabilityError =>
  new CapabilityError(
    "QUOTA_EXCEEDED",
    `The wallet has ${used} of ${limit} bytes in use, and this does not fit: delete what is not needed, or give it a ttlSeconds.`,
  );
