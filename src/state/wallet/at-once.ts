/** Changes that are one statement with their lock, their room and their receipt: one round trip. */
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import type { WalletCall } from "../../capability/wallets.js";
import { type Database, rowsOf } from "../database/database.js";
import { NO_RESULT } from "../database/own-texts.js";
import { RECEIPT_MS } from "./receipts.js";
import type { ChangeStatement, ReadScope, WriteScope } from "./scope.js";

/** Whether there is room for `grown` bytes. */
// guard: wallets: a change of one statement fits | = "true" | state/limits
export const FITS = "(grown <= 0 or room is null or grown <= room)";

const json = z.string().transform((text): unknown => JSON.parse(text));
const doneRow = z.object({ grown: z.number(), facts: json, more: json.nullable() });
const DONE = "select grown::float8 as grown, facts, more from done";

/** Runs the statement of a change within a transaction that holds the wallet's lock. */
export async function runLocked(scope: WriteScope, { text, values }: ChangeStatement): Promise<unknown> {
  const opened = "opened as materialized (select $2::timestamptz as now, null::bigint as room)";
  const all = [scope.wallet, scope.now, ...values];
  const [done] = await rowsOf(scope, doneRow, `with ${opened}, ${text} ${DONE}`, all);
  if (!done) throw new Error("a change was made, and no row came back");
  scope.grow(done.grown);
  return done.facts;
}

/**
 * The statement sees what was there when it began. So it changes nothing, and returns no row, if another change of the
 * wallet ended while it waited for the lock: each of them writes the wallet's row. The clock is read after the lock.
 */
const wholeStatement = ({ text, values }: ChangeStatement): string => {
  const [max, call, endpoint] = [1, 2, 3].map((n) => `$${2 + values.length + n}`);
  // guard: wallets: a change of one statement waits for the wallet's lock | $1 for update -> $1 | sent
  // guard: wallets: a change of one statement saw what was changed while it waited |
  //   changed = (select xmin::text from @wallets where wallet = $1) -> true | sent
  // guard: wallets: a change of one statement is made once for a call |
  //   - and not exists (select from @receipts where wallet = $1 and call = ${call}::text) | sent
  return `with held as materialized (select bytes, xmin::text as changed from @wallets where wallet = $1 for update),
    opened as materialized (
      select date_trunc('milliseconds', coalesce($2::timestamptz, clock_timestamp())) as now, ${max}::bigint - bytes as room
      from held where changed = (select xmin::text from @wallets where wallet = $1)
        and not exists (select from @receipts where wallet = $1 and call = ${call}::text)),
    ${text},
    counted as (update @wallets set bytes = bytes + grown::bigint, seen_at = now from opened, done where wallet = $1),
    kept as (
      insert into @receipts (wallet, call, endpoint, result, facts, expires_at)
      select $1, ${call}::text, ${endpoint}::text, '${NO_RESULT}', facts, now + interval '${RECEIPT_MS} ms'
      from opened, done where ${call}::text is not null)
    ${DONE}`;
};

/** Facts of a change that was made; undefined if nothing was changed, and it takes a transaction. */
export async function changeAtOnce(
  ctx: Context,
  database: Database,
  {
    call,
    endpoint,
    scope,
    statement,
  }: { call: WalletCall; endpoint: string; scope: ReadScope; statement: ChangeStatement },
): Promise<{ facts: unknown; more: unknown } | undefined> {
  const values = [call.id, scope.now, ...statement.values, scope.maxBytes, call.callId ?? null, endpoint];
  const { rows } = await database.query(wholeStatement(statement), values, { signal: ctx.signal });
  return rows.length > 0 ? doneRow.parse(rows[0]) : undefined;
}
