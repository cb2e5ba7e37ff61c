/** A wallet's account: every read and every change of its state goes through here. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Context } from "../../capability/types.js";
import type { WalletCall } from "../../capability/wallets.js";
import { CapabilityError } from "../../errors.js";
import { abortError } from "../../lib/abort.js";
import { type Database, type Queryable, rowsOf, type Transaction } from "../database/database.js";
import { openWallets } from "../database/open.js";
import { changeAtOnce } from "./at-once.js";
import { inTurnOfWallet, withSlot } from "./concurrency.js";
import { openTransactionOf } from "./open-transaction.js";
import { DEFAULT_MAX_BYTES } from "./options.js";
import { bytesAfter } from "./quota.js";
import {
  type CallReceipt,
  INSERT_RECEIPT,
  RECEIPT_MS,
  readReceipt,
  receiptFor,
  receiptRow,
  resultOf,
} from "./receipts.js";
import { withSamples } from "./sample.js";
import type { PutSample, ReadScope, WalletChange, WriteScope } from "./scope.js";

/** The database of a call. */
export const databaseOf = (ctx: Context): Promise<Database> => {
  const { wallets, dataDir, resources } = ctx;
  if (!wallets)
    throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "This host has no wallets: set the option wallets.");
  return openWallets({ wallets, dataDir, resources });
};

/**
 * Changes a wallet's state once for each call: the change and its receipt are one transaction, and a call with a
 * receipt gets the first result. If `work` throws, everything is undone. `work` may be run again from its start.
 */
export async function mutate<T>(ctx: Context, change: WalletChange<T>): Promise<T> {
  const call = walletIn(ctx);
  const open = openTransactionOf(ctx);
  if (open) return open.change(change);
  const database = await databaseOf(ctx);
  if (call.trial) return withSlot(database, call, () => inTrial(ctx, database, (scope) => change.work(scope)));
  const changed = () =>
    call.free ? changeForFree(ctx, database, { call, change }) : changeOnce(ctx, database, { call, change });
  return inTurnOfWallet(database, call.id, () => withSlot(database, call, changed));
}

interface Changing<T> {
  call: WalletCall;
  change: WalletChange<T>;
}

/** In one statement if the change is one, and otherwise, or if something came between, in a transaction. */
async function changeOnce<T>(ctx: Context, database: Database, { call, change }: Changing<T>): Promise<T> {
  const now = ctx.injectedClock ? ctx.clock() : null;
  const scope = readScopeOf(ctx, database, { tx: database, wallet: call.id, now });
  const statement = change.atOnce?.statement(scope);
  const done = statement && (await changeAtOnce(ctx, database, { call, endpoint: change.endpoint, scope, statement }));
  if (!done) return changeInTransaction(ctx, database, { call, change });
  const result = await change.atOnce?.result(scope, done.facts, done.more);
  return result ?? changeInTransaction(ctx, database, { call, change, undone: done.facts });
}

const changeForFree = <T>(ctx: Context, database: Database, { call, change }: Changing<T>): Promise<T> =>
  changeInTransaction(ctx, database, { call, change }).catch((error: unknown) => {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  });

const changeInTransaction = <T>(
  ctx: Context,
  database: Database,
  { call, change, undone }: Changing<T> & { undone?: unknown },
): Promise<T> =>
  database.transaction(async (tx) => {
    const { bytes, now, receipt, isNew } = await lockWallet(ctx, tx, call);
    const { scope, grown } = writeScopeOf(ctx, database, { tx, wallet: call.id, now });
    // guard: wallets: a call that has a receipt is done | gone | once
    if (undone !== undefined) await change.atOnce?.undo?.(scope, undone);
    else if (receipt && call.callId) return resultOf(scope, { ...receipt, call: call.callId }, change);
    const result = await change.work(scope);
    // A free sign-in must leave no row, or anyone could fill the database with new keys.
    // guard: wallets: a sign-in writes nothing for a wallet that has nothing | gone | state/sign-in
    if (isNew && call.free) throw new RolledBack(result);
    await settle(ctx, tx, { scope, call, change, result, bytes, grown: grown() });
    return result;
  });

