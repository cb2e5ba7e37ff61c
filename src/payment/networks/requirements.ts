/** The offers of a 402, and the offer that a payment accepts. */

import { CapabilityError } from "../../errors.js";
import type { Micros } from "../../lib/money.js";
import { assertBound } from "../mpp/credential.js";
import type { CheckedPayment, Rail } from "../rails/rail.js";
import { PaymentRefused } from "../x402/refusal.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";
import { sameAccount } from "./accounts.js";
import { type Rails, railFor } from "./rails.js";

interface RequirementsOptions {
  maxTimeoutSeconds: number;
}

interface ExactOptions extends RequirementsOptions {
  /** Duration of the work before the settlement; rails whose payments expire earlier are left out. */
  workMs?: number;
  /** Whether a rail's payments are settled before the work: its offer says so. */
  isUpfront?: (rail: Rail) => boolean;
}

/**
 * The entries of `accepts` for an amount.
 *
 * @example
 * ```ts
 * const accepts = exactRequirements(rails, toMicros("0.01"), { maxTimeoutSeconds: 60, workMs: 5000 });
 * ```
 */
export function exactRequirements(
  rails: Rails,
  amount: Micros,
  { maxTimeoutSeconds, workMs = 0, isUpfront = () => false }: ExactOptions,
): PaymentRequirements[] {
  return [...rails.values()]
    .filter(({ maxWorkMs = Number.POSITIVE_INFINITY }) => workMs <= maxWorkMs)
    .flatMap((rail) => {
      const offer = rail.requirements(amount, maxTimeoutSeconds);
      if (!offer) return [];
      // Without the member the flow is "authorization": settled after the work.
      return [isUpfront(rail) ? { ...offer, extra: { ...offer.extra, paymentFlow: "upfront" } } : offer];
    });
}

/**
 * Offers that settle only the used amount, if host and facilitator support them; callers need the maximum.
 *
 * @example
 * ```ts
 * const accepts = uptoRequirements(rails, toMicros("0.05"), { maxTimeoutSeconds: 60 });
 * ```
 */
export function uptoRequirements(
  rails: Rails,
  maximum: Micros,
  { maxTimeoutSeconds }: RequirementsOptions,
): PaymentRequirements[] {
  return [...rails.values()].flatMap(({ upto }) => upto?.requirements(maximum, maxTimeoutSeconds) ?? []);
}

/** Offers to pay by channel: callers need an open channel, or the deposit for one. */
export function channelRequirements(
  rails: Rails,
  maximum: Micros,
  { maxTimeoutSeconds }: RequirementsOptions,
): PaymentRequirements[] {
  return [...rails.values()].flatMap(({ channel }) => channel?.requirements(maximum, maxTimeoutSeconds) ?? []);
}

export interface Accepted {
  requirements: PaymentRequirements;
  checked: CheckedPayment;
}

/**
 * Finds our own requirements for a payment and checks it against them. The facilitator later gets only our
 * requirements.
 *
 * @example
 * ```ts
 * const { requirements, checked } = await accept(sent, accepts, rails); // throws PaymentRefused
 * ```
 */
export async function accept(payment: PaymentPayload, accepts: PaymentRequirements[], rails: Rails): Promise<Accepted> {
  const offered = accepts.find(({ scheme, network }) => scheme === payment.scheme && network === payment.network);
  const rail = railFor(rails, payment);
  // The offer is unavailable for a moment. A 402 would make a payer who already signed sign again.
  if (rail && !rail.requirements(0n, 0)) throw notReady();
  if (!offered || !rail)
    throw new PaymentRefused(
      "PAYMENT_NOT_OFFERED",
      `Scheme "${clip(payment.scheme)}" on network "${clip(payment.network)}" is not among the offers.`,
    );
  const requirements = (await rail.requirementsTaken?.(payment, offered)) ?? offered;
  if (payment.accepted) checkCopy(payment.accepted, requirements);
  await assertBound(payment);
  return { requirements, checked: await rail.check(payment, requirements) };
}

export const notReady = () =>
  new CapabilityError(
    "FACILITATOR_UNAVAILABLE",
    "Payments on this network cannot be taken at the moment. Nothing was charged; the same payment can be sent again.",
    { retryAfter: 5 },
  );

/** The caller's copy must equal the offer; only the notation of accounts may differ. */
function checkCopy(copy: Record<string, unknown>, requirements: PaymentRequirements): void {
  const same = (a: string, b: string) => sameAccount(requirements.network, a, b);
  const differs = (name: "asset" | "payTo") => typeof copy[name] !== "string" || !same(copy[name], requirements[name]);
  const wrong =
    copy.amount !== requirements.amount
      ? "amount"
      : copy.maxTimeoutSeconds !== requirements.maxTimeoutSeconds
        ? "maxTimeoutSeconds"
        : (["asset", "payTo"] as const).find(differs);
  if (wrong)
    throw new PaymentRefused("PAYMENT_MISMATCH", `The payment's ${wrong} is not the one offered for this request.`);
  const extra = typeof copy.extra === "object" && copy.extra !== null ? (copy.extra as Record<string, unknown>) : {};
  for (const [name, value] of Object.entries(requirements.extra))
    if (extra[name] !== value)
      throw new PaymentRefused("PAYMENT_MISMATCH", `The payment's extra.${name} is not the one offered.`);
}

const clip = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
