/** Payments on Solana and what goes back: what is signed, and a node that shows what landed, and strangers' dust with it. */
import { createHash } from "node:crypto";
import { Keypair, PublicKey, VersionedTransaction } from "@solana/web3.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import {
  addressOf,
  associatedAccountOf,
  feePayer,
  MEMO_PROGRAM,
  memo,
  refundWallet,
  SOLANA,
  TOKEN_PROGRAM,
  transactionOf,
  transfer,
  treasury,
  unitLimit,
  unitPrice,
} from "../support/solana.js";
import type { Authorization } from "../support/wallets.js";
import type { Transfer } from "./chain.js";

export { SOLANA };
export const FEE_PAYER = addressOf(feePayer);
export const SOLANA_TREASURY = addressOf(treasury);
export const SOLANA_REFUND_WALLET = refundWallet;
export const SOLANA_REFUND_ADDRESS = addressOf(refundWallet);

/** How long a blockhash is good for. */
const LIFE_SECONDS = 60;
const SLOT_MS = 400;
const FINAL_MS = 13_000;
/** How many blocks a refund's blockhash is good for. */
const BLOCKHASH_LIFE = 150;

/** What a transaction as its buyer signed it will do; its message's hash is what names it. */
interface Sent {
  transaction: string;
  authorization: Authorization;
  /** Whatever it mentions: whose list it is in. */
  accounts: string[];
  memo: string;
}

/** Transactions of strangers for nothing, which mention an account. */
export interface Dust {
  account: string;
  at: number;
  count: number;
  memo: string | null;
}

/** Worlds repeat each other's, and signing takes time: by transaction, by message, and by memo. */
const sent = new Map<string, Sent>();
const byMessage = new Map<string, Sent>();
const byMemo = new Map<string, Sent>();
/** Of a token account. */
const ownerOf = new Map<string, string>();

export const keypairOf = (id: number): Keypair =>
  Keypair.fromSeed(createHash("sha256").update(`wallet ${id}`).digest());

/** Every buyer's transaction is for one moment and has a memo of its own. */
export function signSolana(
  terms: PaymentRequirements,
  { keypair, now, serial }: { keypair: Keypair; now: number; serial: number },
): Sent {
  const seconds = Math.ceil(now / 30_000) * 30;
  const from = addressOf(keypair);
  const text = createHash("sha256").update(`${from} ${seconds} ${terms.amount} ${serial}`).digest("hex").slice(0, 32);
  const known = byMemo.get(text);
  if (known) return known;
  const pays = transfer({ from: keypair, amount: BigInt(terms.amount), payTo: terms.payTo });
  const instructions = [unitLimit(), unitPrice(), pays, memo(text)];
  const made = transactionOf({ signers: [keypair], instructions });
  const made64 = Buffer.from(made.serialize()).toString("base64");
  const nonce = createHash("sha256").update(made.message.serialize()).digest("hex");
  const validBefore = String(seconds + LIFE_SECONDS);
  const authorization = { from, to: terms.payTo, value: terms.amount, validAfter: "0", validBefore, nonce };
  const entry = { transaction: made64, authorization, accounts: accountsIn(made), memo: text };
  ownerOf.set(associatedAccountOf(from), from);
  sent.set(made64, entry);
  byMessage.set(nonce, entry);
  byMemo.set(text, entry);
  return entry;
}

const accountsIn = ({ message }: VersionedTransaction): string[] =>
  message.staticAccountKeys.map((key) => key.toBase58());

/** What a transaction does; undefined for one that nobody of this world signed. */
export const authorizationIn = (transaction: string): Authorization | undefined =>
  (sent.get(transaction) ?? readRefund(transaction))?.authorization;

/** The memo of a transaction, by the hash of its message. */
export const memoOf = (message: string): string | undefined => byMessage.get(message)?.memo;

