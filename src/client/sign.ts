/** Signs a payment for the quote of a 402, within the limits. */
import { CapabilityError } from "../errors.js";
import { least } from "../lib/money.js";
import type { Budget, CallLimits, Hold } from "./budget.js";
import type { Credit } from "./credits.js";
import type { Payer } from "./options.js";
import { amountOf, type PartPayer, type Payment, type Required } from "./payment.js";
import { errorOf, type Reply } from "./reply.js";
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
}

/** Signs the quote of a 402. Rejects with SPENDING_LIMIT before anything is signed, or with PAYMENT_REQUIRED. */
export async function sign(reply: Reply, url: string, options: SignOptions): Promise<Payment> {
  const { payer, budget, name, credit, pending, vouchers } = options;
  const { parts } = pending;
  const required = readQuote(reply, url);
  const hold = await reserveCheapest(required, budget, pending);
  try {
    const accepts = required.accepts.filter((offer) => amountOf(offer) <= hold.amount);
    const offered = parts ? accepts.map(parts.firstPart) : accepts;
    const signed = (await payer.createPaymentPayload({ ...required, accepts: offered } as never)) as SignedPayment;
    const { amount, isVoucher, validUntil } = readSigned(signed, vouchers, hold.amount);
    if (amount > hold.amount) throw new CapabilityError("SPENDING_LIMIT", "More was signed than was quoted: not sent.");
    hold.lower(amount);
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
  if (!required.accepts?.length) throw errorOf(reply, url);
  // Limits are in dollars, and the seller alone says what a token of its own rate is worth.
  const accepts = required.accepts.filter(({ extra }) => extra?.usd === undefined);
  if (accepts.length > 0) return { ...required, accepts };
  throw new CapabilityError("PAYMENT_REQUIRED", "The offers are not dollars, as limits are.");
}

/**
 * Offers of one quote usually ask the same amount. If they differ, the cheapest counts, and the payer gets no dearer
 * ones.
 */
function reserveCheapest({ accepts }: Required, budget: Budget, limits: CallLimits): Promise<Hold> {
  const amounts = accepts.map(amountOf);
  return budget.reserve(
    amounts.reduce((a, b) => least(a, b)),
    limits,
  );
}
