/** The buyer's own keys of a purchase: what they name, and whether a stranger could guess them. */
import { createHash } from "node:crypto";
import { invalid } from "../../errors.js";
import type { Order } from "../order/order.js";
import type { PaymentPayload } from "../x402/wire.js";

/** Shorter keys can be guessed. */
const MIN_SECRET_LENGTH = 16;

/** Whether the buyer's idempotency key is too long to guess. */
// guard: channel: a name that can be guessed fetches nothing with a published voucher |
//   returns identifier.length > 0 | vouchers --channels
export const isSecret = ({ idempotencyKey = "" }: Order, { identifier = idempotencyKey }: PaymentPayload): boolean =>
  identifier.length >= MIN_SECRET_LENGTH;

/** A secret of the purchase that the chain does not show. Clients of version 1 have no retry key. */
export function secretOf({ idempotencyKey }: Order, { retryKey, identifier }: PaymentPayload): { secretHash?: string } {
  const secret = retryKey ?? identifier ?? idempotencyKey ?? "";
  return secret.length < MIN_SECRET_LENGTH ? {} : { secretHash: createHash("sha256").update(secret).digest("hex") };
}

/**
 * Hash of the buyer's idempotency key. A buyer who signs anew for a paid purchase sends the same key, and gets the
 * answer. The key counts only together with the payer's own signature, or a stranger could fetch the purchase with it.
 */
export function idempotencyKeyHashOf(
  { idempotencyKey }: Order,
  { identifier }: Pick<PaymentPayload, "identifier">,
  wallet: string,
): string | undefined {
  const key = identifier ?? idempotencyKey;
  if (key === undefined) return undefined;
  if (key.length > 255) throw invalid("idempotency-key", "must be at most 255 characters long");
  return `order:${createHash("sha256").update(`${wallet} ${key}`).digest("hex")}`;
}
