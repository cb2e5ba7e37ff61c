/** One wallet's account: every read and every change of its state goes through here. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Context, WalletCall } from "../capability/types.js";
import { CapabilityError, invalid } from "../errors.js";
import { abortError } from "../lib/abort.js";
import { DAY_MS } from "../lib/time.js";
import { type Database, type Queryable, rowsOf } from "./database.js";
import { joinIn, joinOf } from "./join.js";
import { openWallets } from "./open.js";
import { liveBytes, sweep } from "./room.js";
import { putSamples } from "./sample.js";
import type { Account, Change, View } from "./view.js";

/** Beyond any payment's record, which could be presented until then. */
const RECEIPT_MS = 8 * DAY_MS;
/** A larger result is not copied into its receipt. */
const MAX_RECEIPT_BYTES = 64 * 1024;

/** The database of a call. */
export const databaseOf = (ctx: Context): Promise<Database> => {
  const { wallets, dataDir, resources } = ctx;
  if (!wallets) throw new CapabilityError("PROVIDER_NOT_CONFIGURED", "This needs wallets, which is not set here.");
  return openWallets({ wallets, dataDir, resources });
};

/**
 * Changes a wallet's state once for each call: the change and its receipt are one transaction, and a call that has a
 * receipt gets the result of the first. What `work` throws undoes everything. It may run again from its start.
 */
export async function mutate<T>(ctx: Context, change: Change<T>): Promise<T> {
  const call = walletIn(ctx);
  const join = joinOf(call);
  if (join) return joinIn(join, change);
  const database = await databaseOf(ctx);
  if (call.trial) return inTrial(ctx, database, change.work);
  return database.transaction(async (tx) => {
    const { bytes, now } = await lockWallet(ctx, tx, call.id);
    const { account, grown } = accountOf(ctx, database, { tx, wallet: call.id, now });
    const before = call.callId && (await receiptOf(account, call.callId));
    if (before) return resultOf(account, before, change);
    const result = await change.work(account);
    await settleBytes(account, bytes, grown());
    if (call.callId) await writeReceipt(account, call.callId, change, result);
    // Whoever gave this call up asks for its receipt: after that none may appear.
    if (ctx.signal.aborted) throw abortError(ctx.signal, change.endpoint);
    return result;
  });
}

/** Reads a wallet's state, in statements that each stand alone. */
export async function look<T>(ctx: Context, work: (view: View) => Promise<T>): Promise<T> {
  const call = walletIn(ctx);
  const join = joinOf(call);
  if (join) return work(join.account);
  const database = await databaseOf(ctx);
  if (call.trial) return inTrial(ctx, database, work);
  const now = ctx.injectedClock ? ctx.clock() : null;
  return work(viewOf(ctx, database, { tx: database, wallet: call.id, now }));
}

/** Whose state it is. Rejects with WALLET_REQUIRED before anything is opened. */
function walletIn({ wallet }: Context): WalletCall {
  if (!wallet)
    throw new CapabilityError(
      "WALLET_REQUIRED",
      "This works on the state of one wallet: pay for the call, or, in trusted code, name a wallet.",
    );
  if (!/^[A-Za-z0-9._:-]{1,128}$/.test(wallet.id))
    throw new CapabilityError("WALLET_REQUIRED", "The wallet's name must be 1 to 128 letters, digits or . _ : -");
  return wallet;
}

const lockedRow = z.object({ bytes: z.coerce.number(), now: z.coerce.number() });

/** The clock is read in an outer select: beside `for update` it might be read before the wait. */
async function lockWallet(ctx: Context, tx: Queryable, wallet: string): Promise<{ bytes: number; now: Date }> {
  const lock = `with held as materialized (select bytes from @wallets where wallet = $1 for update)
    select bytes, (extract(epoch from clock_timestamp()) * 1000)::float8 as now from held`;
  let [row] = await rowsOf(tx, lockedRow, lock, [wallet]);
  if (!row) {
    await tx.query(
      "insert into @wallets (wallet, created_at, seen_at) values ($1, now(), now()) on conflict do nothing",
      [wallet],
    );
    [row] = await rowsOf(tx, lockedRow, lock, [wallet]);
  }
  if (!row) throw new Error("the wallet's row vanished between two statements");
  return { bytes: row.bytes, now: ctx.injectedClock ? ctx.clock() : new Date(Math.floor(row.now)) };
}

interface Scope<Now> {
  tx: Queryable;
  wallet: string;
  now: Now;
}

