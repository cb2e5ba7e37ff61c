/** Offers of streams that a channel may pay in parts: a voucher for the first, and further ones while it runs. */
import type { Micros } from "../../lib/money.js";
import type { PaymentRequirements } from "../x402/wire.js";

/** The most vouchers that one stream takes, because each costs a signature's check and a write. */
const MAX_PARTS = 100n;

/** The offer with the smallest part that a voucher may pay. */
export function inParts(offer: PaymentRequirements): PaymentRequirements {
  const minPart = (BigInt(offer.amount) + MAX_PARTS - 1n) / MAX_PARTS;
  return { ...offer, extra: { ...offer.extra, minPart: minPart.toString() } };
}

export interface Part {
  /** The amount of the first voucher. */
  amount: Micros;
  /** The most that the vouchers may reach together, and the least that each adds. */
  most: Micros;
  smallest: Micros;
}

/** The part that a payment pays of an offer; undefined if it pays the whole, or what is not offered. */
export function partOf(offer: PaymentRequirements, sent: unknown): Part | undefined {
  const { minPart } = offer.extra;
  if (typeof minPart !== "string" || typeof sent !== "string" || !/^\d{1,39}$/.test(sent)) return undefined;
  const [amount, most, smallest] = [BigInt(sent), BigInt(offer.amount), BigInt(minPart)];
  return amount >= smallest && amount < most ? { amount, most, smallest } : undefined;
}
