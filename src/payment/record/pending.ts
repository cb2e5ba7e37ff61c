/** The answer while it is not certain whether a payment was settled. */
import { CapabilityError } from "../../errors.js";

const RETRY_AFTER_SECONDS = 5;
/** How long a copy of a call waits for the first: no longer than it would before it comes back. */
export const WAIT_MS = RETRY_AFTER_SECONDS * 1000;

/** Never a 402, because a client that gets one signs a new payment, and pays twice. */
export function pending(why: string): CapabilityError {
  return new CapabilityError(
    "SETTLEMENT_PENDING",
    `${why} Do not sign a new payment: send the same one again to get the result without paying twice.`,
    { retryAfter: RETRY_AFTER_SECONDS },
  );
}
