/** Deletes expired rows, which no operation sees any more. Several processes may do it at once. */
import { z } from "zod";
import { type Database, type Queryable, rowsOf } from "./database/database.js";
import { resealSome } from "./database/encrypt-anew.js";
import { rewordSome } from "./docs/reword.js";
import { countedOf, deleteCounted } from "./wallet/quota.js";

/** A round is short; the next one continues. */
const MAX_WALLETS = 50;
const MAX_ROWS = 500;
/** Wallets whose documents are indexed again, a few documents each. */
const MAX_REWORDED = 10;

interface Kind {
  table: string;
  /** Condition of expired rows; `$1` is the time. */
  past: string;
  /** The indexed column of `past`. */
  order: string;
  /** Deletes the rows of a condition; returns the bytes that they counted. */
  remove(where: string): string;
}

const uncounted = (table: string, order: string): Kind => ({
  table,
  order,
  past: `${order} <= $1::timestamptz`,
  remove: (where) => `delete from @${table} where ${where} returning 0 as bytes`,
});

const KINDS = (database: Database): Kind[] => [
  ...countedOf(database).map((kind) => ({
    ...kind,
    past: kind.past("$1::timestamptz"),
    remove: (where: string) => deleteCounted(kind, where),
  })),
  uncounted("receipts", "expires_at"),
  uncounted("locks", "kept_until"),
];

/** Tables whose rows keep a wallet's row alive. */
const OTHERS = ["callbacks", "topics", "subscriptions", "deliveries"];

export interface CleanUpOptions {
  /** On the clock of `performance.now()`; no wallet is started after it. */
  endsAt?: number;
}

/**
 * One round: at most 500 rows of each of 50 wallets. `now` is null if the database's clock is used. Resolves to the
 * number of deleted rows.
 */
export async function cleanUp(
  database: Database,
  now: Date | null,
  { endsAt = Number.POSITIVE_INFINITY }: CleanUpOptions = {},
): Promise<number> {
  const at = now ?? (await clockOf(database));
  let gone = await dropEnded(database, at);
  for (const wallet of await walletsDue(database, at)) {
    if (performance.now() >= endsAt) return gone;
    gone += await cleanWallet(database, wallet, at);
  }
  gone += await dropEmpty(database, at);
  for (let round = 0; round < MAX_REWORDED && performance.now() < endsAt; round++)
    if ((await rewordSome(database)) === 0) break;
  await resealSome(database, () => performance.now() < endsAt);
  return gone;
}

async function clockOf(database: Database): Promise<Date> {
  const row = z.object({ now: z.coerce.number() });
  const [found] = await rowsOf(database, row, "select (extract(epoch from now()) * 1000)::float8 as now", []);
  if (!found) throw new Error("the database told no time");
  return new Date(Math.floor(found.now));
}

/** The wallets that waited longest, of each kind, so that one large wallet leaves time for others. */
async function walletsDue(database: Database, at: Date): Promise<string[]> {
  const due = KINDS(database).map(
    ({ table, past, order }) => `(select wallet from @${table} where ${past} order by ${order} limit ${MAX_ROWS})`,
  );
  const text = `select distinct wallet from (${due.join(" union all ")}) as due limit ${MAX_WALLETS}`;
  return (await rowsOf(database, z.object({ wallet: z.string() }), text, [at])).map(({ wallet }) => wallet);
}

/** Locks the wallet's row first, as every change does; a locked one is left for the next round. */
const cleanWallet = (database: Database, wallet: string, at: Date): Promise<number> =>
  database.transaction(async (tx) => {
    const held = await tx.query("select from @wallets where wallet = $1 for update skip locked", [wallet]);
    if (held.rows.length === 0) return 0;
    let [rows, bytes] = [0, 0];
    for (const kind of KINDS(database)) {
      if (rows >= MAX_ROWS) break;
      const gone = await remove(tx, kind, [at, wallet, MAX_ROWS - rows]);
      rows += gone.length;
      for (const row of gone) bytes += row.bytes;
    }
    if (bytes > 0) await tx.query("update @wallets set bytes = bytes - $2::bigint where wallet = $1", [wallet, bytes]);
    return rows;
  });

function remove(
  tx: Queryable,
  { table, past, order, remove }: Kind,
  values: [at: Date, wallet: string, limit: number],
) {
  const text = remove(`ctid = any(array(
      select ctid from @${table} as ${table} where ${past} and wallet = $2 order by ${order} limit $3::int))`);
  return rowsOf(tx, z.object({ bytes: z.coerce.number() }), text, values);
}

/** Ended subscriptions with their receiver and everything sent to it. */
const ENDED = [
  `delete from @callbacks where id in
     (select id from @subscriptions where expires_at <= $1::timestamptz limit ${MAX_ROWS})`,
  `delete from @callbacks where id in (select s.id from @subscriptions s join @topics t on t.id = s.topic
     where t.expires_at <= $1::timestamptz limit ${MAX_ROWS})`,
  `delete from @topics where id in (select t.id from @topics t where t.expires_at <= $1::timestamptz
     and not exists (select from @subscriptions s where s.topic = t.id) limit ${MAX_ROWS})`,
  `delete from @challenges where last_at <= $1::timestamptz - interval '1 hour'`,
];

async function dropEnded(database: Database, at: Date): Promise<number> {
  let gone = 0;
  for (const text of ENDED) gone += (await database.query(`${text} returning 1 as gone`, [at])).rows.length;
  return gone;
}

/**
 * Deletes wallets that were not written and had no data for 90 days. A concurrent writer holds the lock, or creates the
 * row again.
 */
async function dropEmpty(database: Database, at: Date): Promise<number> {
  const having = [...KINDS(database).map(({ table }) => table), ...OTHERS].map(
    (table) => `exists (select from @${table} as t where t.wallet = w.wallet)`,
  );
  // One "not" over an "or": "not exists" for each table becomes a join of all tables, which takes longer to plan than
  // to run.
  const text = `delete from @wallets where wallet in (
      select wallet from @wallets as w
      where bytes = 0 and seen_at <= $1::timestamptz - interval '90 days' and not (${having.join(" or ")})
      order by seen_at limit ${MAX_ROWS} for update skip locked)
    returning wallet`;
  return (await database.query(text, [at])).rows.length;
}