/** What goes back is signed by the service, where nobody looks on. */
function readRefund(transaction: string): Sent | undefined {
  const made = VersionedTransaction.deserialize(Buffer.from(transaction, "base64"));
  const accounts = accountsIn(made);
  const [, , pays, says] = made.message.compiledInstructions;
  const [, , destination, from] = (pays?.accountKeyIndexes ?? []).map((index) => accounts[index] ?? "");
  if (!pays || !says || from !== SOLANA_REFUND_ADDRESS || destination === undefined) return undefined;
  const to = ownerOf.get(destination) ?? destination;
  const value = Buffer.from(pays.data).readBigUInt64LE(1).toString();
  const lastSlot = new PublicKey(made.message.recentBlockhash).toBuffer().readUInt32BE() + BLOCKHASH_LIFE;
  const validBefore = String(Math.floor((lastSlot * SLOT_MS) / 1000));
  const nonce = createHash("sha256").update(made.message.serialize()).digest("hex");
  const authorization = { from, to, value, validAfter: "0", validBefore, nonce };
  const entry = { transaction, authorization, accounts, memo: Buffer.from(says.data).toString() };
  sent.set(transaction, entry);
  byMessage.set(nonce, entry);
  return entry;
}

function blockhashAt(slot: number): string {
  const bytes = Buffer.alloc(32, 7);
  bytes.writeUInt32BE(slot);
  return new PublicKey(bytes).toBase58();
}

interface Chain {
  transfers: readonly Transfer[];
  dust: readonly Dust[];
  nodeTime: number;
  forgets: boolean;
}

interface Listed {
  signature: string;
  err: null;
  memo: string | null;
  slot: number;
  blockTime: number;
}

/** What a node answers that has seen everything up to `nodeTime`; one that forgets keeps no transactions. */
export function solanaRpc(method: string, params: unknown[], chain: Chain): unknown {
  const { transfers, nodeTime, forgets } = chain;
  const [of, options] = params as [string, Paging | undefined];
  const slot = slotAt(nodeTime - FINAL_MS);
  if (method === "getEpochInfo") return { absoluteSlot: slot, blockHeight: slot };
  if (method === "getBlockTime") return Math.floor((Number(of) * SLOT_MS) / 1000);
  if (method === "getMultipleAccounts")
    return { value: [of].flat().map((_, i) => (i < 2 ? { owner: TOKEN_PROGRAM } : null)) };
  if (method === "getLatestBlockhash")
    return { context: { slot }, value: { blockhash: blockhashAt(slot), lastValidBlockHeight: slot + BLOCKHASH_LIFE } };
  if (options?.minContextSlot !== undefined && options.minContextSlot > slotAt(nodeTime))
    throw new Error("Minimum context slot has not been reached");
  const landed = forgets ? [] : transfers.filter(({ at }) => at <= nodeTime);
  if (method === "getTransaction") {
    const found = landed.find(({ transaction }) => transaction === of);
    const entry = found && byMessage.get(found.authorization.nonce);
    if (!entry) return of.startsWith("dust") ? { transaction: ["AAAA", "base64"], meta: { err: null } } : null;
    return { transaction: [entry.transaction, "base64"], meta: { err: null } };
  }
  if (method !== "getSignaturesForAddress") throw new Error(`no method ${method}`);
  const all = of === MEMO_PROGRAM ? [listed("memo", "others", nodeTime)] : listOf(of, { ...chain, transfers: landed });
  const from = options?.before === undefined ? 0 : all.findIndex(({ signature }) => signature === options.before) + 1;
  return all.slice(from, from + (options?.limit ?? 1000));
}

interface Paging {
  minContextSlot?: number;
  limit?: number;
  before?: string;
}

const slotAt = (time: number) => Math.floor(time / SLOT_MS);

const listed = (signature: string, text: string | null, at: number): Listed => ({
  signature,
  err: null,
  memo: text === null ? null : `[${text.length}] ${text}`,
  slot: slotAt(at),
  blockTime: Math.floor(at / 1000),
});

/** What mentions an account, newest first. */
function listOf(account: string, { transfers, dust, nodeTime, forgets }: Chain): Listed[] {
  const ours = transfers.flatMap(({ authorization, transaction, at }) => {
    const entry = byMessage.get(authorization.nonce);
    return entry?.accounts.includes(account) ? [listed(transaction, entry.memo, at)] : [];
  });
  const others = forgets ? [] : dust.filter((each) => each.account === account && each.at <= nodeTime);
  const nothing = others.flatMap(({ at, count, memo: text }) =>
    Array.from({ length: count }, (_, i) => listed(`dust ${at} ${i}`, text, at)),
  );
  return [...ours, ...nothing].sort((a, b) => b.blockTime - a.blockTime);
}
