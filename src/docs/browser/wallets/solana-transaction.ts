/** The transaction of the scheme `exact` on Solana, as bytes for a wallet to sign. Loaded when one is about to pay. */
import { bytesOf, tokenAccountOf } from "./solana-address.js";

const COMPUTE_BUDGET_PROGRAM = "ComputeBudget111111111111111111111111111111";
const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const UNIT_LIMIT = 20_000;
const MICRO_LAMPORTS = 1n;
/** Of every token that offers on Solana name. */
const DECIMALS = 6;
const MAX_MEMO_BYTES = 256;
/** Of the fee payer, who is the facilitator, and of the buyer. */
const SIGNERS = 2;

export interface Transfer {
  /** Owner of the money. Addresses are base58 text. */
  payer: string;
  asset: string;
  /** Owner of the account that is paid into. */
  payTo: string;
  /** Atomic units, in decimal. */
  amount: string;
  feePayer: string;
  /** Default: 16 random bytes in hex, so that no two payments are the same transaction. */
  memo?: string | undefined;
  tokenProgram: string;
  recentBlockhash: string;
}

/** Both signatures are still zeros. */
export async function transactionOf(transfer: Transfer): Promise<Uint8Array> {
  return Uint8Array.from([SIGNERS, ...new Uint8Array(64 * SIGNERS), ...(await messageOf(transfer))]);
}

/** A message of version 0. Its accounts are ordered as stock clients order them. */
async function messageOf(transfer: Transfer): Promise<number[]> {
  const { payer, asset, payTo, amount, feePayer, tokenProgram, recentBlockhash } = transfer;
  const source = await tokenAccountOf(payer, asset, tokenProgram);
  const destination = await tokenAccountOf(payTo, asset, tokenProgram);
  const writable = [source, destination].sort(byText);
  const readable = [asset, tokenProgram, COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM].sort(byText);
  const accounts = [feePayer, payer, ...writable, ...readable];
  if (new Set(accounts).size < accounts.length)
    throw new Error("This account belongs to the service itself. Choose another one in your wallet.");
  const instruction = (program: string, used: string[], data: ArrayLike<number>) => [
    accounts.indexOf(program),
    ...sized(used.map((account) => accounts.indexOf(account))),
    ...sized(data),
  ];
  return [
    // The version, how many sign, how many of these only read, and how many of the others do.
    ...[0x80, SIGNERS, 1, readable.length],
    ...length(accounts.length),
    ...accounts.flatMap((account) => [...bytesOf(account)]),
    ...bytesOf(recentBlockhash),
    ...length(4),
    ...instruction(COMPUTE_BUDGET_PROGRAM, [], [2, ...littleEndian(BigInt(UNIT_LIMIT), 4)]),
    ...instruction(COMPUTE_BUDGET_PROGRAM, [], [3, ...littleEndian(MICRO_LAMPORTS, 8)]),
    ...instruction(
      tokenProgram,
      [source, asset, destination, payer],
      [12, ...littleEndian(BigInt(amount), 8), DECIMALS],
    ),
    ...instruction(MEMO_PROGRAM, [], memoOf(transfer)),
    // No lookup tables.
    0,
  ];
}

function memoOf({ memo }: Transfer): Uint8Array {
  const random = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = new TextEncoder().encode(memo || random());
  if (bytes.length > MAX_MEMO_BYTES) throw new Error(`The offer's memo is longer than ${MAX_MEMO_BYTES} bytes.`);
  return bytes;
}

/** The order of addresses that @solana/kit gives them. */
const byText = new Intl.Collator("en", { caseFirst: "lower", sensitivity: "variant" }).compare;

const sized = (items: ArrayLike<number>): number[] => [...length(items.length), ...Array.from(items)];

/** Seven bits a byte, the lowest first. */
const length = (count: number): number[] => (count < 128 ? [count] : [(count & 127) | 128, count >> 7]);

const littleEndian = (value: bigint, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
