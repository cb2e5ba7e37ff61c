/** The facilitator of a host, but for payments that its own account takes. */
import type { FacilitatorClient } from "./facilitator.js";
import { chargeTermsOf, type PaymentRequirements } from "./wire.js";

type Taking = Pick<FacilitatorClient, "verify" | "settle">;

/** `railOf` is asked with each payment. Those by other terms go to the facilitator. */
export function besideCharges<T extends FacilitatorClient>(
  facilitator: T,
  railOf: (network: string) => { charges?: Taking } | undefined,
): T {
  const takerOf = (requirements: PaymentRequirements): Taking => {
    if (!chargeTermsOf(requirements)) return facilitator;
    // A facilitator could only misread it. An instance without the account leaves it to the others.
    return railOf(requirements.network)?.charges ?? NOBODY;
  };
  return {
    ...facilitator,
    verify: (payment) => takerOf(payment.requirements).verify(payment),
    settle: (payment) => takerOf(payment.requirements).settle(payment),
  };
}

const NOBODY: Taking = {
  verify: async () => ({ kind: "invalid", reason: "unsupported_scheme" }),
  settle: async () => ({ kind: "pending", reason: "payment.mpp.permit2 names no account here" }),
};
