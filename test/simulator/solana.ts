/** Payments on Solana: what buyers sign, and a node that shows what landed. */
import { createHash } from "node:crypto";
import { Keypair } from "@solana/web3.js";
import type { PaymentRequirements } from "../../src/payment/x402/wire.js";
import {
  addressOf,
  associatedAccountOf,
  feePayer,
  memo,
  SOLANA,
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

/** How long a blockhash is good for. */
const LIFE_SECONDS = 60;
const SLOT_MS = 400;
const FINAL_MS = 13_000;

/** What a transaction as its buyer signed it will do; its message's hash is what names it. */
interface Sent {
  transaction: string;
  authorization: Authorization;
  source: string;
  memo: string;
}

/** Worlds repeat each other's, and signing takes time: by transaction, by message, and by memo. */
const sent = new Map<string, Sent>();
const byMessage = new Map<string, Sent>();
const byMemo = new Map<string, Sent>();

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
  const entry = { transaction: made64, authorization, source: associatedAccountOf(from), memo: text };
  sent.set(made64, entry);
  byMessage.set(nonce, entry);
  byMemo.set(text, entry);
  return entry;
}

/** What a transaction does; undefined for one that nobody of this world signed. */
export const authorizationIn = (transaction: string): Authorization | undefined => sent.get(transaction)?.authorization;

/** What a node answers that has seen everything up to `nodeTime`; one that forgets keeps no transactions. */
export function solanaRpc(
  method: string,
  params: unknown[],
  { transfers, nodeTime, forgets }: { transfers: readonly Transfer[]; nodeTime: number; forgets: boolean },
): unknown {
  const slotAt = (time: number) => Math.floor(time / SLOT_MS);
  const [of, options] = params as [string, { minContextSlot?: number } | undefined];
  if (method === "getEpochInfo") {
    const slot = slotAt(nodeTime - FINAL_MS);
    return { absoluteSlot: slot, blockHeight: slot };
  }
  if (method === "getBlockTime") return Math.floor((Number(of) * SLOT_MS) / 1000);
  if (options?.minContextSlot !== undefined && options.minContextSlot > slotAt(nodeTime))
    throw new Error("Minimum context slot has not been reached");
  const landed = transfers
    .filter(({ at }) => at <= nodeTime && !forgets)
    .flatMap((each) => {
      const entry = byMessage.get(each.authorization.nonce);
      return entry ? [{ ...entry, signature: each.transaction, at: each.at }] : [];
    })
    .reverse();
  if (method === "getTransaction") {
    const found = landed.find(({ signature }) => signature === of);
    return found ? { transaction: [found.transaction, "base64"] } : null;
  }
  if (method !== "getSignaturesForAddress") throw new Error(`no method ${method}`);
  return landed
    .filter(({ source }) => source === of)
    .map(({ signature, memo: text, at }) => {
      const [slot, blockTime] = [slotAt(at), Math.floor(at / 1000)];
      return { signature, err: null, memo: `[${text.length}] ${text}`, slot, blockTime };
    });
}
