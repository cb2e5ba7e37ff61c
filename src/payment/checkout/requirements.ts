/** The ways to pay for an order: the entries of `accepts`. */
import type { AnyCapability } from "../../capability/types.js";
import type { Rails } from "../networks/rails.js";
import { channelRequirements, exactRequirements, uptoRequirements } from "../networks/requirements.js";
import { type Order, workMsOf } from "../order/order.js";
import type { Pricing } from "../pricing/pricing.js";
import { inParts } from "../rails/channel-parts.js";
import type { Rail } from "../rails/rail.js";
import { asMaximum } from "../x402/maximum.js";
import type { PaymentRequirements } from "../x402/wire.js";

const MAX_TIMEOUT_SLACK_SECONDS = 60;

export interface Requirements {
  exact: PaymentRequirements[];
  /** Only in the header: the body contains only entries of the scheme `exact`. */
  upto: PaymentRequirements[];
  /** Offers by payment channel; only in the header. */
  channel: PaymentRequirements[];
}

interface RequirementsOptions {
  pricing: Pricing;
  rails: Rails;
  /** Whether a capability's payment is settled before it runs, on any rail or on this one. */
  settlesFirst(capability: AnyCapability, rail?: Rail): boolean;
  minTimeoutSeconds: number;
  /** Whether a capability is paid at once only, and by no channel. */
  paidAtOnce(capability: AnyCapability): boolean;
  /** Whether streams wait for vouchers on the way, so that the first may pay for a part. */
  sellsParts: boolean;
}

/** Without `byUsage`, as the prices of now bill it. */
type Asked = Pick<Order, "capability" | "amount"> & Partial<Pick<Order, "byUsage">>;

/** Makes the requirements for an amount of a capability. */
export type RequirementsFor = (asked: Asked) => Requirements;

export function createRequirements({
  pricing,
  rails,
  settlesFirst,
  minTimeoutSeconds,
  sellsParts,
  paidAtOnce,
}: RequirementsOptions): RequirementsFor {
  return ({ capability, amount, byUsage = pricing.at().byUsage(capability) }) => {
    // A signature must outlive the work, a stream's reader and the settlement.
    const workMs = workMsOf({ capability, streamed: capability.executeStream !== undefined });
    const needed = Math.ceil(workMs / 1000) + MAX_TIMEOUT_SLACK_SECONDS;
    const prepaid = settlesFirst(capability);
    const options = { maxTimeoutSeconds: Math.max(minTimeoutSeconds, needed) };
    // A payment settled before the work is settled in full, so it cannot be billed by usage.
    const settlesUsage = byUsage && !prepaid;
    // A payer's payment is checked against one of them only.
    return {
      get exact() {
        const isUpfront = (rail: Rail) => settlesFirst(capability, rail);
        const offers = exactRequirements(rails, amount, { ...options, isUpfront });
        return byUsage ? offers.map(asMaximum) : offers;
      },
      get upto() {
        return settlesUsage ? uptoRequirements(rails, amount, options) : [];
      },
      get channel() {
        // A voucher may still be lost, so it buys no balance.
        // guard: top-up: a voucher buys no balance | gone | accounts/top-up
        if (paidAtOnce(capability)) return [];
        const offers = channelRequirements(rails, amount, options);
        return sellsParts && settlesUsage && capability.executeStream ? offers.map(inParts) : offers;
      },
    };
  };
}
