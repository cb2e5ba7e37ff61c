import type { Facts } from "../capability/types.js";

/** "0.001 USD", or "0.001 to 50 USD" if it depends on the input; "free" for what only the owner of an account gets. */
export function priceText(price: Facts["price"]): string {
  if (price.mode === "fixed" && price.usd === "0") return "free";
  return price.mode === "fixed" ? `${price.usd} USD` : `${price.minUsd} to ${price.maxUsd} USD`;
}
