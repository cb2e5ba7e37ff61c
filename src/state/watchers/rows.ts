/** Rows of watchers. */

import { createHash } from "node:crypto";
import { z } from "zod";
import { sortedJson } from "../../lib/text/sorted-json.js";
import { type Queryable, rowsOf } from "../database/database.js";
import { ifReadable, type RowKey } from "../database/encryption.js";
import { expression, insertInto } from "../database/insert.js";
import { epoch, objectSize, timeText } from "../wallet/objects.js";
import { nowParam, type ReadScope, type WriteScope } from "../wallet/scope.js";
import { addCallback } from "../webhooks/rows.js";
import { CONDITIONS, type Condition, type Seen } from "./conditions.js";
import { pollsOf } from "./watchable.js";

export interface NewWatcher {
  endpoint: string;
  params: Record<string, unknown>;
  everySeconds: number;
  condition: Condition;
  callbackUrl: string;
  payload?: Record<string, unknown> | undefined;
  expiresInSeconds: number;
  maxFires: number;
  label?: string | undefined;
}

const STATUSES = ["armed", "failing", "completed", "expired", "cancelled", "disabled"] as const;
export const LIVES = "status in ('armed', 'failing')";

/** `$2` is the time. */
const COLUMNS = `id as "watcherId", status, endpoint, every_seconds as "everySeconds", condition ->> 'type' as "conditionType",
  max_fires as "maxFires", fires as "firesUsed", ${epoch("last_polled_at")} as "lastPoll", ${epoch("next_at")} as "nextPoll",
  failures, last_error as "lastError", state, reason, label, ${epoch("expires_at")} as "expiresAt",
  ${epoch("created_at")} as "createdAt",
  greatest(0, case when ${LIVES} then floor(extract(epoch from ${nowParam(2)} - next_at)) else 0 end)::float8 as "lateBySeconds"`;

const watcherRow = z
  .object({
    watcherId: z.string(),
    status: z.enum(STATUSES),
    endpoint: z.string(),
    everySeconds: z.int(),
    conditionType: z.enum(CONDITIONS),
    maxFires: z.int(),
    firesUsed: z.int(),
    lastPoll: timeText().nullable(),
    nextPoll: timeText().nullable(),
    failures: z.int(),
    lastError: z.string().nullable(),
    state: z.string().nullable(),
    reason: z.string().nullable(),
    label: z.string().nullable(),
    expiresAt: timeText(),
    createdAt: timeText(),
    lateBySeconds: z.number().nullable(),
  })
  .transform(({ nextPoll, lateBySeconds, ...row }) => ({
    ...row,
    firesRemaining: row.maxFires - row.firesUsed,
    nextPoll: nextPoll && nextPoll < row.expiresAt ? nextPoll : null,
    lateBySeconds: lateBySeconds ?? 0,
  }));

/** Row key of a watcher's encrypted columns, which binds the values to this watcher. */
export const watcherKey = (id: string, column: "params" | "state" | "payload" | "last_error"): RowKey => [
  "watchers",
  column,
  id,
];

function shown({ encryption }: ReadScope, { state, lastError, ...row }: z.output<typeof watcherRow>) {
  // An undecryptable watcher must not hide the others.
  const opened = (column: "state" | "last_error", text: string | null) =>
    text === null ? undefined : ifReadable(() => encryption.decrypt(watcherKey(row.watcherId, column), text));
  const seen = opened("state", state);
  return {
    ...row,
    lastError: opened("last_error", lastError) ?? null,
    lastValue: seen === undefined ? null : ((JSON.parse(seen) as Seen).value ?? null),
  };
}
export type Watcher = ReturnType<typeof shown>;

const questionOf = ({ endpoint, params }: NewWatcher): string =>
  createHash("sha256")
    .update(`${endpoint} ${sortedJson(params)}`)
    .digest("hex");

/** Undefined if it does not exist or belongs to another wallet. */
export async function findWatcher(scope: ReadScope, id: string): Promise<Watcher | undefined> {
  const text = `select ${COLUMNS} from @watchers where wallet = $1 and id = $3`;
  const [row] = await rowsOf(scope, watcherRow, text, [scope.wallet, scope.now, id]);
  return row && shown(scope, row);
}

/** In the order of their ids, after one. */
export async function readWatchers(
  scope: ReadScope,
  { status, begin, limit }: { status?: string | undefined; begin: string | null; limit: number },
) {
  const text = `select ${COLUMNS} from @watchers
    where wallet = $1 and ($3::text is null or status = $3) and ($4::text is null or id > $4) order by id limit $5::int`;
  const rows = await rowsOf(scope, watcherRow, text, [scope.wallet, scope.now, status ?? null, begin, limit]);
  return rows.map((row) => shown(scope, row));
}

const countRow = z.object({ count: z.int() });

export async function countArmed(tx: Queryable, wallet: string): Promise<number> {
  const text = `select count(*)::int as count from @watchers where wallet = $1 and ${LIVES}`;
  const [row] = await rowsOf(tx, countRow, text, [wallet]);
  return row?.count ?? 0;
}

/** The first observed value is the start. */
export async function addWatcher(scope: WriteScope, id: string, watcher: NewWatcher, seen: Seen): Promise<void> {
  const { wallet, now } = scope;
  const { everySeconds, expiresInSeconds, payload, label } = watcher;
  const { value: wanted, ...condition } = watcher.condition;
  const sealed = (column: "params" | "state" | "payload", value: unknown) =>
    scope.encryption.encrypt(watcherKey(id, column), JSON.stringify(value));
  await addCallback(scope, { id, url: watcher.callbackUrl });
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  await scope.query(
    ...insertInto("@watchers", {
      id,
      wallet,
      callback: id,
      endpoint: watcher.endpoint,
      params: sealed("params", watcher.params),
      every_seconds: everySeconds,
      condition: expression("?::text::jsonb", JSON.stringify(condition)),
      state: sealed("state", { ...seen, wanted }),
      payload: payload ? sealed("payload", payload) : null,
      label: label ?? null,
      max_fires: watcher.maxFires,
      max_polls: pollsOf(watcher),
      last_polled_at: now,
      next_at: after(everySeconds),
      status: "armed",
      expires_at: after(expiresInSeconds),
      created_at: now,
      question: questionOf(watcher),
      bytes: sizeOfWatcher(watcher, seen),
    }),
  );
  scope.grow(sizeOfWatcher(watcher, seen));
}

/** Its own size with its first value; each of its calls counts, too. */
export const sizeOfWatcher = (
  { callbackUrl, endpoint, params, condition, payload, label = "" }: NewWatcher,
  seen: Seen,
) => objectSize(callbackUrl, endpoint, label, JSON.stringify([params, condition, payload ?? null, seen]));
