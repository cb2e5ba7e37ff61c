/** Authorizes an order, also by a payment that was signed just before its price changed, or by a clock that is ahead. */
import type { AnyCapability } from "../capability/types.js";
import { fromMicros } from "../lib/money.js";
import type { Credentials, Due, Grant, Order, Replay } from "../payment/order/order.js";
import { PaymentRefused } from "../payment/x402/refusal.js";
import { assertAuthenticated } from "./auth-hints.js";
import { type Call, contextFor } from "./call.js";
import { orderOf } from "./order.js";
import { signedIn } from "./sign-in.js";

/** The same order at the prices of now, or of another moment. */
export type Requote = (time?: number) => Promise<Order>;

/** The order of an input. By these prices it is billed, and its work quotes, whatever the host changes meanwhile. */
export const quotedBy =
  (call: Call, capability: AnyCapability, sent: unknown): Requote =>
  async (time) => {
    const { payments, pricing } = call.host;
    const prices = pricing.at(time);
    const ctx = contextFor(call.host, capability, { prices });
    const parsed = await capability.parse(sent, ctx);
    const amount = await payments.quote(prices, capability, parsed.input, ctx);
    return orderOf(call, { capability, ...parsed, amount, prices, byUsage: prices.byUsage(capability) });
  };

interface Presented {
  credentials: Credentials;
  due: Due;
  requote: Requote;
}

/** Entitles the order, or the same order at a price that ended or begins so near that a payment may be signed for it. */
export async function authorized(
  call: Call,
  order: Order,
  presented: Presented,
): Promise<{ grant: Grant | Replay; order: Order }> {
  const { credentials } = presented;
  if (credentials.signIn !== undefined) return { grant: await signedIn(call, order, credentials.signIn), order };
  // A proof of sign-in is good once, and was seen when the job was taken.
  if (credentials.payment && !call.job?.isRepeated) await assertAuthenticated(call, credentials.payment);
  const { grant, order: sold } = await atAnyPrice(call, order, presented);
  return { grant, order: "delivery" in grant ? sold : withTerms(call, sold, grant) };
}

async function atAnyPrice(
  call: Call,
  first: Order,
  { credentials, due, requote }: Presented,
): Promise<{ grant: Grant | Replay; order: Order }> {
  const { payments } = call.host;
  const order = credentials.payment ? await asSigned(call, first, requote) : first;
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

/**
 * A payment for a maximum looks like one for a fixed price of the same amount. If both may have been quoted, the usage
 * is billed.
 */
async function asSigned(call: Call, order: Order, requote: Requote): Promise<Order> {
  const { capability, amount, byUsage } = order;
  if (byUsage || capability.billing !== "upto") return order;
  for (const at of otherMoments(call, order)) {
    if (!call.host.pricing.at(at).byUsage(capability)) continue;
    const other = await requote(at);
    if (other.amount === amount) return other;
  }
  return order;
}

/** The order by the terms under which an earlier attempt began it. */
function withTerms(call: Call, order: Order, { terms }: Grant): Order {
  if (!terms || (terms.amount === order.amount && terms.byUsage === order.byUsage)) return order;
  const { capability, input, query, judgeRest, prices } = order;
  call.event.quotedUsd = fromMicros(terms.amount);
  return orderOf(call, { capability, input, query, judgeRest, prices, ...terms });
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
