/** Signs a payment for the quote of a 402, within the limits. */
import { CapabilityError } from "../errors.js";
import { least } from "../lib/money.js";
import type { Budget, CallLimits } from "./budget.js";
import type { Guard } from "./buyer-limits.js";
import type { Credit } from "./credits.js";
import type { Payer } from "./options.js";
import type { Count, Offer, PartPayer, Payment, Required } from "./payment.js";
import { errorOfReply, type Reply } from "./reply.js";
import { decodeHeader, encodeHeader } from "./result.js";
import { readSigned, type SignedPayment, type Vouchers } from "./signed.js";

export interface SignOptions {
  payer: Payer;
  budget: Budget;
  name: string;
  credit: Credit | undefined;
  /** The limits of the call; for a stream, how a channel pays it in parts. */
  pending: CallLimits & { parts?: PartPayer | undefined };
  vouchers: Vouchers;
  /** The measure of offers in dollars. */
  count: Count;
  /** The buyer's limits, if it has any. */
  guard: Guard | undefined;
}

/** Signs the quote of a 402. Rejects with SPENDING_LIMIT before anything is signed, or with PAYMENT_REQUIRED. */
export async function sign(reply: Reply, url: string, options: SignOptions): Promise<Payment> {
  const { payer, budget, name, credit, pending, vouchers, count, guard } = options;
  const { parts, endpoint: { id: endpoint } = { id: "" } } = pending;
  const required = readQuote(reply, url);
  const inDollars = counted(required, count);
  const offers = guard ? await guard.judge(inDollars, { endpoint, count }) : inDollars;
  const costs = offers.map((offer) => count(offer) ?? 0n);
  // Offers of one quote usually cost the same. If they differ, the cheapest counts, and the payer gets no dearer ones.
  const hold = await budget.reserve(costs.reduce(least), pending);
  try {
    const accepts = offers.filter((_, index) => costs[index] === hold.amount);
    await guard?.approve(hold, { ...pending, endpoint: { id: endpoint }, offers: accepts });
    const offered = parts ? accepts.map(parts.firstPart) : accepts;
    const signed = (await payer.createPaymentPayload({ ...required, accepts: offered } as never)) as SignedPayment;
    const { amount: units, isVoucher, validUntil } = readSigned(signed, vouchers, hold.amount);
    const taken = accepts.find(({ asset }) => asset === signed.accepted?.asset) ?? accepts[0];
    // guard: client: what was signed in a token counts in dollars | = units | client/tokens
    const amount = (taken && !isVoucher && count(taken, units)) || units;
    // guard: client: nothing is sent that is good for more than was quoted | gone | client/hostile
    if (amount > hold.amount) throw new CapabilityError("SPENDING_LIMIT", "More was signed than was quoted: not sent.");
    hold.lower(amount);
    await guard?.pin(inDollars, signed.accepted ?? {});
    const payment = { header: encodeHeader(signed), name, credit, hold, isVoucher, signed, validUntil };
    return isVoucher && parts ? { ...payment, part: parts.partOf({ ...required, accepts }, signed) } : payment;
  } catch (cause) {
    hold.settle(0n);
    if (CapabilityError.is(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CapabilityError("PAYMENT_REQUIRED", `The payment could not be signed: ${why}`, { cause });
  }
}

function readQuote(reply: Reply, url: string): Required {
  const header = reply.headers.get("payment-required");
  const required = header ? decodeHeader<Required>(header) : {};
  if (!required.accepts?.length) throw errorOfReply(reply, url);
  return { ...required, accepts: required.accepts };
}

/** Offers that count in dollars. */
function counted({ accepts }: Required, count: Count): Offer[] {
  const offers = accepts.filter((offer) => count(offer) !== undefined);
  if (offers.length > 0) return offers;
  throw new CapabilityError("PAYMENT_REQUIRED", "No offer is in dollars, or in one of your tokens.");
}
