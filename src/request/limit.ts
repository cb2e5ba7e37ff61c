/** The highest price that a caller accepts, in a header of its own. */
import { CapabilityError, invalid } from "../errors.js";
import { boundMicros, fromMicros, type Micros } from "../lib/money.js";
import type { Call } from "./call.js";
import { LIMIT_HEADER, serviceHeader } from "./headers.js";

/**
 * A paying fetch signs whatever a 402 asks before its caller sees the price, and an account is charged without asking. A
 * caller that names its limit gets an error for a higher price.
 */
export function assertWithinLimit(
  { request, added, host }: Pick<Call, "request" | "added" | "host">,
  amount: Micros,
): void {
  const limit = request.headers.get(LIMIT_HEADER);
  if (limit === null) return;
  let most: Micros;
  try {
    most = boundMicros(limit);
  } catch {
    throw invalid(LIMIT_HEADER, 'must be US dollars, such as "0.05"');
  }
  if (amount <= most) return;
  added[serviceHeader(host.brand.slug, "Quoted-Usd")] = fromMicros(amount);
  const message = `This call costs ${fromMicros(amount)} USD, and ${LIMIT_HEADER} allows ${fromMicros(most)}.`;
  throw new CapabilityError("SPENDING_LIMIT", message);
}
