/** Value and expiry of a signed payment, read from the signed content and never from the service's answer. */
import type { Micros } from "../lib/money.js";

/** The highest ceiling that was signed for each channel. */
export type Vouchers = Map<string, Micros>;

/** The fields of the official clients' payments that contain amount and expiry. */
export interface SignedPayment {
  accepted?: { network?: string; asset?: string; payTo?: string; amount?: string; maxTimeoutSeconds?: number };
  payload?: {
    authorization?: { value?: unknown; validBefore?: unknown };
    permit2Authorization?: { permitted?: { amount?: unknown }; deadline?: unknown };
    voucher?: { channelId?: unknown; maxClaimableAmount?: unknown };
  };
}

export interface Signed {
  /** The most that can be taken with it, beyond earlier signatures. */
  amount: Micros;
  isVoucher: boolean;
  /** Epoch milliseconds. */
  validUntil: number;
}

/** A Solana payment lives as long as its blockhash, whatever the offer says. */
const BLOCKHASH_SECONDS = 150;
const LEAST_SECONDS = 60;

/** Records the ceiling of a voucher. `quoted` replaces content that cannot be read, such as a Solana transaction. */
export function readSigned({ accepted = {}, payload = {} }: SignedPayment, vouchers: Vouchers, quoted: Micros): Signed {
  const { authorization, permit2Authorization: permit, voucher } = payload;
  if (voucher) {
    const id = String(voucher.channelId);
    const ceiling = unitsOf(voucher.maxClaimableAmount) ?? 0n;
    // For a channel of an earlier client, the amount signed before is not part of this client's total.
    const before = vouchers.get(id) ?? ceiling - (unitsOf(accepted.amount) ?? quoted);
    const amount = ceiling > before ? ceiling - before : 0n;
    // A voucher above the quote is not sent, so the next one must not count from it.
    // guard: client: a voucher that is not sent does not raise the ceiling | always | client/hostile --market
    if (amount <= quoted) vouchers.set(id, ceiling > before ? ceiling : before);
    return { amount, isVoucher: true, validUntil: Number.POSITIVE_INFINITY };
  }
  const amount = unitsOf(authorization?.value ?? permit?.permitted?.amount ?? accepted.amount) ?? quoted;
  const deadline = unitsOf(authorization?.validBefore ?? permit?.deadline);
  const validUntil = deadline === undefined ? Date.now() + lifeSeconds(accepted) * 1000 : Number(deadline) * 1000;
  return { amount, isVoucher: false, validUntil };
}

/** How long a payment without a readable deadline can be taken. */
function lifeSeconds({ network = "", maxTimeoutSeconds }: NonNullable<SignedPayment["accepted"]>): number {
  const least = network.startsWith("solana:") ? BLOCKHASH_SECONDS : LEAST_SECONDS;
  return Math.max(Number(maxTimeoutSeconds) || 0, least);
}

/** Atomic units; undefined for any other value. */
export function unitsOf(value: unknown): Micros | undefined {
  const text = typeof value === "bigint" ? value.toString() : value;
  return typeof text === "string" && /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
}
