/**
 * The worth of an offer in dollars. An offer in a token of dollars has as many atomic units as the price has
 * micro-dollars; one in another token names the price in `extra.usd`, and its units follow from a rate.
 */
import { type Micros, toMicros } from "../../lib/money.js";
import type { PaymentRequirements } from "./wire.js";

type Offer = Pick<PaymentRequirements, "amount" | "extra">;

/** Whether an offer is in a token that is priced by a rate. Only for offers that this service made. */
export const isRated = ({ extra }: Pick<Offer, "extra">): boolean => typeof extra.usd === "string";

/** The price of an offer that this service made. */
export const usdOf = ({ amount, extra }: Offer): Micros =>
  typeof extra.usd === "string" ? toMicros(extra.usd) : BigInt(amount);

/** A part of an offer's price in atomic units of its token, at the rate of the offer, rounded down. */
export const unitsOf = (offer: Offer, part: Micros): bigint =>
  isRated(offer) ? (part * BigInt(offer.amount)) / usdOf(offer) : part;