/** Reads a few rows of a wallet's state by name, in independent statements. */
export const read = <T>(ctx: Context, work: (scope: ReadScope) => Promise<T>): Promise<T> =>
  reading(ctx, work, (database, run) =>
    run({
      encryption: database.encryption,
      query: (text, values) => database.query(text, values, { signal: ctx.signal }),
    }),
  );

/** Searches a wallet's data, in statements that end at their time limit or when the caller leaves. */
export const scan = <T>(ctx: Context, work: (scope: ReadScope) => Promise<T>): Promise<T> =>
  reading(ctx, work, (database, run) => database.reading(run, { signal: ctx.signal }));

/** Changes and reads of one kind of state, whose trials find its sample data. */
export function stateOf(...samples: PutSample[]) {
  const sampled =
    <Scope extends ReadScope, T>(work: (scope: Scope) => Promise<T>) =>
    async (scope: Scope): Promise<T> => {
      for (const put of samples) await scope.sample?.(put);
      return work(scope);
    };
  return {
    mutate: <T>(ctx: Context, change: WalletChange<T>) => mutate(ctx, { ...change, work: sampled(change.work) }),
    read: <T>(ctx: Context, work: (scope: ReadScope) => Promise<T>) => read(ctx, sampled(work)),
    scan: <T>(ctx: Context, work: (scope: ReadScope) => Promise<T>) => scan(ctx, sampled(work)),
  };
}

async function reading<T>(
  ctx: Context,
  work: (scope: ReadScope) => Promise<T>,
  read: (database: Database, run: (tx: Queryable) => Promise<T>) => Promise<T>,
): Promise<T> {
  const call = walletIn(ctx);
  const open = openTransactionOf(ctx);
  if (open) return work(open.scope);
  const database = await databaseOf(ctx);
  return withSlot(database, call, () => {
    if (call.trial) return inTrial(ctx, database, work);
    const now = ctx.injectedClock ? ctx.clock() : null;
    return read(database, (tx) => work(readScopeOf(ctx, database, { tx, wallet: call.id, now })));
  });
}

/** The wallet of the call. Rejects with WALLET_REQUIRED before anything is opened. */
function walletIn({ wallet }: Context): WalletCall {
  if (!wallet)
    throw new CapabilityError(
      "WALLET_REQUIRED",
      "This endpoint needs a wallet: pay for the call, or, in trusted code, name a wallet.",
    );
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(wallet.id))
    throw new CapabilityError("WALLET_REQUIRED", "The wallet's name must be 1 to 128 letters, digits or . _ : -");
  return wallet;
}

const lockedRow = z
  .object({ bytes: z.coerce.number(), now: z.coerce.number(), fresh: z.boolean() })
  .extend(receiptRow.partial().shape);

/**
 * Locks the wallet's row, and reads the clock and the call's receipt after that. The clock is read in an outer select,
 * because beside `for update` it could be read before the wait. The receipt is read as of the statement's start; the
 * row's version tells whether another change was made during the wait, since every change writes that row.
 */
async function lockWallet(
  ctx: Context,
  tx: Queryable,
  { id, callId }: WalletCall,
): Promise<{ bytes: number; now: Date; isNew: boolean; receipt?: CallReceipt | undefined }> {
  // guard: wallets: changes of one wallet are in line | $1 for update -> $1 | sent
  const lock = `with held as materialized (select bytes, xmin::text as changed from @wallets where wallet = $1 for update)
    select held.bytes, (extract(epoch from clock_timestamp()) * 1000)::float8 as now, endpoint, result, facts,
      held.changed = (select xmin::text from @wallets where wallet = $1) as fresh
    from held left join @receipts on wallet = $1 and call = $2`;
  const values = [id, callId ?? null];
  let [row] = await rowsOf(tx, lockedRow, lock, values);
  const isNew = !row;
  if (!row) {
    await tx.query(MAKE_WALLET, [id]);
    [row] = await rowsOf(tx, lockedRow, lock, values);
  }
  if (!row) throw new Error("the wallet's row vanished between two statements");
  const { bytes, fresh, endpoint, result, facts } = row;
  const now = nowOf(ctx, row.now);
  if (!fresh && callId) return { bytes, now, isNew, receipt: await readReceipt(tx, id, callId) };
  return { bytes, now, isNew, ...(endpoint && result ? { receipt: { endpoint, result, facts: facts ?? null } } : {}) };
}