const viewOf = <Now extends Date | null>(ctx: Context, database: Database, { tx, wallet, now }: Scope<Now>) => ({
  wallet,
  now,
  vectors: database.vectors,
  maxBytes: ctx.wallets?.limits?.bytes ?? MAX_BYTES,
  query: (text: string, values?: unknown[]) => tx.query(text, values),
});

const MAX_BYTES = 50 * 1024 * 1024;

function accountOf(ctx: Context, database: Database, scope: Scope<Date>): { account: Account; grown(): number } {
  let sum = 0;
  const grow = (bytes: number) => {
    sum += bytes;
  };
  return { account: { ...viewOf(ctx, database, scope), grow }, grown: () => sum };
}

/** What is no more does not count: where there is too little room it is cleared away first. */
async function settleBytes(account: Account, before: number, grown: number): Promise<void> {
  const { wallet, now, maxBytes } = account;
  let bytes = before + grown;
  if (grown > 0 && bytes > maxBytes) bytes -= await sweep(account);
  if (grown > 0 && bytes > maxBytes) throw quotaExceeded(maxBytes, bytes - grown);
  await account.query("update @wallets set bytes = $2::bigint, seen_at = $3 where wallet = $1", [
    ...[wallet, bytes, now],
  ]);
}

/** Refuses, before money moves, what will not fit. Bytes that are given back by it do not count. */
export async function assertRoom(view: View, bytes: number): Promise<void> {
  if (bytes <= 0) return;
  const [row] = await rowsOf(
    view,
    z.object({ bytes: z.coerce.number() }),
    "select bytes::float8 from @wallets where wallet = $1",
    [view.wallet],
  );
  if ((row?.bytes ?? 0) + bytes <= view.maxBytes) return;
  const used = await liveBytes(view);
  if (used + bytes > view.maxBytes) throw quotaExceeded(view.maxBytes, used);
}

const quotaExceeded = (limit: number, used: number): CapabilityError =>
  new CapabilityError(
    "QUOTA_EXCEEDED",
    `The wallet has ${used} of ${limit} bytes in use, and this does not fit: delete what is not needed, or give it a ttlSeconds.`,
  );

const receiptRow = z.object({ endpoint: z.string(), result: z.string() });
type Receipt = z.infer<typeof receiptRow>;

async function receiptOf(account: Account, callId: string): Promise<Receipt | undefined> {
  const text = "select endpoint, result from @receipts where wallet = $1 and call = $2";
  return (await rowsOf(account, receiptRow, text, [account.wallet, callId]))[0];
}

async function resultOf<T>(account: Account, { endpoint, result }: Receipt, change: Change<T>): Promise<T> {
  if (endpoint !== change.endpoint) throw invalid("idempotency-key", `was used before, for ${endpoint}`);
  const kept = JSON.parse(result);
  if (kept === null) throw new CapabilityError("NOT_FOUND", "The result of this call was erased.");
  return change.receipt ? change.receipt.restore(account, kept) : kept;
}

async function writeReceipt<T>(account: Account, callId: string, change: Change<T>, result: T): Promise<void> {
  const kept = JSON.stringify(change.receipt ? change.receipt.keep(result) : result);
  if (kept.length > (change.receipt?.maxBytes ?? MAX_RECEIPT_BYTES))
    throw new Error(`${change.endpoint}: its result is too large for a receipt`);
  const values = [account.wallet, callId, change.endpoint, kept, new Date(account.now.getTime() + RECEIPT_MS)];
  const text = `insert into @receipts (wallet, call, endpoint, result, expires_at) values ($1, $2, $3, $4, $5)
    on conflict (wallet, call) do update set endpoint = $3, result = $4, expires_at = $5`;
  await account.query(text, values);
}

/** Carries what a trial made out of its transaction, which it undoes. */
class RolledBack<T> extends Error {
  constructor(readonly result: T) {
    super("rolled back");
  }
}

/** In a scope of its own that holds sample data and vanishes afterwards. */
async function inTrial<T>(ctx: Context, database: Database, work: (account: Account) => Promise<T>): Promise<T> {
  const undone = await database
    .transaction(async (tx) => {
      const wallet = `trial:${randomUUID()}`;
      const { now, bytes } = await lockWallet(ctx, tx, wallet);
      const { account, grown } = accountOf(ctx, database, { tx, wallet, now });
      await putSamples(account);
      const result = await work(account);
      await settleBytes(account, bytes, grown());
      throw new RolledBack(result);
    })
    .catch((error: unknown) => error);
  if (undone instanceof RolledBack) return undone.result;
  throw undone;
}
