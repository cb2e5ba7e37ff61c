/** Looks up on chain whether a signed transaction was included. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { once } from "../../../lib/lazy.js";
import type { PaymentToSettle } from "../../x402/facilitator.js";
import type { ChainStatus } from "../rail.js";
import type { Rpc } from "../rpc.js";
import { MEMO_PROGRAM, REFERENCE_POSITION, TRANSFER_POSITION } from "./layout.js";
import { type ListedTransaction, list, searchFor, type TransactionSearch, tellsMemos } from "./listing.js";
import { readTransaction, type SolanaTransaction } from "./transaction.js";

/** Public nodes limit requests. Payments are recent; a refund may be looked up after an outage. */
const MAX_READS = { payment: 20, refund: 200 };

const landed = once(() =>
  z
    .object({
      transaction: z.tuple([z.string(), z.literal("base64")]),
      meta: z.object({ err: z.unknown() }).nullish(),
    })
    .nullable(),
);

/**
 * Finds a transaction. Its id is the fee payer's signature, which only the facilitator knows: `told`, which may be
 * wrong. Otherwise the transactions of an account that it mentions are searched: for a payment the paying account,
 * where a stranger cannot hide it behind transfers to the treasury; for a refund an address of its own.
 *
 * An included transaction counts, whatever else the node cannot answer. A transaction is also `cancelled` once the last
 * block that could contain it is final and no block up to it does. A refund is `paid` by any of the transactions signed
 * for the same order.
 */
export async function findTransaction(rpc: Rpc, payment: PaymentToSettle, told?: string): Promise<ChainStatus> {
  try {
    const wanted = await readTransaction(payment.payload);
    const shown = told ? await readLanded(rpc, told).catch(() => null) : null;
    if (told && shown?.succeeded && isSame(shown.bytes, wanted)) return paidBy(told);
    const search = await searchFor(rpc, payment);
    const { entries, isWhole } = await list(rpc, accountOf(wanted, search), search);
    const candidates = await likely(rpc, entries, { wanted, most: MAX_READS[search.kind] });
    const { status, unread, failed } = await readEach(rpc, candidates, { wanted, search });
    if (status) return status;
    const isOver = search.isOver ? { isOver: true as const } : {};
    if (!isWhole || failed > 0 || candidates.length > MAX_READS[search.kind]) return { kind: "unreadable", ...isOver };
    return search.isOver && unread === 0 ? CANCELLED : { kind: "absent", ...isOver };
  } catch {
    return { kind: "unreadable" };
  }
}

const balance = once(() => z.object({ value: z.object({ amount: z.string().regex(/^\d{1,20}$/) }) }));

/** Balance of a token account. */
export async function readTokens(rpc: Rpc, account: unknown): Promise<bigint> {
  const { value } = balance().parse(await rpc("getTokenAccountBalance", [account, { commitment: "confirmed" }]));
  return BigInt(value.amount);
}

/** Whether the paying account holds less than the amount. */
export async function lacksFunds(rpc: Rpc, { payload, requirements }: PaymentToSettle): Promise<boolean> {
  try {
    const { instructions } = await readTransaction(payload);
    const source = instructions[TRANSFER_POSITION]?.accounts[0];
    return (await readTokens(rpc, source)) < BigInt(requirements.amount);
  } catch {
    return false;
  }
}

const paidBy = (signature: string): ChainStatus => ({ kind: "paid", transaction: signature, proof: signature });

/** A transaction that failed on chain cannot be sent again. */
const CANCELLED: ChainStatus = { kind: "cancelled" };

/** The account whose list must contain the transaction. Refunds that were signed without a reference are found, too. */
function accountOf({ instructions }: SolanaTransaction, { kind }: TransactionSearch): string {
  const reference = kind === "refund" ? instructions[REFERENCE_POSITION]?.accounts[0] : undefined;
  // guard: solana: a refund has an address of its own | - reference ?? | LOOKUP
  return reference ?? instructions[TRANSFER_POSITION]?.accounts[0] ?? "";
}

/**
 * The entries that may be the transaction. Nodes list memos, which avoids reading transactions that strangers made as
 * obstacles. A memo becomes known only when its transaction is included, so copies of it are always later.
 */
async function likely(
  rpc: Rpc,
  entries: ListedTransaction[],
  { wanted, most }: { wanted: SolanaTransaction; most: number },
): Promise<ListedTransaction[]> {
  const memo = memoOf(wanted);
  const named = entries.filter((each) => memo !== undefined && each.memo?.includes(memo));
  const unnamed = entries.filter((each) => !each.memo);
  if (memo === undefined) return unnamed;
  const areTold = unnamed.length < entries.length || (unnamed.length > most && (await tellsMemos(rpc)));
  // guard: solana: dust without memos is told apart | returns [...named, ...unnamed] | LOOKUP
  return areTold ? named : unnamed;
}

interface Reading {
  /** State of the transaction on chain. */
  status?: ChainStatus;
  /** Number of listed transactions that the node does not show, or that could not be read. */
  unread: number;
  failed: number;
}

/** Reads the oldest candidates up to the limit, the newest of them first. */
async function readEach(
  rpc: Rpc,
  candidates: ListedTransaction[],
  { wanted, search }: { wanted: SolanaTransaction; search: TransactionSearch },
): Promise<Reading> {
  const reading: Reading = { unread: 0, failed: 0 };
  // guard: solana: of many copies the oldest are read | -MAX_READS -> 0, MAX_READS | LOOKUP
  for (const { signature, err } of candidates.slice(-MAX_READS[search.kind])) {
    const hasFailed = err !== null && err !== undefined;
    const shown = await readLanded(rpc, signature).catch(() => undefined);
    if (shown === undefined) reading.failed++;
    else if (shown === null) reading.unread++;
    else if (isSame(shown.bytes, wanted)) return { ...reading, status: hasFailed ? CANCELLED : paidBy(signature) };
    else if (search.kind === "refund" && !hasFailed && (await doesSame(shown.bytes, wanted)))
      return { ...reading, status: paidBy(signature) };
  }
  return reading;
}

/** Null if the node does not show it; rejects if the node does not answer. */
async function readLanded(rpc: Rpc, signature: string): Promise<{ bytes: Buffer; succeeded: boolean } | null> {
  const options = { encoding: "base64", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
  const found = landed().parse(await rpc("getTransaction", [signature, options]));
  return found && { bytes: Buffer.from(found.transaction[0], "base64"), succeeded: found.meta?.err === null };
}

/**
 * Compares all but the fee payer's signature, which was still missing on arrival. The buyer's own signature is
 * compared.
 */
const isSame = (bytes: Buffer, wanted: SolanaTransaction): boolean =>
  bytes.subarray(1 + 64).equals(Buffer.from(wanted.bytes).subarray(1 + 64));

/** The same transfer with the same memo: only its owner can have signed it. */
async function doesSame(bytes: Buffer, wanted: SolanaTransaction): Promise<boolean> {
  const found = await readTransaction({ transaction: bytes.toString("base64") }).catch(() => undefined);
  return found !== undefined && isDeepStrictEqual(found.instructions.map(plain), wanted.instructions.map(plain));
}

const plain = ({ program, accounts, data }: SolanaTransaction["instructions"][number]) => [
  program,
  accounts,
  Buffer.from(data).toString("hex"),
];

function memoOf({ instructions }: SolanaTransaction): string | undefined {
  const memo = instructions.find(({ program }) => program === MEMO_PROGRAM);
  return memo && Buffer.from(memo.data).toString("utf8");
}
