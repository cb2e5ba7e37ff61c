/** What a call can be paid with: the entries of `accepts`. */
import type { AnyCapability } from "../../capability/types.js";
import type { Host, Till } from "../../host/host.js";
import type { Micros } from "../../lib/money.js";
import { offer, offerUpto } from "../rails/requirements.js";
import type { PaymentRequirements } from "../x402/wire.js";

const MAX_TIMEOUT_SLACK_SECONDS = 60;

export interface Offers {
  exact: PaymentRequirements[];
  /** Only in the header: the body's entries are of the scheme `exact` alone. */
  upto: PaymentRequirements[];
}

export function requirementsFor(
  { pricing }: Host,
  { rails, minTimeoutSeconds, settleFirst }: Till,
  { capability, amount }: { capability: AnyCapability; amount: Micros },
): Offers {
  // A signature must outlive the work and its settlement.
  const needed = Math.ceil(capability.timeoutMs / 1000) + MAX_TIMEOUT_SLACK_SECONDS;
  const prepaid = settleFirst.has(capability.id);
  const workMs = prepaid ? 0 : capability.timeoutMs;
  const options = { maxTimeoutSeconds: Math.max(minTimeoutSeconds, needed), workMs };
  // What is settled first is settled whole, so there is no usage to settle by.
  const byUsage = !prepaid && capability.billing === "upto" && !pricing.isFixed(capability);
  return { exact: offer(rails, amount, options), upto: byUsage ? offerUpto(rails, amount, options) : [] };
}
