/** A signed payment, and the parts of a quote that it answers. */
import { CapabilityError } from "../errors.js";
import type { Micros } from "../lib/money.js";
import type { Hold } from "./budget.js";
import type { Credit } from "./credits.js";
import type { SignedPayment } from "./signed.js";

/** A signed payment for one request, however often it is sent. */
export interface Payment {
  /** The PAYMENT-SIGNATURE header. */
  header: string;
  /** The buyer's own name for the purchase. */
  name: string;
  /** Credit that pays the rest. */
  credit: Credit | undefined;
  /** Hold of the signed amount. */
  hold: Hold;
  /** True for a voucher, which counts as spent once sent, because it is valid as long as its channel. */
  isVoucher: boolean;
  /** The payment that was signed last: of a stream, its latest voucher. */
  signed: SignedPayment;
  /** For a stream that a channel pays in parts. */
  part?: StreamPart | undefined;
  /** Time until which it can be settled, in epoch milliseconds. */
  validUntil: number;
}

export interface Offer {
  scheme?: string;
  network: string;
  asset?: string;
  payTo?: string;
  amount: string;
  maxTimeoutSeconds?: number;
  extra?: { minPart?: string; usd?: string };
}

export interface StreamPart {
  /** The quote, and its offer of the whole. */
  required: Required;
  offer: Offer;
  /** Sum of the vouchers so far, and the size of one, in atomic units. */
  signed: Micros;
  size: Micros;
  /** Whether the stream has ended, so that nothing more is signed for it. */
  isOver?: boolean;
}

export interface Required {
  accepts: Offer[];
}

/** How a channel pays for a stream in parts. */
export interface PartPayer {
  /** The offer with the amount of its first part. */
  firstPart(offer: Offer): Offer;
  /** The part of a stream that a voucher paid; undefined if it paid the whole. */
  partOf(required: Required, signed: SignedPayment): StreamPart | undefined;
}

/** Dollars that units of an offer's token count as; undefined for a token that the client does not pay in. */
export type Count = (offer: Offer, units?: Micros) => Micros | undefined;

/** A seller that names a price in dollars says that the token is none. */
// guard: client: an unknown token that is not dollars is not paid | always | client/tokens
export const inDollars: Count = (offer, units = amountOf(offer)) =>
  offer.extra?.usd === undefined ? units : undefined;

/** Atomic units, which are millionths of a dollar where the service is paid in USDC. */
export function amountOf({ amount }: Offer): Micros {
  if (!/^\d{1,30}$/.test(amount)) throw new CapabilityError("PAYMENT_REQUIRED", "The quote names no amount.");
  return BigInt(amount);
}
