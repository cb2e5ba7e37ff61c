import type { Micros } from "./money.js";
import type { OfferedPayment, Terms } from "./wire.js";

/** A payment that fits our terms: everything that can be judged without a network. */
export interface CheckedPayment {
  /** What names the money itself, whatever clothes it comes in. One id buys one result. */
  id: string;
  payer: string;
  /** False where only the chain can judge the signature, as with contract wallets. */
  proven: boolean;
  /** Tells apart two messages about the same money when the signature could not be judged here. */
  signatureHash: string;
  /** Epoch seconds between which the payment can be settled. */
  validAfter: number;
  validBefore: number;
}

/** How one family of networks is quoted and checked. */
export interface Rail {
  /** The entry of `accepts` for an amount; undefined while this rail cannot be offered. */
  terms(amount: Micros, maxTimeoutSeconds: number): Terms | undefined;
  /** Checks a payment against our own terms. Throws PaymentRefused; asks nobody. */
  check(payment: OfferedPayment, terms: Terms): Promise<CheckedPayment>;
}
