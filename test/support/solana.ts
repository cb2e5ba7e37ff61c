/** Wallets and transactions of Solana. The keys are public and worthless. */
import { randomBytes } from "node:crypto";
import {
  ComputeBudgetProgram,
  Keypair,
  MessageV0,
  type MessageV0Args,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js";

export const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
export const USDC_MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
export const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
export const MEMO_PROGRAM = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
export const LIGHTHOUSE_PROGRAM = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";

const keypair = (byte: number) => Keypair.fromSeed(new Uint8Array(32).fill(byte));
export const buyer = keypair(1);
export const feePayer = keypair(2);
export const treasury = keypair(3);
/** Another key of the same facilitator. */
export const otherFeePayer = keypair(4);
/** What unused money goes back from. */
export const refundWallet = keypair(5);
export const stranger = keypair(9);
export const addressOf = (pair: Keypair) => pair.publicKey.toBase58();

export function associatedAccountOf(owner: string, mint = USDC_MINT, program = TOKEN_PROGRAM): string {
  const seeds = [owner, program, mint].map((address) => new PublicKey(address).toBuffer());
  const ataProgram = new PublicKey("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL");
  return PublicKey.findProgramAddressSync(seeds, ataProgram)[0].toBase58();
}

export function instruction(
  program: string,
  data: Uint8Array | string,
  accounts: string[] = [],
): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: accounts.map((account) => ({ pubkey: new PublicKey(account), isSigner: false, isWritable: true })),
    data: Buffer.from(data),
  });
}

export const memo = (text: string) => instruction(MEMO_PROGRAM, text);
export const unitLimit = (units = 20_000) => ComputeBudgetProgram.setComputeUnitLimit({ units });
export const unitPrice = (microLamports: number | bigint = 1) =>
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports });

export interface TransferOptions {
  from?: Keypair;
  source?: string;
  mint?: string;
  destination?: string;
  payTo?: string;
  amount?: bigint;
  decimals?: number;
  program?: string;
  /** The instruction's number: 12 is TransferChecked. */
  discriminator?: number;
  /** Without it the authority need not sign. */
  signed?: boolean;
}

export function transfer(options: TransferOptions = {}): TransactionInstruction {
  const { from = buyer, mint = USDC_MINT, payTo = addressOf(treasury), program = TOKEN_PROGRAM } = options;
  const data = Buffer.alloc(10);
  data[0] = options.discriminator ?? 12;
  data.writeBigUInt64LE(options.amount ?? 1000n, 1);
  data[9] = options.decimals ?? 6;
  const account = (address: string, isWritable: boolean) => ({
    pubkey: new PublicKey(address),
    isSigner: false,
    isWritable,
  });
  return new TransactionInstruction({
    programId: new PublicKey(program),
    keys: [
      account(options.source ?? associatedAccountOf(addressOf(from), mint, program), true),
      account(mint, false),
      account(options.destination ?? associatedAccountOf(payTo, mint, program), true),
      { ...account(addressOf(from), false), isSigner: options.signed ?? true },
    ],
    data,
  });
}

export interface TransactionOptions {
  payer?: Keypair;
  signers?: Keypair[];
  blockhash?: string;
  legacy?: boolean;
  instructions?: TransactionInstruction[];
}

/** A transaction as a buyer sends it: signed by everybody but the fee payer. */
export function transactionOf(options: TransactionOptions = {}): VersionedTransaction {
  const { payer = feePayer, signers = [buyer], blockhash = "11111111111111111111111111111111" } = options;
  const instructions = options.instructions ?? [
    unitLimit(),
    unitPrice(),
    transfer(),
    memo(randomBytes(16).toString("hex")),
  ];
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(
    options.legacy ? message.compileToLegacyMessage() : message.compileToV0Message(),
  );
  transaction.sign(signers);
  return transaction;
}

/** The buyer's transaction with parts of its message changed in ways that no compiler of messages would make. */
export function reworked(change: (message: MessageV0) => Partial<MessageV0Args>): VersionedTransaction {
  const { message } = transactionOf();
  if (!(message instanceof MessageV0)) throw new Error("The message is of another version.");
  const transaction = new VersionedTransaction(new MessageV0({ ...message, ...change(message) }));
  transaction.sign([buyer]);
  return transaction;
}

export const toBase64 = (transaction: VersionedTransaction) => Buffer.from(transaction.serialize()).toString("base64");
