/** The payment of an order, as the guard takes it. */
import { once } from "../../lib/lazy.js";
import type { Attempt } from "../failures/failures.js";
import { accountId } from "../networks/accounts.js";
import { railFor } from "../networks/rails.js";
import { type Due, type Order, workMsOf } from "../order/order.js";
import { fingerprintOf } from "../record/input-digest.js";
import type { PaymentRecord } from "../record/record.js";
import { type Purchase, SETTLE_BUDGET_MS } from "../settlement/purchase.js";
import type { PaymentPayload, PaymentRequirements } from "../x402/wire.js";
import { idempotencyKeyHashOf, secretOf } from "./buyers-key.js";
import type { CheckoutDeps } from "./deps.js";
import type { Matched } from "./paid-terms.js";

export interface Entering {
  due: Due & { account?: string | undefined };
  before: PaymentRecord | undefined;
  taken: Matched;
  attempt: Attempt;
}

/** Whether the payment of an order is settled before its work, or before the first chunk of a stream. */
export function isSettledFirst(deps: CheckoutDeps, order: Order, requirements: PaymentRequirements): boolean {
  const { capability } = order;
  const rail = railFor(deps.rails, requirements);
  // A composed call follows the strictest rule of its parts.
  // guard: a batch is settled first where one of its calls is | = [capability] | settle-first
  const all = [capability, ...(capability.parts?.(order) ?? [])];
  // A stream cannot be held back once it left, so it is settled before. With "upto" the sum is known at its end.
  // guard: a stream paid by a whole authorization is settled before it leaves | = false | handler/stream
  const streamed = order.streamed && requirements.scheme === "exact";
  return streamed || all.some((one) => deps.settlesFirst(one, rail));
}

/** Whether a payment may expire before the work is done and settled: of a job that another process began there is less left. */
export const endsBeforeWork = (validBefore: number | undefined, order: Order, now: number): boolean =>
  validBefore !== undefined && validBefore * 1000 < now + workMsOf(order) + SETTLE_BUDGET_MS;

/** The extensions of a payment that its facilitator is told. */
function extensionsOf(
  { builderCodes }: Pick<CheckoutDeps, "builderCodes">,
  payment: PaymentPayload,
  { extensions }: Pick<Matched["checked"], "extensions">,
): { extensions?: Record<string, unknown> } {
  const codes = builderCodes?.(payment);
  return extensions || codes ? { extensions: { ...codes, ...extensions } } : {};
}

export function purchaseOf(
  deps: CheckoutDeps,
  order: Order,
  payment: PaymentPayload,
  { due, before, taken, attempt, effects, prepaid }: Entering & { effects: boolean; prepaid: boolean },
): Purchase {
  const { capability } = order;
  const { requirements, checked, covered, byUsage } = taken;
  const wallet = accountId(requirements.network, checked.payer);
  const name = checked.proven ? idempotencyKeyHashOf(order, payment, wallet) : undefined;
  const fingerprint = once(() => fingerprintOf(order));
  return {
    ...checked,
    ...(name ? { idempotencyKeyHash: name } : {}),
    requestId: order.requestId,
    endpoint: capability.id,
    // Computed on demand, because a large input is not hashed for an unverified payment.
    get fingerprint() {
      return fingerprint();
    },
    isNew: before === undefined,
    early: before?.state !== "settled",
    ...secretOf(order, payment),
    payment: {
      // guard: what goes to a facilitator is rebuilt from what was checked | = payment.payload | budgets
      payload: checked.payload ?? payment.payload,
      requirements,
      payer: checked.payer,
      paidFor: { endpoint: capability.id, url: order.resourceUrl },
      ...extensionsOf(deps, payment, checked),
    },
    // guard: an upto payment outlives a stream's reader | order -> { ...order, streamed: false } | handler/stream
    workMs: workMsOf(order),
    // Before money moves, preparing a change for a wallet, or a stream's first chunk, may take as long as the work.
    prepareMs: effects || order.streamed ? capability.timeoutMs : 0,
    prepaid,
    byUsage,
    ...(covered > 0n ? { covered: covered.toString() } : {}),
    // A wallet's credit buys no balance either.
    ...(deps.accounts?.sells(capability.id)
      ? { account: due.account ?? wallet, product: deps.accounts.productOf(order.input) }
      : { price: order.amount }),
    signal: order.signal,
    attempt,
    admit: once(async () => {
      await deps.admission?.admit(order, {
        via: payment.challenge ? "mpp" : "http",
        payer: checked.payer,
        network: requirements.network,
      });
      // guard: top-up: a balance that could not be booked is not paid for | gone | accounts/top-up
      if (deps.accounts?.sells(capability.id)) await deps.accounts.assertTakes(due.account ?? wallet);
    }),
  };
}