const MAKE_WALLET =
  "insert into @wallets (wallet, created_at, seen_at) values ($1, now(), now()) on conflict do nothing";

const nowOf = ({ injectedClock, clock }: Context, database: number): Date =>
  injectedClock ? clock() : new Date(Math.floor(database));

interface Scope<Now> {
  tx: Queryable;
  wallet: string;
  now: Now;
}

const readScopeOf = <Now extends Date | null>(ctx: Context, database: Database, { tx, wallet, now }: Scope<Now>) => ({
  wallet,
  now,
  vectors: database.vectors,
  maxBytes: ctx.wallets?.limits?.bytes ?? DEFAULT_MAX_BYTES,
  encryption: tx.encryption,
  query: (text: string, values?: unknown[]) => tx.query(text, values),
});

function writeScopeOf(ctx: Context, database: Database, scope: Scope<Date>): { scope: WriteScope; grown(): number } {
  let sum = 0;
  const grow = (bytes: number) => {
    sum += bytes;
  };
  return { scope: { ...readScopeOf(ctx, database, scope), grow }, grown: () => sum };
}

interface Done<T> {
  scope: WriteScope;
  call: WalletCall;
  change: WalletChange<T>;
  result: T;
  /** Size of the wallet before the change. */
  bytes: number;
  grown: number;
}

/** Ends a change, with its commit: stores the wallet's new size and, for a named call, the receipt. */
async function settle<T>(ctx: Context, tx: Transaction, done: Done<T>): Promise<void> {
  const { scope, call, change, result } = done;
  const bytes = await bytesAfter(scope, done.bytes, done.grown);
  // The caller that gave up looks for a receipt once this transaction is over: none may be written after that.
  if (ctx.signal.aborted) throw abortError(ctx.signal, change.endpoint);
  const count = "update @wallets set bytes = $2::bigint, seen_at = $3 where wallet = $1";
  const counted = [scope.wallet, bytes, scope.now];
  if (!call.callId) return void tx.send(count, counted);
  const receipt = receiptFor(scope, change, result, call.callId);
  const until = new Date(scope.now.getTime() + RECEIPT_MS);
  const values = [...counted, receipt.call, receipt.endpoint, receipt.result, until];
  tx.send(`with counted as (${count}) ${INSERT_RECEIPT}`, values);
}

/** Carries the result of a trial out of its transaction, which is rolled back. */
class RolledBack<T> extends Error {
  constructor(readonly result: T) {
    super("rolled back");
  }
}

/** Short, because nobody pays for a trial. */
const TRIAL_STATEMENT_MS = 2000;

/** Runs a trial in a scope of its own with sample data, which is rolled back afterwards. */
async function inTrial<T>(ctx: Context, database: Database, work: (scope: WriteScope) => Promise<T>): Promise<T> {
  const limits = { statementMs: TRIAL_STATEMENT_MS, signal: ctx.signal };
  const undone = await database
    .transaction(async (tx) => {
      const wallet = `trial:${randomUUID()}`;
      // Not awaited, and by this process's clock, because all others wait for each round trip.
      tx.send(MAKE_WALLET, [wallet]);
      const now = ctx.clock();
      const { scope, grown } = writeScopeOf(ctx, database, { tx, wallet, now });
      const result = await work(withSamples(scope));
      await bytesAfter(scope, 0, grown());
      throw new RolledBack(result);
    }, limits)
    .catch((error: unknown) => error);
  if (undone instanceof RolledBack) return undone.result;
  throw undone;
}
