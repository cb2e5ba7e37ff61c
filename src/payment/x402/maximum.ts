/** Offers whose amount is a maximum: usage decides what is kept of it, and the rest goes back. */
import type { PaymentRequirements } from "./wire.js";

const maxima = new WeakSet<PaymentRequirements>();

export function asMaximum(offer: PaymentRequirements): PaymentRequirements {
  maxima.add(offer);
  return offer;
}

export const isMaximum = (offer: PaymentRequirements): boolean => maxima.has(offer);
