/** Measures the size of a wallet's data, and deletes expired rows. */
import { z } from "zod";
import { CapabilityError } from "../../errors.js";
import { type Queryable, rowsOf } from "../database/database.js";
import { NAMES, type ObjectKind } from "./objects.js";
import { nowParam, type ReadScope, type WriteScope } from "./scope.js";

interface Scope extends Queryable {
  readonly wallet: string;
  readonly now: Date | null;
  readonly vectors: boolean;
}

/** A table with `wallet` and `bytes` whose rows count towards the quota. */
export interface Counted {
  table: string;
  /** Condition of expired rows, by a time. */
  past(time: string): string;
  /** The indexed column of `past`. */
  order: string;
  /** True for rows of a receiver, which end with it. */
  isReceivers?: boolean;
}

const expiring = (table: string): Counted => ({
  table,
  past: (time) => `expires_at <= ${time}`,
  order: "expires_at",
});
/** An ended schedule or watcher can be inspected for 30 days. */
const calling = (table: string): Counted => ({
  table,
  past: (time) => `ended_at <= ${time} - interval '30 days'`,
  order: "ended_at",
  isReceivers: true,
});

export const countedOf = ({ vectors }: { vectors: boolean }): Counted[] => [
  ...["kv", "docs", "blobs", "messages", ...(vectors ? ["vectors"] : [])].map(expiring),
  { table: "dedups", past: (time) => `until <= ${time}`, order: "until" },
  {
    table: "events",
    past: (time) =>
      `expires_at <= ${time} and not exists (select from @deliveries d where d.event = events.id and d.state = 'pending')`,
    order: "expires_at",
  },
  ...["schedules", "watchers"].map(calling),
];

/** Deletes rows of one kind, by a condition, and returns their bytes. */
export const deleteCounted = ({ table, isReceivers }: Counted, where: string): string =>
  isReceivers
    ? `delete from @callbacks c using (select callback, bytes from @${table} where ${where}) as ended
        where c.id = ended.callback returning ended.bytes`
    : `delete from @${table} where ${where} returning bytes`;

const sumRow = z.object({ bytes: z.coerce.number() });

/** Total size of unexpired rows. */
async function liveBytes(scope: Scope): Promise<number> {
  const kinds = countedOf(scope).map(
    ({ table, past }) =>
      `(select coalesce(sum(bytes), 0) from @${table} where wallet = $1 and (${past(nowParam(2))}) is not true)`,
  );
  const text = `select (${kinds.join(" + ")})::float8 as bytes`;
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet, scope.now]);
  return row?.bytes ?? 0;
}

/** Deletes expired rows under the wallet's lock; resolves to the released bytes. */
async function sweep(scope: Scope & { now: Date }): Promise<number> {
  const kinds = countedOf(scope);
  const parts = kinds.map(
    (kind) => `${kind.table}_gone as (${deleteCounted(kind, `wallet = $1 and ${kind.past("$2::timestamptz")}`)})`,
  );
  const all = kinds.map(({ table }) => `select bytes from ${table}_gone`).join(" union all ");
  const text = `with ${parts.join(", ")} select coalesce(sum(bytes), 0)::float8 as bytes from (${all}) as gone`;
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet, scope.now]);
  return row?.bytes ?? 0;
}

/**
 * A wallet's size after a change. If the quota is exceeded, expired rows are deleted first, since they do not count.
 */
export async function bytesAfter(scope: WriteScope, before: number, grown: number): Promise<number> {
  const bytes = before + grown;
  if (grown <= 0 || bytes <= scope.maxBytes) return bytes;
  const swept = bytes - (await sweep(scope));
  if (swept > scope.maxBytes) throw quotaExceeded(scope.maxBytes, swept - grown);
  return swept;
}

/** Refuses data without room for it before money moves. Bytes that the change releases do not count. */
export async function assertQuota(scope: ReadScope, bytes: number): Promise<void> {
  if (bytes <= 0) return;
  const text = "select bytes::float8 from @wallets where wallet = $1";
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet]);
  await assertFits(scope, row?.bytes ?? 0, bytes);
}

const placeRow = z.object({ used: z.coerce.number(), before: z.coerce.number() });

/** The same for an object of `bytes` that replaces the one under its name. */
export async function assertQuotaForReplace(
  scope: ReadScope,
  kind: ObjectKind,
  [ns, name]: [string, string],
  bytes: number,
): Promise<void> {
  const text = `select coalesce((select bytes from @wallets where wallet = $1), 0)::float8 as used,
    coalesce((select bytes from @${kind} where wallet = $1 and ns = $3 and ${NAMES[kind]} = $4 and expires_at > ${nowParam(2)}), 0)::float8 as before`;
  const [row] = await rowsOf(scope, placeRow, text, [scope.wallet, scope.now, ns, name]);
  await assertFits(scope, row?.used ?? 0, bytes - (row?.before ?? 0));
}

/** Refuses `bytes` beside those in use. Expired rows still count in `used`, so it is counted again before a refusal. */
export async function assertFits(scope: ReadScope, used: number, bytes: number): Promise<void> {
  if (bytes <= 0 || used + bytes <= scope.maxBytes) return;
  const live = await liveBytes(scope);
  if (live + bytes > scope.maxBytes) throw quotaExceeded(scope.maxBytes, live);
}

const quotaExceeded = (limit: number, used: number): CapabilityError =>
  new CapabilityError(
    "QUOTA_EXCEEDED",
    `The wallet has ${used} of ${limit} bytes in use, and this does not fit: delete what is not needed, or give it a ttlSeconds.`,
  );
