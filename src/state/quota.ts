/** Measures the size of a wallet's data, and deletes expired rows. */
import { z } from "zod";
import { CapabilityError } from "../errors.js";
import { type Queryable, rowsOf } from "./database/database.js";
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
  /** Which of its rows are no more, by a time. */
  past(time: string): string;
  /** The column that this is about, which has an index. */
  order: string;
  /** What belongs to a receiver ends with it. */
  isReceivers?: boolean;
}

const expiring = (table: string): Counted => ({
  table,
  past: (time) => `expires_at <= ${time}`,
  order: "expires_at",
});
/** What has ended can be looked at for 30 days. */
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

/** Deletes rows of one kind, by a condition, and gives their bytes. */
export const deleteCounted = ({ table, isReceivers }: Counted, where: string): string =>
  isReceivers
    ? `delete from @callbacks c using (select callback, bytes from @${table} where ${where}) as ended
        where c.id = ended.callback returning ended.bytes`
    : `delete from @${table} where ${where} returning bytes`;

const sumRow = z.object({ bytes: z.coerce.number() });

/** The bytes of all that is not past its time. */
async function liveBytes(scope: Scope): Promise<number> {
  const kinds = countedOf(scope).map(
    ({ table, past }) =>
      `(select coalesce(sum(bytes), 0) from @${table} where wallet = $1 and (${past(nowParam(2))}) is not true)`,
  );
  const text = `select (${kinds.join(" + ")})::float8 as bytes`;
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet, scope.now]);
  return row?.bytes ?? 0;
}

/** Deletes what is past its time, under the lock of its wallet; says how many bytes that gives back. */
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

/** What a wallet has after a change. What is no more does not count: where there is too little room it is cleared away. */
export async function bytesAfter(scope: WriteScope, before: number, grown: number): Promise<number> {
  const bytes = before + grown;
  if (grown <= 0 || bytes <= scope.maxBytes) return bytes;
  const swept = bytes - (await sweep(scope));
  if (swept > scope.maxBytes) throw quotaExceeded(scope.maxBytes, swept - grown);
  return swept;
}

/** Refuses, before money moves, what will not fit. Bytes that are given back by it do not count. */
export async function assertQuota(scope: ReadScope, bytes: number): Promise<void> {
  if (bytes <= 0) return;
  const text = "select bytes::float8 from @wallets where wallet = $1";
  const [row] = await rowsOf(scope, sumRow, text, [scope.wallet]);
  await assertFits(scope, row?.bytes ?? 0, bytes);
}

const placeRow = z.object({ used: z.coerce.number(), before: z.coerce.number() });

/** The same for an object of `bytes`, which takes the place of what there is under its name. */
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

/** What is past its time still counts in `used`, so it is counted anew before anything is refused. */
async function assertFits(scope: ReadScope, used: number, bytes: number): Promise<void> {
  if (bytes <= 0 || used + bytes <= scope.maxBytes) return;
  const live = await liveBytes(scope);
  if (live + bytes > scope.maxBytes) throw quotaExceeded(scope.maxBytes, live);
}

const quotaExceeded = (limit: number, used: number): CapabilityError =>
  new CapabilityError(
    "QUOTA_EXCEEDED",
    `The wallet has ${used} of ${limit} bytes in use, and this does not fit: delete what is not needed, or give it a ttlSeconds.`,
  );
