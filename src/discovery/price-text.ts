import type { Facts } from "../capability/types.js";

/** "0.001 USD", or "0.001 to 50 USD" if it depends on the input. */
export function priceText(price: Facts["price"]): string {
  return price.mode === "fixed" ? `${price.usd} USD` : `${price.minUsd} to ${price.maxUsd} USD`;
}
