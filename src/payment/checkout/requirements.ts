/** What an order can be paid with: the entries of `accepts`. */
import type { AnyCapability } from "../../capability/types.js";
import type { Pricing } from "../pricing/pricing.js";
import type { Rails } from "../rails/rails.js";
import { channelRequirements, exactRequirements, uptoRequirements } from "../rails/requirements.js";
import type { PaymentRequirements } from "../x402/wire.js";
import type { Order } from "./order.js";

const MAX_TIMEOUT_SLACK_SECONDS = 60;

export interface Requirements {
  exact: PaymentRequirements[];
  /** Only in the header: the body's entries are of the scheme `exact` alone. */
  upto: PaymentRequirements[];
  /** By payment channel; only in the header as well. */
  channel: PaymentRequirements[];
}

interface RequirementsOptions {
  pricing: Pricing;
  rails: Rails;
  /** Whether the host wants a capability's payment before it runs. */
  settlesFirst(capability: AnyCapability): boolean;
  minTimeoutSeconds: number;
}

/** What is asked for an amount of a capability. */
export type RequirementsFor = (asked: Pick<Order, "capability" | "amount">) => Requirements;

export function createRequirements({
  pricing,
  rails,
  settlesFirst,
  minTimeoutSeconds,
}: RequirementsOptions): RequirementsFor {
  return ({ capability, amount }) => {
    // A signature must outlive the work and its settlement.
    const needed = Math.ceil(capability.timeoutMs / 1000) + MAX_TIMEOUT_SLACK_SECONDS;
    const prepaid = settlesFirst(capability);
    const options = { maxTimeoutSeconds: Math.max(minTimeoutSeconds, needed) };
    // What is settled first is settled whole, so there is no usage to settle by.
    const byUsage = !prepaid && capability.billing === "upto" && !pricing.isFixed(capability);
    // Whoever pays is judged by one of them alone.
    return {
      get exact() {
        return exactRequirements(rails, amount, options);
      },
      get upto() {
        return byUsage ? uptoRequirements(rails, amount, options) : [];
      },
      get channel() {
        return channelRequirements(rails, amount, options);
      },
    };
  };
}
