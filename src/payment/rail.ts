import type { PaymentToSettle } from "./facilitator.js";
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
  /** Epoch seconds between which the payment can be settled, where the payment itself says so. */
  validAfter?: number;
  validBefore?: number;
}

/** What the chain shows of a payment. `absent` may still appear; `unknown` means that the chain could not be read. */
export type Sighting = { kind: "paid"; transaction: string } | { kind: "cancelled" | "absent" | "unknown" };

/** How one family of networks is quoted and checked. */
export interface Rail {
  /** The entry of `accepts` for an amount; undefined while this rail cannot be offered. */
  terms(amount: Micros, maxTimeoutSeconds: number): Terms | undefined;
  /** Checks a payment against our own terms. Throws PaymentRefused; asks nobody. */
  check(payment: OfferedPayment, terms: Terms): Promise<CheckedPayment>;
  /** Looks a payment up on chain. Never rejects. */
  find(payment: PaymentToSettle): Promise<Sighting>;
}
