/** Receipts of calls: they make a call run once, and tell the settlement whether it was done. */
import { z } from "zod";
import type { WalletCall } from "../../capability/wallets.js";
import { CapabilityError, invalid } from "../../errors.js";
import { DAY_MS } from "../../lib/time.js";
import { type Database, type Queryable, rowsOf } from "../database/database.js";
import type { RowKey } from "../database/encryption.js";
import { NO_RESULT } from "../database/own-texts.js";
import { inTurnOfWallet } from "./concurrency.js";
import type { WalletChange, WriteScope } from "./scope.js";

/** Longer than any payment's record, because the payment could be sent again until then. */
export const RECEIPT_MS = 8 * DAY_MS;
/** A larger result is not copied into its receipt. */
const MAX_RECEIPT_BYTES = 64 * 1024;

/** `result` is JSON, encrypted if there is a key. `facts` are numbers, times and names, which tables have in plain text. */
export const receiptRow = z.object({
  endpoint: z.string().nullable(),
  result: z.string().nullable(),
  facts: z.string().nullable(),
});

export interface CallReceipt {
  endpoint: string;
  result: string;
  facts: string | null;
}

export interface KeptReceipt extends CallReceipt {
  call: string;
}

/** Takes wallet, call, endpoint, result and expiry as $1 and $4 to $7. */
export const INSERT_RECEIPT = `insert into @receipts (wallet, call, endpoint, result, expires_at) values ($1, $4, $5, $6, $7)
  on conflict (wallet, call) do update set endpoint = $5, result = $6, facts = null, expires_at = $7`;

export async function readReceipt(tx: Queryable, wallet: string, call: string): Promise<CallReceipt | undefined> {
  const row = z.object({ endpoint: z.string(), result: z.string(), facts: z.string().nullable() });
  const text = "select endpoint, result, facts from @receipts where wallet = $1 and call = $2";
  return (await rowsOf(tx, row, text, [wallet, call]))[0];
}

/** The result of a call that was done. Rejects if it was another endpoint's, or was erased. */
export async function resultOf<T>(
  scope: WriteScope,
  { call, endpoint, result, facts }: KeptReceipt,
  change: WalletChange<T>,
): Promise<T> {
  if (endpoint !== change.endpoint) throw invalid("idempotency-key", `was used before, for ${endpoint}`);
  if (facts !== null) return fromFacts(scope, facts, change);
  if (result === NO_RESULT) throw new CapabilityError("NOT_FOUND", "The result of this call was erased.");
  const kept = JSON.parse(scope.encryption.decrypt(receiptKey(scope, call), result));
  return change.receipt ? change.receipt.restore(scope, kept) : kept;
}

async function fromFacts<T>(scope: WriteScope, facts: string, { endpoint, atOnce }: WalletChange<T>): Promise<T> {
  const result = await atOnce?.result(scope, JSON.parse(facts));
  if (result === undefined) throw new Error(`${endpoint}: its receipt does not tell its result`);
  return result;
}

export function receiptFor<T>(
  scope: WriteScope,
  { endpoint, receipt }: WalletChange<T>,
  result: T,
  call: string,
): KeptReceipt {
  const kept = JSON.stringify(receipt ? receipt.keep(result) : result);
  if (kept.length > (receipt?.maxBytes ?? MAX_RECEIPT_BYTES))
    throw new Error(`${endpoint}: its result is too large for a receipt`);
  return { call, endpoint, facts: null, result: scope.encryption.encrypt(receiptKey(scope, call), kept) };
}

const receiptKey = ({ wallet }: WriteScope, call: string): RowKey => ["receipts", "result", wallet, call];

/**
 * Whether a call has done its work. Waits for changes that this process still makes, which may be on their way without
 * the wallet's lock, and for the lock, so that no change is still running.
 */
// guard: wallets: whether a call was done is said when its change has ended |
//   inTurnOfWallet(database, id, () -> Promise.resolve().then(() | sent
export const hasReceipt = (database: Database, { id, callId }: Pick<WalletCall, "id" | "callId">): Promise<boolean> =>
  inTurnOfWallet(database, id, () =>
    database.transaction(async (tx) => {
      await tx.query("select from @wallets where wallet = $1 for update", [id]);
      return callId !== undefined && (await readReceipt(tx, id, callId)) !== undefined;
    }),
  );
