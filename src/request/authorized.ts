/** Authorizes an order, also by a payment that was signed just before its price changed, or by a clock that is ahead. */
import type { AnyCapability } from "../capability/types.js";
import type { Credentials, Due, Grant, Order, Replay } from "../payment/checkout/order.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { type Call, contextFor } from "./call.js";
import { orderOf } from "./order.js";
import { signedIn } from "./sign-in.js";

/** The same order at the prices of another moment. */
export type Requote = (at: number) => Promise<Order>;

export const requotedBy =
  (call: Call, capability: AnyCapability, sent: unknown): Requote =>
  async (at) => {
    const ctx = contextFor(call.host, capability, { pricedAt: at });
    const parsed = await capability.parse(sent, ctx);
    const amount = await call.host.payments.quote(capability, parsed.input, ctx, at);
    return orderOf(call, { capability, ...parsed, amount, pricedAt: at });
  };

/** Entitles the order, or the same order at a price that ended or begins so near that a payment may be signed for it. */
export async function authorized(
  call: Call,
  order: Order,
  { credentials, due, requote }: { credentials: Credentials; due: Due; requote: Requote },
): Promise<{ grant: Grant | Replay; order: Order }> {
  const { payments } = call.host;
  if (credentials.signIn !== undefined) return { grant: await signedIn(call, order, credentials.signIn), order };
  try {
    return { grant: await payments.authorize(order, credentials, due), order };
  } catch (error) {
    if (!(error instanceof PaymentRefused) || !OTHER_TERMS.has(error.code) || !credentials.payment) throw error;
    for (const at of otherMoments(call, order)) {
      const other = await requote(at);
      const owed = await payments.dueOn(other, credentials);
      const grant = await payments.authorize(other, credentials, owed).catch(unlessOtherTerms);
      if (grant) return { grant, order: other };
    }
    throw error;
  }
}

const OTHER_TERMS: ReadonlySet<string> = new Set(["PAYMENT_MISMATCH", "PAYMENT_NOT_OFFERED"]);

function unlessOtherTerms(error: unknown): undefined {
  if (!(error instanceof PaymentRefused && OTHER_TERMS.has(error.code))) throw error;
}

/** Moments around price changes at which a quote may have been given that is still valid. */
function otherMoments({ host }: Call, { capability, amount }: Order): number[] {
  const { exact } = host.payments.requirementsFor({ capability, amount });
  return host.switches.prices.momentsAround(capability, host.now(), (exact[0]?.maxTimeoutSeconds ?? 0) * 1000);
}
