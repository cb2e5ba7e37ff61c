/** What a signed payment is good for: read from what was signed, never from what the service says of it. */
import type { Micros } from "../lib/money.js";

/** The highest ceiling that was signed for each channel. */
export type Vouchers = Map<string, Micros>;

/** As the official clients make it, in the parts that tell how much and until when. */
export interface SignedPayment {
  accepted?: { network?: string; amount?: string; maxTimeoutSeconds?: number };
  payload?: {
    authorization?: { value?: unknown; validBefore?: unknown };
    permit2Authorization?: { permitted?: { amount?: unknown }; deadline?: unknown };
    voucher?: { channelId?: unknown; maxClaimableAmount?: unknown };
  };
}

export interface Signed {
  /** The most that can be taken with it, beyond what could be taken before. */
  amount: Micros;
  isVoucher: boolean;
  /** Epoch milliseconds. */
  validUntil: number;
}

/** A Solana payment lives as long as its blockhash, whatever the offer says. */
const BLOCKHASH_SECONDS = 150;
const LEAST_SECONDS = 60;

/** Notes the ceiling of a voucher. `quoted` stands in where what was signed cannot be read, as of a transaction of Solana. */
export function readSigned({ accepted = {}, payload = {} }: SignedPayment, vouchers: Vouchers, quoted: Micros): Signed {
  const { authorization, permit2Authorization: permit, voucher } = payload;
  if (voucher) {
    const id = String(voucher.channelId);
    const ceiling = unitsOf(voucher.maxClaimableAmount) ?? 0n;
    // Of a channel of an earlier client, what was signed before is no part of this one's total.
    const before = vouchers.get(id) ?? ceiling - (unitsOf(accepted.amount) ?? quoted);
    const amount = ceiling > before ? ceiling - before : 0n;
    // One for more than was quoted is not sent: nobody has it, and the next one must not count from there.
    if (amount <= quoted) vouchers.set(id, ceiling > before ? ceiling : before);
    return { amount, isVoucher: true, validUntil: Number.POSITIVE_INFINITY };
  }
  const amount = unitsOf(authorization?.value ?? permit?.permitted?.amount ?? accepted.amount) ?? quoted;
  const deadline = unitsOf(authorization?.validBefore ?? permit?.deadline);
  const { network = "", maxTimeoutSeconds } = accepted;
  const least = network.startsWith("solana:") ? BLOCKHASH_SECONDS : LEAST_SECONDS;
  const seconds = Math.max(Number(maxTimeoutSeconds) || 0, least);
  const validUntil = deadline === undefined ? Date.now() + seconds * 1000 : Number(deadline) * 1000;
  return { amount, isVoucher: false, validUntil };
}

/** Atomic units; undefined for anything else, however it is written. */
export function unitsOf(value: unknown): Micros | undefined {
  const text = typeof value === "bigint" ? value.toString() : value;
  return typeof text === "string" && /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
}
